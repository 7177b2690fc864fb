// SPDX-License-Identifier: Apache-2.0
package io.flexpool.spring.it;

import static io.flexpool.spring.it.Contexts.dataSource;
import static io.flexpool.spring.it.Contexts.flexpool;
import static io.flexpool.spring.it.Contexts.isWrapped;
import static io.flexpool.spring.it.Contexts.pool;
import static io.flexpool.spring.it.Contexts.pools;
import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import io.flexpool.FlexPoolDataSource;
import io.flexpool.pool.AcquisitionOutcome;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Map;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.config.CustomScopeConfigurer;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Lazy;
import org.springframework.context.annotation.Scope;
import org.springframework.context.annotation.ScopedProxyMode;
import org.springframework.context.support.SimpleThreadScope;
import org.springframework.jdbc.datasource.DelegatingDataSource;
import org.springframework.jdbc.datasource.LazyConnectionDataSourceProxy;
import org.springframework.jdbc.datasource.TransactionAwareDataSourceProxy;
import org.springframework.jdbc.datasource.lookup.AbstractRoutingDataSource;

/** Data sources that delegate to others: their targets are wrapped once, the holders stay as they are. */
class HoldersTest {
    private static long served(FlexPoolDataSource pool) {
        return pool.statistics().total().acquisition(AcquisitionOutcome.OK).count();
    }

    private static void borrow(DataSource dataSource) {
        try (Connection connection = dataSource.getConnection()) {
            assertThat(connection.createStatement().execute("select 1")).isTrue();
        } catch (SQLException failed) {
            throw new AssertionError(failed);
        }
    }

    /** Routes by a thread local. */
    static final class Router extends AbstractRoutingDataSource {
        static final ThreadLocal<String> WANTED = ThreadLocal.withInitial(() -> "none");

