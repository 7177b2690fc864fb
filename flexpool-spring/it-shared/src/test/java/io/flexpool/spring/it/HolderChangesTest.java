// SPDX-License-Identifier: Apache-2.0
package io.flexpool.spring.it;

import static io.flexpool.spring.it.Contexts.flexpool;
import static io.flexpool.spring.it.Contexts.isWrapped;
import static io.flexpool.spring.it.Contexts.pool;
import static io.flexpool.spring.it.Contexts.pools;
import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import io.flexpool.pool.AcquisitionOutcome;
import java.sql.SQLException;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import javax.sql.DataSource;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.datasource.DelegatingDataSource;
import org.springframework.jdbc.datasource.LazyConnectionDataSourceProxy;
import org.springframework.jdbc.datasource.lookup.AbstractRoutingDataSource;
import org.springframework.jdbc.datasource.lookup.IsolationLevelDataSourceRouter;

/** Data sources that delegate to others, and get other targets while the application runs: none of their pools was watched then. */
@Timeout(300)
class HolderChangesTest {
    private static final ThreadLocal<String> TENANT = ThreadLocal.withInitial(() -> "red");

    private static void eventually(org.awaitility.core.ThrowingRunnable holds) {
        Awaitility.await().pollInSameThread().atMost(Duration.ofMinutes(3)).untilAsserted(holds);
    }

    private static void borrow(DataSource source, String tenant) throws SQLException {
        TENANT.set(tenant);
        source.getConnection().close();
    }

    private static long served(BeanFactory context, String pool) {
        return pool(context, pool)
                .statistics()
                .total()
                .acquisition(AcquisitionOutcome.OK)
                .count();
    }

    @Configuration(proxyBeanMethods = false)
    static class Tenants {
        final Map<Object, Object> targets = new LinkedHashMap<>();

        @Bean
        AbstractRoutingDataSource tenants() {
            targets.put("red", Contexts.hikari());
            targets.put("blue", Contexts.hikari());
            AbstractRoutingDataSource router = new AbstractRoutingDataSource() {
                @Override
                protected Object determineCurrentLookupKey() {
                    return TENANT.get();
                }
            };
            router.setTargetDataSources(targets);
            router.setDefaultTargetDataSource(targets.get("red"));
            return router;
        }
    }

    /** With its own map, as such applications do it. The second way found no such tenant: the router had a copy of the map. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aTenantThatIsAddedLaterIsWatchedAndSoAreTheOthers(boolean sets) {
        flexpool().withUserConfiguration(Tenants.class).run(context -> {
            AbstractRoutingDataSource router = context.getBean(AbstractRoutingDataSource.class);
            Map<Object, Object> targets = context.getBean(Tenants.class).targets;
            borrow(router, "red");
            assertThat(pools(context)).hasSize(2);

            targets.put("green", Contexts.hikari());
            if (sets) {
                router.setTargetDataSources(targets);
            }
            router.afterPropertiesSet();
            eventually(() -> assertThat(router.getResolvedDataSources().values())
                    .hasSize(3)
                    .allSatisfy(target -> assertThat(isWrapped(target)).isTrue()));
            assertThat(isWrapped(router.getResolvedDefaultDataSource())).isTrue();
            assertThat(pools(context)).hasSize(3).containsKeys("tenants.green", "tenants.blue");
            for (String tenant : new String[] {"red", "blue", "green"}) {
                borrow(router, tenant);
            }
            assertThat(served(context, "tenants.blue")).isEqualTo(1);
            assertThat(served(context, "tenants.green")).isEqualTo(1);
        });
    }

    @Test
    void aTenantThatIsTakenOutIsForgottenAndMayComeAgain() {
        flexpool().withUserConfiguration(Tenants.class).run(context -> {
            AbstractRoutingDataSource router = context.getBean(AbstractRoutingDataSource.class);
            Map<Object, Object> targets = context.getBean(Tenants.class).targets;
            HikariDataSource blue = (HikariDataSource) targets.remove("blue");
            router.setTargetDataSources(targets);
            router.afterPropertiesSet();
            eventually(() -> assertThat(pools(context)).hasSize(1));
            assertThat(blue.isClosed())
                    .as("closing it is up to the application")
                    .isFalse();
            blue.close();

            targets.put("blue", Contexts.hikari());
            router.setTargetDataSources(targets);
            router.afterPropertiesSet();
            eventually(() -> assertThat(pools(context)).containsKey("tenants.blue"));
            borrow(router, "blue");
            eventually(
                    () -> assertThat(isWrapped(router.getResolvedDataSources().get("blue")))
                            .isTrue());
        });
    }

    /** The start would end with it; a running application goes on, and is told. */
    @Test
    void aTenantWhoseKeysAreRefusedIsLeftAloneAndTheOthersAreWatched() {
        flexpool()
                .withUserConfiguration(Tenants.class)
                .withPropertyValues("flexpool.pools.tenants.green.base=5", "flexpool.pools.tenants.green.ceiling=2")
                .run(context -> {
                    assertThat(context).hasNotFailed();
                    AbstractRoutingDataSource router = context.getBean(AbstractRoutingDataSource.class);
                    Map<Object, Object> targets = context.getBean(Tenants.class).targets;
                    targets.put("green", Contexts.hikari());
                    targets.put("grey", Contexts.hikari());
                    router.setTargetDataSources(targets);
                    router.afterPropertiesSet();
                    eventually(() -> assertThat(pools(context)).hasSize(3).containsKey("tenants.grey"));
                    borrow(router, "green");
                    assertThat(isWrapped(router.getResolvedDataSources().get("green")))
                            .isFalse();
                });
    }

