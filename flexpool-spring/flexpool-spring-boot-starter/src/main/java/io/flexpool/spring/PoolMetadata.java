// SPDX-License-Identifier: Apache-2.0
package io.flexpool.spring;

import javax.sql.DataSource;
import org.springframework.aop.framework.AopProxyUtils;
import org.springframework.aop.support.AopUtils;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.boot.jdbc.metadata.DataSourcePoolMetadataProvider;

/**
 * Makes Spring Boot's metadata read the pool itself if flexpool's proxy has the pool's class: for HikariCP it reads a
 * field, which is not set in a proxy. Loaded only if Spring Boot has such metadata. Thread-safe.
 */
final class PoolMetadata implements BeanPostProcessor {
    @Override
    public Object postProcessAfterInitialization(Object bean, String beanName) {
        return bean instanceof DataSourcePoolMetadataProvider boots
                ? (DataSourcePoolMetadataProvider) source -> boots.getDataSourcePoolMetadata(behind(source))
                : bean;
    }

    private static DataSource behind(DataSource source) {
        return AopUtils.isCglibProxy(source)
                        && WrappedBean.isOne(source)
                        && AopProxyUtils.getSingletonTarget(source) instanceof DataSource pool
                ? pool
                : source;
    }
}
