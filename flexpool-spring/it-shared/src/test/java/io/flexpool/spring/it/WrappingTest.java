// SPDX-License-Identifier: Apache-2.0
package io.flexpool.spring.it;

import static io.flexpool.spring.it.Contexts.boot;
import static io.flexpool.spring.it.Contexts.dataSource;
import static io.flexpool.spring.it.Contexts.flexpool;
import static io.flexpool.spring.it.Contexts.isWrapped;
import static io.flexpool.spring.it.Contexts.pool;
import static io.flexpool.spring.it.Contexts.pools;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import com.zaxxer.hikari.HikariDataSource;
import io.flexpool.FlexPool;
import io.flexpool.FlexPoolDataSource;
import io.flexpool.pool.AcquisitionOutcome;
import io.flexpool.pool.PoolPhase;
import io.flexpool.spring.FlexPools;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.concurrent.atomic.AtomicReference;
import javax.sql.DataSource;
import org.apache.commons.dbcp2.BasicDataSource;
import org.h2.jdbcx.JdbcConnectionPool;
import org.h2.jdbcx.JdbcDataSource;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.config.ConfigurableBeanFactory;
import org.springframework.boot.jdbc.DataSourceBuilder;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Scope;
import org.springframework.jdbc.datasource.DriverManagerDataSource;
import org.springframework.jdbc.datasource.SimpleDriverDataSource;

/** Which beans are wrapped, and by what they are replaced. */
class WrappingTest {
    private static long served(FlexPoolDataSource pool) {
        return pool.statistics().total().acquisition(AcquisitionOutcome.OK).count();
    }

    private static void borrow(DataSource dataSource) {
        try (Connection connection = dataSource.getConnection()) {
            assertThat(connection.isValid(1)).isTrue();
        } catch (SQLException failed) {
            throw new AssertionError(failed);
        }
    }

    @Test
    void bootsPoolIsWatchedAndUnchanged() {
        boot().run(context -> {
            DataSource bean = context.getBean(DataSource.class);
            assertThat(isWrapped(bean)).isTrue();
            HikariDataSource hikari = bean.unwrap(HikariDataSource.class);
            assertThat(hikari.isRunning()).as("not started by being wrapped").isFalse();
            borrow(bean);
            FlexPoolDataSource pool = pool(context, "dataSource");
            assertThat(served(pool)).isEqualTo(1);
            assertThat(pool.type()).isEqualTo("HikariCP");
            assertThat(pool.state().bound()).as("only watched by default").isFalse();
            assertThat(hikari.getMaximumPoolSize()).isEqualTo(10);
        });
    }

    /** As Flyway and Liquibase do with a user of their own. */
    @Test
    void anotherDataSourceCanBeDerived() {
        boot().run(context -> {
            DataSource bean = context.getBean(DataSource.class);
            SimpleDriverDataSource derived = DataSourceBuilder.derivedFrom(bean)
                    .type(SimpleDriverDataSource.class)
                    .username("sa")
                    .build();
            assertThat(derived.getUrl())
                    .isEqualTo(bean.unwrap(HikariDataSource.class).getJdbcUrl());
        });
    }

    @Configuration(proxyBeanMethods = false)
    static class ThreeOfAKind {
        @Bean
        HikariDataSource orders() {
            return Contexts.hikari();
        }

        @Bean
        DataSource reports() {
            return Contexts.tomcat();
        }

        @Bean
        BasicDataSource archive() {
            return Contexts.dbcp2();
        }

        @Bean
        DataSource secondOrders() {
            return Contexts.hikari();
        }
    }

    @Test
    void anyMixOfPoolsAndDeclaredTypesIsWrapped() {
        flexpool().withUserConfiguration(ThreeOfAKind.class).run(context -> {
            assertThat(pools(context)).containsOnlyKeys("orders", "reports", "archive", "secondOrders");
            assertThat(pool(context, "orders").type()).isEqualTo("HikariCP");
            assertThat(pool(context, "reports").type()).isEqualTo("Tomcat JDBC");
            assertThat(pool(context, "archive").type()).isEqualTo("Commons DBCP 2");
            context.getBeansOfType(DataSource.class).forEach((name, bean) -> {
                borrow(bean);
                assertThat(served(pool(context, name))).as(name).isEqualTo(1);
            });
        });
    }

    /** HikariCP sizes its queue of connect requests by the max at the pool's start. */
    @Test
    void aHikariPoolIsPreparedForItsCeiling() {
        boot().withPropertyValues("flexpool.base=2", "flexpool.ceiling=25", "flexpool.grow-on-wait.enabled=true")
                .run(context -> {
                    HikariDataSource hikari = context.getBean(DataSource.class).unwrap(HikariDataSource.class);
                    assertThat(hikari.isRunning()).isFalse();
                    assertThat(hikari.getMaximumPoolSize()).isEqualTo(25);
                    borrow(context.getBean(DataSource.class));
                    assertThat(hikari.getMaximumPoolSize()).isEqualTo(2);
                });
    }

    @Test
    void anExcludedBeanIsNotWrapped() {
        flexpool()
                .withUserConfiguration(ThreeOfAKind.class)
                .withPropertyValues("flexpool.datasources.orders.enabled=false")
                .run(context -> {
                    assertThat(context.getBean("orders")).isExactlyInstanceOf(HikariDataSource.class);
                    assertThat(pools(context)).containsOnlyKeys("reports", "archive", "secondOrders");
                });
    }

