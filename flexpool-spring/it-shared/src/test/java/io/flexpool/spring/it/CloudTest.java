// SPDX-License-Identifier: Apache-2.0
package io.flexpool.spring.it;

import static io.flexpool.spring.it.Contexts.boot;
import static io.flexpool.spring.it.Contexts.flexpool;
import static io.flexpool.spring.it.Contexts.isWrapped;
import static io.flexpool.spring.it.Contexts.pool;
import static io.flexpool.spring.it.Contexts.pools;
import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import io.flexpool.FlexPoolDataSource;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Map;
import java.util.Set;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.assertj.AssertableApplicationContext;
import org.springframework.cloud.autoconfigure.ConfigurationPropertiesRebinderAutoConfiguration;
import org.springframework.cloud.autoconfigure.RefreshAutoConfiguration;
import org.springframework.cloud.context.environment.EnvironmentChangeEvent;
import org.springframework.cloud.context.scope.refresh.RefreshScope;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Scope;
import org.springframework.context.annotation.ScopedProxyMode;
import org.springframework.core.env.MapPropertySource;
import org.springframework.jdbc.datasource.LazyConnectionDataSourceProxy;

/** Spring Cloud rebinds properties and recreates pools while the application runs. */
class CloudTest {
    private static void borrow(DataSource dataSource) throws SQLException {
        try (Connection connection = dataSource.getConnection()) {
            // A lazy one is fetched for this.
            assertThat(connection.createStatement().execute("select 1")).isTrue();
        }
    }

    private static void change(AssertableApplicationContext context, String key, String value) {
        ConfigurableApplicationContext source =
                context.getSourceApplicationContext(ConfigurableApplicationContext.class);
        source.getEnvironment().getPropertySources().addFirst(new MapPropertySource("changed", Map.of(key, value)));
        source.publishEvent(new EnvironmentChangeEvent(source, Set.of(key)));
    }

    /** "ExistingValue must be an instance of com.zaxxer.hikari.HikariDataSource", where the wrapper hides the pool. */
    @Test
    void anEventForAHikariPoolChangesNothing() {
        boot().withConfiguration(AutoConfigurations.of(ConfigurationPropertiesRebinderAutoConfiguration.class))
                .run(context -> {
                    DataSource bean = context.getBean(DataSource.class);
                    borrow(bean);
                    change(context, "spring.datasource.hikari.pool-name", "Other");
                    borrow(bean);
                    HikariDataSource hikari = bean.unwrap(HikariDataSource.class);
                    assertThat(hikari.isClosed()).isFalse();
                    assertThat(pools(context)).containsOnlyKeys("dataSource");
                });
    }

    /** Spring "destroys" the bean for the rebinding and goes on using it; flexpool must do so too. */
    @Test
    void aReboundTomcatPoolStaysWrapped() {
        boot().withConfiguration(AutoConfigurations.of(ConfigurationPropertiesRebinderAutoConfiguration.class))
                .withPropertyValues(
                        "spring.datasource.type=org.apache.tomcat.jdbc.pool.DataSource",
                        "spring.datasource.driver-class-name=org.h2.Driver")
                .run(context -> {
                    DataSource bean = context.getBean(DataSource.class);
                    borrow(bean);
                    FlexPoolDataSource before = pool(context, "dataSource");
                    change(context, "spring.datasource.tomcat.max-active", "7");
                    borrow(bean);
                    assertThat(bean.unwrap(org.apache.tomcat.jdbc.pool.DataSource.class)
                                    .getMaxActive())
                            .isEqualTo(7);
                    assertThat(pool(context, "dataSource")).isSameAs(before);
                    assertThat(before.state().pool().max()).isEqualTo(7);
                });
    }

    /** A scoped proxy, and a new pool after a refresh. */
    @Test
    void aRefreshedPoolIsWrappedAgain() {
        boot().withConfiguration(AutoConfigurations.of(RefreshAutoConfiguration.class))
                .withPropertyValues(
                        "flexpool.base=2", "spring.cloud.refresh.extra-refreshable=com.zaxxer.hikari.HikariDataSource")
                .run(context -> {
                    HikariDataSource bean = context.getBean(HikariDataSource.class);
                    borrow(bean);
                    HikariDataSource first = raw(context);
                    FlexPoolDataSource before = pool(context, "dataSource");
                    assertThat(bean.getMaximumPoolSize()).isEqualTo(2);

                    context.getBean(RefreshScope.class).refreshAll();
                    assertThat(first.isClosed()).isTrue();
                    borrow(bean);
                    assertThat(raw(context)).isNotSameAs(first);
                    assertThat(pool(context, "dataSource")).isNotSameAs(before);
                    assertThat(pools(context)).containsOnlyKeys("dataSource");
                    assertThat(bean.getMaximumPoolSize()).isEqualTo(2);
                });
    }

    @Configuration(proxyBeanMethods = false)
    static class Held {
        @Bean
        @Scope(scopeName = "refresh", proxyMode = ScopedProxyMode.TARGET_CLASS)
        HikariDataSource orders() {
            return Contexts.hikari();
        }

        @Bean
        DataSource lazyOrders(HikariDataSource orders) {
            return new LazyConnectionDataSourceProxy(orders);
        }
    }

    @Test
    void aHolderKeepsTheProxyOfARefreshablePool() {
        flexpool()
                .withConfiguration(AutoConfigurations.of(RefreshAutoConfiguration.class))
                .withUserConfiguration(Held.class)
                .run(context -> {
                    LazyConnectionDataSourceProxy lazy = context.getBean(LazyConnectionDataSourceProxy.class);
                    assertThat(lazy.getTargetDataSource()).isSameAs(context.getBean("orders"));
                    borrow(lazy);
                    FlexPoolDataSource before = pool(context, "orders");
                    assertThat(pools(context)).containsOnlyKeys("orders");

                    context.getBean(RefreshScope.class).refreshAll();
                    borrow(lazy);
                    assertThat(pools(context)).containsOnlyKeys("orders");
                    assertThat(pool(context, "orders")).isNotSameAs(before);
                });
    }

    private static HikariDataSource raw(AssertableApplicationContext context) throws SQLException {
        DataSource target = context.getBean("scopedTarget.dataSource", DataSource.class);
        assertThat(isWrapped(target)).isTrue();
        return target.unwrap(HikariDataSource.class);
    }
}
