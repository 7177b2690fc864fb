// SPDX-License-Identifier: Apache-2.0
package io.flexpool.spring;

import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.BeanFactoryAware;
import org.springframework.beans.factory.FactoryBean;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.DestructionAwareBeanPostProcessor;
import org.springframework.core.Ordered;
import org.springframework.core.PriorityOrdered;

/**
 * Replaces each data source bean by the wrapped pool, after its configuration and before other post-processors. So
 * these wrap flexpool, and flexpool wraps the pool. Destruction callbacks receive the original bean.
 */
final class WrappingPostProcessor implements DestructionAwareBeanPostProcessor, BeanFactoryAware, PriorityOrdered {
    private final ObjectProvider<PoolWrapping> wrapping;
    private @Nullable BeanFactory beanFactory;

    WrappingPostProcessor(ObjectProvider<PoolWrapping> wrapping) {
        this.wrapping = wrapping;
    }

    @Override
    public void setBeanFactory(BeanFactory factory) {
        this.beanFactory = factory;
    }

    @Override
    public int getOrder() {
        return Ordered.HIGHEST_PRECEDENCE + 100;
    }

    @Override
    public Object postProcessAfterInitialization(Object bean, String beanName) {
        return bean instanceof DataSource dataSource
                ? wrapping.getObject().bean(dataSource, beanName, !isPrototype(beanName))
                : bean;
    }

    /** The end of a prototype is not signalled. */
    private boolean isPrototype(String beanName) {
        return beanFactory != null && beanFactory.containsBean(beanName) && beanFactory.isPrototype(beanName);
    }

    @Override
    public void postProcessBeforeDestruction(Object bean, String beanName) {
        wrapping.getObject().release(bean, beanName);
    }

    @Override
    public boolean requiresDestruction(Object bean) {
        return bean instanceof FactoryBean<?> factory
                ? makesDataSources(factory)
                : bean instanceof DataSource && wrapping.getObject().knows(bean);
    }

    /** Whether a factory creates data sources: then its end is the end of its pool, which it closes. */
    private static boolean makesDataSources(FactoryBean<?> factory) {
        try {
            Class<?> type = factory.getObjectType();
            return type != null && DataSource.class.isAssignableFrom(type);
        } catch (RuntimeException unknown) {
            return false;
        }
    }
}