    @Test
    void theKillSwitchDisablesWrapping() {
        boot().withPropertyValues("flexpool.enabled=false", "flexpool.base=1").run(context -> {
            assertThat(context.getBean(DataSource.class)).isExactlyInstanceOf(HikariDataSource.class);
            assertThat(pools(context)).isEmpty();
        });
    }

    @Configuration(proxyBeanMethods = false)
    static class NoPools {
        @Bean
        DataSource driverManager() {
            return new DriverManagerDataSource(Contexts.url());
        }

        @Bean
        DataSource driver() {
            JdbcDataSource source = new JdbcDataSource();
            source.setURL(Contexts.url());
            return source;
        }

        @Bean(destroyMethod = "dispose")
        DataSource unheardOf() {
            return JdbcConnectionPool.create(Contexts.url(), "sa", "");
        }

        @Bean(destroyMethod = "")
        @Scope(ConfigurableBeanFactory.SCOPE_PROTOTYPE)
        HikariDataSource oneForEach() {
            return Contexts.hikari();
        }
    }

    @Test
    void anUnknownDataSourceIsNotWrapped() {
        flexpool().withUserConfiguration(NoPools.class).run(context -> {
            assertThat(isWrapped(dataSource(context, "driverManager"))).isFalse();
            assertThat(isWrapped(dataSource(context, "driver"))).isFalse();
            assertThat(isWrapped(dataSource(context, "unheardOf"))).isFalse();
            assertThat(context.getBean("oneForEach")).isExactlyInstanceOf(HikariDataSource.class);
            assertThat(pools(context)).isEmpty();
        });
    }

    @Test
    void anUnknownPoolIsWrappedIfConfigured() {
        flexpool()
                .withUserConfiguration(NoPools.class)
                .withPropertyValues("flexpool.datasources.unheardOf.enabled=true")
                .run(context -> {
                    borrow(dataSource(context, "unheardOf"));
                    assertThat(served(pool(context, "unheardOf"))).isEqualTo(1);
                });
    }

    @Test
    void theApplicationNamesAPool() {
        boot().withPropertyValues(
                        "flexpool.datasources.data-source.name=orders", "flexpool.pools.orders.long-lease=30s")
                .run(context -> assertThat(pools(context)).containsOnlyKeys("orders"));
    }

    @Test
    void flexpoolUnwrapsAndTheContainerCloses() {
        AtomicReference<HikariDataSource> raw = new AtomicReference<>();
        AtomicReference<FlexPools> pools = new AtomicReference<>();
        AtomicReference<DataSource> wrapped = new AtomicReference<>();
        boot().run(context -> {
            wrapped.set(context.getBean(DataSource.class));
            borrow(wrapped.get());
            raw.set(wrapped.get().unwrap(HikariDataSource.class));
            pools.set(context.getBean(FlexPools.class));
        });
        assertThat(raw.get().isClosed()).isTrue();
        assertThat(pools.get().byName()).isEmpty();
        assertThat(catchThrowable(() -> wrapped.get().getConnection()))
                .isInstanceOf(SQLException.class)
                .hasMessageContaining("is closed");
    }

    private static final HikariDataSource SHARED = Contexts.hikari();

    @Configuration(proxyBeanMethods = false)
    static class Shared {
        @Bean(destroyMethod = "")
        DataSource shared() {
            return SHARED;
        }

        @Bean(destroyMethod = "")
        HikariDataSource sharedOnceMore() {
            return SHARED;
        }
    }

    /** Like an application server's pool, or one shared by a whole test run. */
    @Test
    void aPoolThatOutlivesItsContextCanBeWrappedAgain() throws SQLException {
        try (SHARED) {
            for (int run = 0; run < 2; run++) {
                flexpool().withUserConfiguration(Shared.class).run(context -> {
                    assertThat(pools(context))
                            .as("one pool, however many beans it is")
                            .hasSize(1);
                    assertThat(context.getBean("shared")).isSameAs(context.getBean("sharedOnceMore"));
                    borrow(dataSource(context, "shared"));
                    // The second context does not wrap it.
                    flexpool().withUserConfiguration(Shared.class).run(second -> {
                        assertThat(second).hasNotFailed();
                        assertThat(second.getBean("shared")).isSameAs(SHARED);
                        assertThat(pools(second)).isEmpty();
                    });
                    borrow(dataSource(context, "shared"));
                });
                borrow(SHARED);
            }
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class Own {
        @Bean
        DataSource orders() {
            return FlexPool.wrap(Contexts.hikari()).name("mine").build();
        }
    }

    @Test
    void aPoolWrappedByTheApplicationIsNotWrappedTwice() {
        AtomicReference<FlexPools> pools = new AtomicReference<>();
        flexpool().withUserConfiguration(Own.class).run(context -> {
            assertThat(context.getBean("orders")).isExactlyInstanceOf(FlexPoolDataSource.class);
            assertThat(pools(context)).containsOnlyKeys("mine");
            pools.set(context.getBean(FlexPools.class));
        });
        assertThat(pools.get().byName()).isEmpty();
        flexpool().withUserConfiguration(Own.class).run(context -> {
            pool(context, "mine").close();
            assertThat(pool(context, "mine").phase())
                    .as("closed by the application, which still has the bean")
                    .isEqualTo(PoolPhase.CLOSED);
        });
    }
}
