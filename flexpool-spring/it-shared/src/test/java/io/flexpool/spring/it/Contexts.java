// SPDX-License-Identifier: Apache-2.0
package io.flexpool.spring.it;

import com.zaxxer.hikari.HikariDataSource;
import io.flexpool.FlexPoolDataSource;
import io.flexpool.monitoring.PoolControl;
import io.flexpool.spring.FlexPoolAutoConfiguration;
import io.flexpool.spring.FlexPools;
import java.util.Collection;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
import javax.sql.DataSource;
import org.apache.commons.dbcp2.BasicDataSource;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.jdbc.metadata.CompositeDataSourcePoolMetadataProvider;
import org.springframework.boot.jdbc.metadata.DataSourcePoolMetadata;
import org.springframework.boot.jdbc.metadata.DataSourcePoolMetadataProvider;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

/** Small application contexts and their pools: H2 in memory, with one database per pool. */
final class Contexts {
    private static final AtomicInteger DATABASES = new AtomicInteger();

    private Contexts() {}

    /** flexpool, and nothing else. */
    static ApplicationContextRunner flexpool() {
        return new ApplicationContextRunner().withConfiguration(AutoConfigurations.of(FlexPoolAutoConfiguration.class));
    }

    /** flexpool with Spring Boot's own pool. */
    static ApplicationContextRunner boot() {
        return flexpool()
                .withConfiguration(AutoConfigurations.of(Generation.DATA_SOURCE))
                .withPropertyValues("spring.datasource.url=" + url());
    }

    static String url() {
        return "jdbc:h2:mem:it-" + DATABASES.incrementAndGet();
    }

    static HikariDataSource hikari() {
        HikariDataSource pool = new HikariDataSource();
        pool.setJdbcUrl(url());
        pool.setMaximumPoolSize(3);
        pool.setConnectionTimeout(1_000);
        return pool;
    }

    static org.apache.tomcat.jdbc.pool.DataSource tomcat() {
        org.apache.tomcat.jdbc.pool.DataSource pool = new org.apache.tomcat.jdbc.pool.DataSource();
        pool.setDriverClassName("org.h2.Driver");
        pool.setUrl(url());
        pool.setMaxActive(3);
        pool.setInitialSize(0);
        return pool;
    }

    static BasicDataSource dbcp2() {
        BasicDataSource pool = new BasicDataSource();
        pool.setUrl(url());
        pool.setMaxTotal(3);
        return pool;
    }

    /** The wrapped pools of a context. */
    static Map<String, FlexPoolDataSource> pools(BeanFactory context) {
        return context.getBean(FlexPools.class).byName();
    }

    /** The wrapped pool of that name. */
    static FlexPoolDataSource pool(BeanFactory context, String name) {
        return Objects.requireNonNull(pools(context).get(name), () -> name + " is not among " + pools(context));
    }

    /** The metadata that Spring Boot's providers return for the one pool of a context. */
    static DataSourcePoolMetadata metadata(ListableBeanFactory context) {
        Collection<DataSourcePoolMetadataProvider> providers =
                context.getBeansOfType(DataSourcePoolMetadataProvider.class).values();
        return Objects.requireNonNull(new CompositeDataSourcePoolMetadataProvider(providers)
                .getDataSourcePoolMetadata(context.getBean(DataSource.class)));
    }

    static boolean isWrapped(DataSource dataSource) {
        return dataSource instanceof PoolControl;
    }

    /** The data source bean of that name. */
    static DataSource dataSource(BeanFactory context, String name) {
        return context.getBean(name, DataSource.class);
    }
}
