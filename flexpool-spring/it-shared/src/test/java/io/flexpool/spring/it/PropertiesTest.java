// SPDX-License-Identifier: Apache-2.0
package io.flexpool.spring.it;

import static io.flexpool.spring.it.Contexts.boot;
import static io.flexpool.spring.it.Contexts.flexpool;
import static io.flexpool.spring.it.Contexts.pool;
import static io.flexpool.spring.it.Contexts.pools;
import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import io.flexpool.FlexPoolDataSource;
import io.flexpool.internal.config.GrowOnWait;
import io.flexpool.pool.PoolMode;
import io.flexpool.pool.PoolState;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.env.OriginTrackedMapPropertySource;
import org.springframework.boot.origin.Origin;
import org.springframework.boot.origin.OriginTrackedValue;
import org.springframework.boot.origin.TextResourceOrigin;
import org.springframework.boot.origin.TextResourceOrigin.Location;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.env.PropertySource;
import org.springframework.core.env.StandardEnvironment;
import org.springframework.core.env.SystemEnvironmentPropertySource;
import org.springframework.core.io.ClassPathResource;

/** {@code flexpool.*} in Spring's environment: core's keys, relaxed, validated, and refused by name. */
class PropertiesTest {
    private static ApplicationContextRunner withEnvironment(ApplicationContextRunner runner, Map<String, Object> vars) {
        return runner.withInitializer(context -> context.getEnvironment()
                .getPropertySources()
                .addFirst(new SystemEnvironmentPropertySource(
                        "test-" + StandardEnvironment.SYSTEM_ENVIRONMENT_PROPERTY_SOURCE_NAME, vars)));
    }

    @Test
    void aPoolsKeyTakesPrecedence() {
        flexpool()
                .withUserConfiguration(WrappingTest.ThreeOfAKind.class)
                .withPropertyValues(
                        "flexpool.base=2", "flexpool.acquisition-timeout=3s", "flexpool.pools.orders.base=1")
                .run(context -> {
                    assertThat(pool(context, "orders").state().base()).isEqualTo(1);
                    assertThat(pool(context, "reports").state().base()).isEqualTo(2);
                    assertThat(pool(context, "archive").state().base()).isEqualTo(2);
                });
    }

    /** Values that Spring's binding would accept. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "flexpool.grow-on-wait.enabled=true",
                "flexpool.growOnWait.enabled=true",
                "flexpool.GROW_ON_WAIT.ENABLED=true",
                "flexpool.pools.dataSource.grow-on-wait.enabled=true",
                "flexpool.pools.data-source.growOnWait.enabled=true",
                "flexpool.pools[dataSource].grow-on-wait.enabled=true",
                "flexpool.pools.dataSource.grow-on-wait.enabled=${yes}"
            })
    void aKeyMayBeSpeltAsSpringAllows(String written) {
        boot().withPropertyValues("flexpool.base=3", "flexpool.ceiling=7", "yes=true", written)
                .run(context -> {
                    PoolState state = pool(context, "dataSource").state();
                    assertThat(state.base()).isEqualTo(3);
                    assertThat(pool(context, "dataSource").strategies())
                            .usingRecursiveFieldByFieldElementComparator()
                            .containsExactly(GrowOnWait.upTo(7));
                });
    }

    @Test
    void theFormerCeilingOfGrowthIsRefusedWithTheKeyOfToday() {
        FailureAnalysis analysis = Analyses.of(boot().withPropertyValues("flexpool.grow-on-wait.ceiling=7"));
        assertThat(analysis.getDescription())
                .contains("flexpool.grow-on-wait.ceiling = 7: no such key", "use flexpool.ceiling");
    }

    @Test
    void environmentVariablesTakePrecedence() {
        withEnvironment(
                        boot().withPropertyValues("flexpool.pools.dataSource.base=1"),
                        Map.of(
                                "FLEXPOOL_POOLS_DATASOURCE_BASE", "3",
                                "FLEXPOOL_CEILING", "7",
                                "FLEXPOOL_LONGLEASE", "30s"))
                .run(context -> {
                    PoolState state = pool(context, "dataSource").state();
                    assertThat(state.base()).isEqualTo(3);
                    assertThat(state.ceiling()).isEqualTo(7);
                });
    }

    @Test
    void anUnknownEnvironmentVariableIsRefused() {
        FailureAnalysis analysis = Analyses.of(withEnvironment(boot(), Map.of("FLEXPOOL_BSAE", "3")));
        assertThat(analysis.getDescription())
                .contains("flexpool.bsae = 3", "FLEXPOOL_BSAE", "nearest is flexpool.base");
    }

    @Test
    void kubernetesServiceVariablesAreIgnored() {
        withEnvironment(
                        boot(),
                        Map.of(
                                "FLEXPOOL_SERVICE_HOST", "127.0.0.1",
                                "FLEXPOOL_DEMO_SERVICE_PORT_HTTP", "8080",
                                "FLEXPOOL_DEMO_PORT_8080_TCP_ADDR", "127.0.0.1",
                                "FLEXPOOL_PORT", "tcp://127.0.0.1:8080"))
                .run(context -> assertThat(pools(context)).hasSize(1));
    }

    /** Like JNDI, which cannot list its keys. */
    @Test
    void aSourceWithoutAListIsReadForGlobalKeys() {
        PropertySource<Object> answers = new PropertySource<>("answers", new Object()) {
            @Override
            public @Nullable Object getProperty(String name) {
                return name.equals("flexpool.ceiling") ? "7" : null;
            }
        };
        boot().withPropertyValues("flexpool.base=3", "flexpool.ceiling=5")
                .withInitializer(
                        context -> context.getEnvironment().getPropertySources().addFirst(answers))
                .run(context -> {
                    assertThat(pool(context, "dataSource").state().base()).isEqualTo(3);
                    assertThat(pool(context, "dataSource").state().ceiling()).isEqualTo(7);
                });
    }

