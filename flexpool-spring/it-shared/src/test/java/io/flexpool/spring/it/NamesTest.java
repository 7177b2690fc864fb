// SPDX-License-Identifier: Apache-2.0
package io.flexpool.spring.it;

import static io.flexpool.spring.it.Contexts.boot;
import static io.flexpool.spring.it.Contexts.flexpool;
import static io.flexpool.spring.it.Contexts.pool;
import static io.flexpool.spring.it.Contexts.pools;
import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import io.flexpool.FlexPoolDataSource;
import io.flexpool.spring.FlexPools;
import io.flexpool.spring.actuator.FlexPoolEndpoint;
import io.micrometer.core.instrument.MeterRegistry;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.datasource.DelegatingDataSource;
import org.springframework.jdbc.datasource.lookup.AbstractRoutingDataSource;

/** What a pool is called: as its own metrics call it, so that dashboards join; else as its bean. */
class NamesTest {
    private static ApplicationContextRunner named() {
        return boot().withPropertyValues("spring.datasource.hikari.pool-name=orders");
    }

    @Test
    void aPoolHasTheNameThatTheApplicationGaveIt() {
        named().withConfiguration(AutoConfigurations.of(Generation.METRICS.toArray(Class<?>[]::new)))
                .run(context -> {
                    assertThat(pools(context)).containsOnlyKeys("orders");
                    FlexPoolDataSource pool = pool(context, "orders");
                    assertThat(pool.otherNames()).containsExactly("dataSource");
                    assertThat(pool.report()).startsWith("orders (HikariCP, also called dataSource): ");
                    assertThat(new FlexPoolEndpoint(context.getBean(FlexPools.class))
                                    .pool("orders", null, null)
                                    .getBody())
                            .asInstanceOf(InstanceOfAssertFactories.MAP)
                            .containsEntry("otherNames", List.of("dataSource"));
                    pool.getConnection().close();
                    MeterRegistry registry = context.getBean(MeterRegistry.class);
                    for (String meter : new String[] {"hikaricp.connections.pending", "flexpool.limit"}) {
                        assertThat(registry.find(meter).tag("pool", "orders").gauge())
                                .as(meter)
                                .isNotNull();
                    }
                });
    }

    @Test
    void aConfiguredNameHoldsBeforeBoth() {
        named().withPropertyValues("flexpool.datasources.dataSource.name=shop").run(context -> {
            assertThat(pools(context)).containsOnlyKeys("shop");
            assertThat(pool(context, "shop").otherNames()).containsExactly("orders", "dataSource");
        });
    }

    @Test
    void aPoolWithoutANameHasThatOfItsBean() {
        boot().run(context -> {
            assertThat(pools(context)).containsOnlyKeys("dataSource");
            assertThat(pool(context, "dataSource").otherNames()).isEmpty();
            assertThat(pool(context, "dataSource").report()).startsWith("dataSource (HikariCP): ");
        });
    }

    /** HikariCP calls it HikariPool-1, and another one the next time. */
    @Test
    void aNameThatHikariCpMadeUpIsNone() {
        flexpool()
                .withBean("mine", HikariDataSource.class, () -> {
                    HikariDataSource pool = Contexts.hikari();
                    try {
                        pool.getConnection().close();
                    } catch (SQLException failed) {
                        throw new AssertionError(failed);
                    }
                    return pool;
                })
                .run(context -> {
                    assertThat(pools(context)).containsOnlyKeys("mine");
                    assertThat(pool(context, "mine").otherNames()).isEmpty();
                });
    }

    @Test
    void keysOfEitherNameAreThisPools() {
        named().withPropertyValues(
                        "flexpool.pools.orders.base=2",
                        "flexpool.pools.dataSource.base=3",
                        "flexpool.pools.dataSource.ceiling=7")
                .run(context -> {
                    assertThat(pool(context, "orders").state().base()).isEqualTo(2);
                    assertThat(pool(context, "orders").state().ceiling()).isEqualTo(7);
                });
    }

    @Configuration(proxyBeanMethods = false)
    static class TwoOfOneName {
        private static HikariDataSource orders() {
            HikariDataSource pool = Contexts.hikari();
            pool.setPoolName("orders");
            return pool;
        }

        @Bean
        HikariDataSource one() {
            return orders();
        }

        @Bean
        HikariDataSource two() {
            return orders();
        }
    }

    @Test
    void twoPoolsOfOneNameAreTold() {
        flexpool().withUserConfiguration(TwoOfOneName.class).run(context -> {
            assertThat(pools(context)).containsOnlyKeys("orders", "orders#2");
            assertThat(pool(context, "orders#2").otherNames()).containsExactly("orders", "two");
        });
    }

    /** Tenants behind a router, and a pool behind a delegating data source: one has a name of its own. */
    @Configuration(proxyBeanMethods = false)
    static class Holders {
        @Bean
        AbstractRoutingDataSource tenants() {
            HikariDataSource named = Contexts.hikari();
            named.setPoolName("blue");
            AbstractRoutingDataSource router = new AbstractRoutingDataSource() {
                @Override
                protected Object determineCurrentLookupKey() {
                    return "a";
                }
            };
            router.setTargetDataSources(Map.of("a", named, "b", Contexts.hikari()));
            return router;
        }

        @Bean
        DelegatingDataSource delegating() {
            return new DelegatingDataSource(Contexts.hikari());
        }
    }

    @Test
    void heldPoolsHaveTheirOwnNameOrTheirHoldersAndAKey() {
        flexpool()
                .withUserConfiguration(Holders.class)
                .withPropertyValues("flexpool.datasources.delegating.name=archive")
                .run(context -> {
                    assertThat(pools(context)).containsOnlyKeys("blue", "tenants.b", "archive");
                    assertThat(pool(context, "blue").otherNames()).containsExactly("tenants.a");
                });
    }
}