    @Configuration(proxyBeanMethods = false)
    static class Others {
        @Bean
        DelegatingDataSource exchanged() {
            return new DelegatingDataSource(Contexts.hikari());
        }

        @Bean
        LazyConnectionDataSourceProxy lazy() {
            LazyConnectionDataSourceProxy lazy = new LazyConnectionDataSourceProxy(Contexts.hikari());
            lazy.setReadOnlyDataSource(Contexts.hikari());
            return lazy;
        }

        @Bean
        IsolationLevelDataSourceRouter levels() {
            IsolationLevelDataSourceRouter levels = new IsolationLevelDataSourceRouter();
            levels.setTargetDataSources(Map.of("ISOLATION_SERIALIZABLE", Contexts.hikari()));
            levels.setDefaultTargetDataSource(Contexts.hikari());
            return levels;
        }

        @Bean
        DelegatingDataSource nested() {
            return new DelegatingDataSource(new DelegatingDataSource(Contexts.hikari()));
        }
    }

    @Test
    void aPoolThatIsExchangedBehindAProxyIsWatched() {
        flexpool().withUserConfiguration(Others.class).run(context -> {
            DelegatingDataSource exchanged = context.getBean("exchanged", DelegatingDataSource.class);
            exchanged.setTargetDataSource(Contexts.hikari());
            eventually(
                    () -> assertThat(isWrapped(exchanged.getTargetDataSource())).isTrue());
            exchanged.getConnection().close();
            eventually(() -> assertThat(pools(context).keySet())
                    .filteredOn(name -> name.startsWith("exchanged"))
                    .hasSize(1));

            DelegatingDataSource inside = (DelegatingDataSource)
                    context.getBean("nested", DelegatingDataSource.class).getTargetDataSource();
            inside.setTargetDataSource(Contexts.hikari());
            eventually(() -> assertThat(isWrapped(inside.getTargetDataSource())).isTrue());
        });
    }

    /** It has a second pool, for read-only transactions, that no method gives. */
    @Test
    void theReadOnlyPoolOfALazyProxyIsWatched() {
        flexpool()
                .withUserConfiguration(Others.class)
                .run(context -> assertThat(pools(context)).containsKeys("lazy", "lazy.read-only"));
    }

    @Test
    void aRouterByIsolationLevelKeepsItsKeysAndGetsOthers() {
        flexpool().withUserConfiguration(Others.class).run(context -> {
            IsolationLevelDataSourceRouter levels = context.getBean(IsolationLevelDataSourceRouter.class);
            assertThat(pools(context)).containsKeys("levels.8", "levels.default");
            levels.setTargetDataSources(
                    Map.of("ISOLATION_SERIALIZABLE", Contexts.hikari(), "ISOLATION_READ_COMMITTED", Contexts.hikari()));
            levels.afterPropertiesSet();
            eventually(() -> assertThat(levels.getResolvedDataSources().values())
                    .hasSize(2)
                    .allSatisfy(target -> assertThat(isWrapped(target)).isTrue()));
            assertThat(pools(context)).containsKey("levels.2");
        });
    }

    @Test
    void theWatchEndsWithTheContext() {
        flexpool()
                .withUserConfiguration(Tenants.class)
                .run(context -> assertThat(threads()).contains("flexpool-holders"));
        eventually(() -> assertThat(threads()).doesNotContain("flexpool-holders"));
    }

    private static java.util.List<String> threads() {
        return Thread.getAllStackTraces().keySet().stream().map(Thread::getName).toList();
    }
}