    @Test
    void aListMayBeWrittenElementByElement() {
        boot().withPropertyValues("flexpool.metrics[0]=datadog", "flexpool.metrics[1]=micrometer")
                .run(context -> {
                    assertThat(context).hasFailed();
                    assertThat(context.getStartupFailure())
                            .hasStackTraceContaining("flexpool.metrics = datadog: must be one of");
                });
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
                    flexpool.bsae=3                           | flexpool.bsae = 3: no such key; the nearest is flexpool.base
                    flexpool.pools.dataSource.bsae=3          | flexpool.pools.dataSource.bsae = 3: no such key; the nearest is
                    flexpool.base=three                       | flexpool.base = three: must be a whole number from 1 to 10000
                    flexpool.mode=perhaps                     | flexpool.mode = perhaps: must be monitor, recommend or adapt
                    flexpool.sizing.wait-target=10            | flexpool.sizing.wait-target = 10: must be a duration
                    flexpool.pools.dataSource.long-lease=30   | flexpool.pools.dataSource.long-lease = 30: must be a duration
                    flexpool.pools.dataSuorce.base=3          | flexpool.pools.dataSuorce.base = 3: no such pool; the pools are dataSource
                    flexpool.datasources.dataSuorce.enabled=false | flexpool.datasources.dataSuorce.enabled = false: no such data source bean; the beans are dataSource
                    flexpool.datasources.dataSource.enabeld=false | enabeld = false: no such key; the keys are flexpool.datasources.<bean>.enabled and .name
                    flexpool.datasources.dataSource.enabled=no | enabled = no: must be true or false
                    flexpool.name=orders                      | flexpool.name = orders: pools are named after their beans
                    flexpool.data-source.jndi-name=java:x     | for a JNDI lookup set spring.datasource.jndi-name
                    """)
    void aTypoOrABadValueStopsTheStart(String written, String said) {
        FailureAnalysis analysis = Analyses.of(boot().withPropertyValues(written));
        assertThat(analysis.getDescription()).contains(said).contains("test");
        assertThat(analysis.getAction()).contains("flexpool.enabled=false");
    }

    @Test
    void aValueOutOfRangeIsNamedWithItsOrigin() {
        Origin place = new TextResourceOrigin(new ClassPathResource("orders.properties"), new Location(2, 14));
        ApplicationContextRunner runner = boot().withInitializer(context -> context.getEnvironment()
                .getPropertySources()
                .addFirst(new OriginTrackedMapPropertySource(
                        "file", Map.of("flexpool.base", OriginTrackedValue.of("0", place)), true)));
        FailureAnalysis analysis = Analyses.of(runner);
        assertThat(analysis.getDescription())
                .contains("dataSource: flexpool.base = 0: must be from 1 to 10000"
                        + " (class path resource [orders.properties] - 3:15)")
                .contains("Configured:", "flexpool.base = 0 (class path resource [orders.properties] - 3:15)");
    }

    @Test
    void theModeIsRecommendUnlessConfigured() {
        flexpool()
                .withUserConfiguration(WrappingTest.ThreeOfAKind.class)
                .withPropertyValues("flexpool.acquisition-timeout=3s", "flexpool.pools.reports.base=2")
                .run(context -> assertThat(pools(context).values())
                        .hasSize(4)
                        .extracting(FlexPoolDataSource::mode)
                        .containsOnly(PoolMode.RECOMMEND));
        flexpool()
                .withUserConfiguration(WrappingTest.ThreeOfAKind.class)
                .withPropertyValues(
                        "flexpool.acquisition-timeout=3s",
                        "flexpool.mode=adapt",
                        "flexpool.ceiling=7",
                        "flexpool.sizing.waitTarget=20ms",
                        "flexpool.pools.reports.mode=monitor",
                        "flexpool.pools.archive.ceiling=8")
                .run(context -> {
                    assertThat(pool(context, "orders").mode()).isEqualTo(PoolMode.ADAPT);
                    assertThat(pool(context, "orders").state().ceiling()).isEqualTo(7);
                    assertThat(pool(context, "reports").mode()).isEqualTo(PoolMode.MONITOR);
                    assertThat(pool(context, "reports").state().bound()).isFalse();
                    assertThat(pool(context, "archive").state().ceiling()).isEqualTo(8);
                });
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            flexpool.pools.dataSource.mode=on  | flexpool.pools.dataSource.mode = on: must be monitor, recommend or adapt
            flexpool.pools.dataSource.mode=adapt | flexpool.pools.dataSource.ceiling = none: is required by mode = adapt
            flexpool.ceiling=1                 | flexpool.ceiling = 1: must be from 2 to 10000
            flexpool.ceiling=4                 | flexpool.ceiling = 4: must not be below the base, 10
            flexpool.sizing.instances=0        | flexpool.sizing.instances = 0: must be from 1 to 1000
            flexpool.sizing.wait-target=20s    | flexpool.sizing.wait-target = 20s: must be from PT0.001S to PT10S
            """)
    void anInvalidSizeIsNamedWithItsRule(String written, String said) {
        FailureAnalysis analysis = Analyses.of(boot().withPropertyValues(written));
        assertThat(analysis.getDescription())
                .contains("dataSource: " + said)
                .contains("Configured:", written.replace("=", " = "));
    }