        @Override
        protected Object determineCurrentLookupKey() {
            return WANTED.get();
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class Routing {
        @Bean
        DataSource tenantA() {
            return Contexts.hikari();
        }

        @Bean(destroyMethod = "")
        DataSource router(DataSource tenantA) {
            Router router = new Router();
            HikariDataSource inside = Contexts.hikari();
            router.setTargetDataSources(Map.of("a", tenantA, "b", inside, "c", Contexts.dbcp2()));
            router.setDefaultTargetDataSource(inside);
            return router;
        }
    }

    @Test
    void targetsOfARouterAreWrappedOnce() {
        flexpool().withUserConfiguration(Routing.class).run(context -> {
            DataSource router = dataSource(context, "router");
            assertThat(router).isExactlyInstanceOf(Router.class);
            assertThat(pools(context)).hasSize(3).containsKeys("tenantA", "router.c");
            for (String key : new String[] {"a", "b", "c", "d"}) {
                Router.WANTED.set(key);
                borrow(router);
            }
            assertThat(served(pool(context, "tenantA"))).isEqualTo(1);
            assertThat(served(pool(context, "router.c"))).isEqualTo(1);
            FlexPoolDataSource both = pools(context).entrySet().stream()
                    .filter(one -> one.getKey().matches("router\\.(b|default)"))
                    .findFirst()
                    .orElseThrow()
                    .getValue();
            assertThat(served(both)).as("target and default are one pool").isEqualTo(2);
        });
    }

    /** The bean's name in relaxed spelling, followed by the lookup key. */
    @Test
    void targetsAreConfiguredByTheRoutersName() {
        flexpool()
                .withUserConfiguration(Routing.class)
                .withPropertyValues("flexpool.pools.router.c.base=1", "flexpool.pools.Rou-ter.c.acquisition-timeout=1s")
                .run(context -> {
                    assertThat(context).hasNotFailed();
                    assertThat(pool(context, "router.c").state().base()).isEqualTo(1);
                    assertThat(pool(context, "tenantA").state().bound()).isFalse();
                });
    }

    /** Created at first use, so that its targets are unknown when the names are checked. */
    @Configuration(proxyBeanMethods = false)
    static class LazyRouting {
        @Bean
        @Lazy
        DataSource routerOfAll() {
            Router router = new Router();
            router.setTargetDataSources(Map.of("c", Contexts.dbcp2()));
            return router;
        }
    }

    @Test
    void targetsOfALazyRouterCanBeConfigured() {
        flexpool()
                .withUserConfiguration(LazyRouting.class)
                .withPropertyValues(
                        "flexpool.pools.router-of-all.c.base=1", "flexpool.pools.routerOfAll.c.acquisition-timeout=1s")
                .run(context -> {
                    assertThat(context).hasNotFailed();
                    Router.WANTED.set("c");
                    borrow(dataSource(context, "routerOfAll"));
                    assertThat(pool(context, "routerOfAll.c").state().base()).isEqualTo(1);
                });
    }

    @Configuration(proxyBeanMethods = false)
    static class Delegates {
        @Bean
        DataSource lazy() {
            return new LazyConnectionDataSourceProxy(Contexts.hikari());
        }

        @Bean
        DataSource aware() {
            return new TransactionAwareDataSourceProxy(new DelegatingDataSource(Contexts.tomcat()));
        }

        @Bean
        DataSource orders() {
            return Contexts.hikari();
        }

        @Bean
        DataSource lazyOrders(DataSource orders) {
            return new LazyConnectionDataSourceProxy(orders);
        }

        @Bean
        DataSource sameOrders(DataSource orders) {
            return orders;
        }
    }

    @Test
    void theTargetOfAProxyIsWrappedOnce() {
        flexpool().withUserConfiguration(Delegates.class).run(context -> {
            assertThat(pools(context)).containsOnlyKeys("lazy", "aware", "orders");
            assertThat(dataSource(context, "lazy")).isExactlyInstanceOf(LazyConnectionDataSourceProxy.class);
            assertThat(dataSource(context, "aware")).isExactlyInstanceOf(TransactionAwareDataSourceProxy.class);
            assertThat(dataSource(context, "sameOrders")).isSameAs(dataSource(context, "orders"));
            Map<String, String> poolOf = Map.of("lazy", "lazy", "aware", "aware", "lazyOrders", "orders");
            poolOf.forEach((bean, pool) -> {
                // A lazy proxy also reads defaults the first time.
                borrow(dataSource(context, bean));
                long before = served(pool(context, pool));
                borrow(dataSource(context, bean));
                assertThat(served(pool(context, pool)) - before).as(bean).isEqualTo(1);
            });
        });
    }

    @Test
    void anExcludedHolderKeepsItsTargets() {
        flexpool()
                .withUserConfiguration(Delegates.class)
                .withPropertyValues("flexpool.datasources.lazy.enabled=false")
                .run(context -> {
                    assertThat(pools(context)).containsOnlyKeys("aware", "orders");
                    LazyConnectionDataSourceProxy lazy = (LazyConnectionDataSourceProxy) dataSource(context, "lazy");
                    assertThat(lazy.getTargetDataSource()).isExactlyInstanceOf(HikariDataSource.class);
                });
    }

    @Test
    void anExcludedTargetIsNotWrappedInItsHolders() {
        flexpool()
                .withUserConfiguration(Delegates.class)
                .withPropertyValues("flexpool.datasources.orders.enabled=false")
                .run(context -> {
                    assertThat(pools(context)).containsOnlyKeys("lazy", "aware");
                    DataSource orders = dataSource(context, "orders");
                    assertThat(orders).isExactlyInstanceOf(HikariDataSource.class);
                    assertThat(dataSource(context, "sameOrders")).isSameAs(orders);
                    LazyConnectionDataSourceProxy lazyOrders =
                            (LazyConnectionDataSourceProxy) dataSource(context, "lazyOrders");
                    assertThat(lazyOrders.getTargetDataSource()).isSameAs(orders);
                    borrow(lazyOrders);
                });
    }

    @Configuration(proxyBeanMethods = false)
    static class Scoped {
        @Bean
        static CustomScopeConfigurer scopes() {
            CustomScopeConfigurer scopes = new CustomScopeConfigurer();
            scopes.addScope("thread", new SimpleThreadScope());
            return scopes;
        }

        @Bean
        @Scope(scopeName = "thread", proxyMode = ScopedProxyMode.TARGET_CLASS)
        HikariDataSource byClass() {
            return Contexts.hikari();
        }

        @Bean
        @Scope(scopeName = "thread", proxyMode = ScopedProxyMode.INTERFACES)
        DataSource byInterface() {
            return Contexts.dbcp2();
        }
    }

    @Test
    void aScopedProxyKeepsThePoolsClass() {
        flexpool()
                .withUserConfiguration(Scoped.class)
                .withPropertyValues("flexpool.pools.byClass.long-lease=30s")
                .run(context -> {
                    HikariDataSource byClass = context.getBean("byClass", HikariDataSource.class);
                    assertThat(byClass.getMaximumPoolSize()).isEqualTo(3);
                    borrow(byClass);
                    assertThat(byClass.isRunning()).isTrue();
                    borrow(dataSource(context, "byInterface"));
                    assertThat(pools(context)).containsOnlyKeys("byClass", "byInterface");
                    assertThat(served(pool(context, "byClass"))).isEqualTo(1);
                    assertThat(served(pool(context, "byInterface"))).isEqualTo(1);
                    assertThat(isWrapped(dataSource(context, "scopedTarget.byClass")))
                            .isTrue();
                });
    }
}