    @Test
    void aContradictionIsRefusedWithAllProperties() {
        FailureAnalysis analysis = Analyses.of(boot().withPropertyValues(
                        "flexpool.base=8", "flexpool.pools.dataSource.ceiling=5", "flexpool.long-lease=30s"));
        assertThat(analysis.getDescription())
                .contains("flexpool.pools.dataSource.ceiling = 5: must not be below the base, 8 (")
                .contains("flexpool.base = 8", "flexpool.pools.dataSource.ceiling = 5");
    }

    @Configuration(proxyBeanMethods = false)
    static class Invoicing {
        @Bean
        HikariDataSource invoicing() {
            return Contexts.hikari();
        }
    }

    @Test
    void anUnknownNameMayBelongToAChildContext() {
        String key = "flexpool.pools.invoicing.base=1";
        flexpool()
                .withUserConfiguration(WrappingTest.ThreeOfAKind.class)
                .withPropertyValues(key, "flexpool.datasources.invoicing.enabled=true")
                .run(parent -> {
                    assertThat(parent).hasNotFailed();
                    assertThat(pool(parent, "orders").state().bound()).isFalse();
                    flexpool()
                            .withParent(parent.getSourceApplicationContext())
                            .withUserConfiguration(Invoicing.class)
                            .withPropertyValues(key)
                            .run(child -> assertThat(
                                            pool(child, "invoicing").state().base())
                                    .isEqualTo(1));
                });
    }

    /** With no data source created yet, or none at all. */
    @Test
    void aTypoIsFoundWithoutAPool() {
        FailureAnalysis analysis = Analyses.of(flexpool().withPropertyValues("flexpool.bsae=3"));
        assertThat(analysis.getDescription()).contains("nearest is flexpool.base");
    }

    @Test
    void noPasswordIsShown() {
        FailureAnalysis analysis = Analyses.of(boot().withPropertyValues("flexpool.password=hunter2"));
        assertThat(analysis.getDescription())
                .contains("flexpool.password = ***")
                .doesNotContain("hunter2");
    }
}
