// SPDX-License-Identifier: Apache-2.0
package io.flexpool.micronaut;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.flexpool.FlexPool;
import io.flexpool.FlexPoolBuilder;
import io.flexpool.FlexPoolDataSource;
import io.flexpool.framework.NamedPool;
import io.flexpool.framework.contract.KeysContract;
import io.micronaut.context.ApplicationContext;
import io.micronaut.context.env.PropertySource;
import io.micronaut.context.env.PropertySource.PropertyConvention;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.postgresql.ds.PGSimpleDataSource;

/** What is read from Micronaut's environment and what is refused, without a pool. */
class FlexPoolKeysTest extends KeysContract {
    /** Before that of variables: Micronaut lets a later one hold. */
    private static final int YAML = -300;

    @Override
    protected Keys read(Map<String, Object> file, Map<String, String> environment) {
        try (ApplicationContext context = context(file, new LinkedHashMap<>(environment))) {
            FlexPoolKeys keys;
            try {
                keys = new FlexPoolKeys(context.getEnvironment().start());
            } catch (IllegalArgumentException refused) {
                return new Read(String.valueOf(refused.getMessage()), builder -> {});
            }
            return new Read("", builder -> keys.keys().addTo(builder, NamedPool.of(POOL), POOL));
        }
    }

    private record Read(String refusals, Consumer<FlexPoolBuilder> keys) implements Keys {
        @Override
        public void addTo(FlexPoolBuilder builder) {
            keys.accept(builder);
        }
    }

    @Override
    protected String file() {
        return "property source 'application'";
    }

    private static ApplicationContext context(Map<String, Object> properties, Map<String, Object> variables) {
        return Pools.builder()
                .propertySources(
                        PropertySource.of("application", properties, YAML),
                        PropertySource.of(
                                "env",
                                variables,
                                PropertyConvention.ENVIRONMENT_VARIABLE,
                                PropertySource.Origin.of("env")))
                .build();
    }

    private static Map<String, Object> of(Object... properties) {
        Map<String, Object> given = new LinkedHashMap<>();
        for (int each = 0; each < properties.length; each += 2) {
            given.put((String) properties[each], properties[each + 1]);
        }
        return given;
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "flexpool.bsae | 3 | flexpool.bsae = 3 | flexpool.base",
                "flexpool.base | many | flexpool.base = many | whole number",
                "flexpool.grow-on-wait.enabld | true | flexpool.grow-on-wait.enabld = true |"
                        + " flexpool.grow-on-wait.enabled",
                "flexpool.pools.orders.bsae | 3 | flexpool.pools.orders.bsae = 3 | base",
                "flexpool.name | orders | flexpool.name = orders | flexpool.datasources.<name>.name",
                "flexpool.datasources.orders.enabled | maybe | = maybe: must be true or false | property source"
                        + " 'application'",
                "flexpool.datasources.orders.size | 3 | no such key | flexpool.datasources.<name>.enabled",
                "flexpool.datasources.reprots.enabled | false | no such data source; the data sources are reports | reprots"
            })
    void aWrongKeyEndsTheStart(String key, String value, String message, String more) {
        try (ApplicationContext context = context(of(key, value, "datasources.reports.url", ""), Map.of())) {
            assertThatThrownBy(() -> new FlexPoolKeys(context.getEnvironment().start()))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining(message)
                    .hasMessageContaining(more);
        }
    }

    @Test
    void theStartIsRefusedWithoutAnyDataSource() {
        try (ApplicationContext context = context(of("flexpool.bsae", "3"), Map.of())) {
            assertThatThrownBy(context::start)
                    .rootCause()
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("flexpool.bsae = 3");
        }
    }

    @Test
    void aVariableIsTheKeyThatItsWordsSpell() {
        Map<String, Object> variables = of(
                "FLEXPOOL_GROW_ON_WAIT_ENABLED", "true",
                "FLEXPOOL_CEILING", "9",
                "FLEXPOOL_POOLS_ORDERS_BASE", "4",
                "FLEXPOOL_PORT_8080_TCP", "tcp://10.0.0.1:8080",
                "FLEXPOOL_SERVICE_HOST", "10.0.0.1");
        try (ApplicationContext context = context(of("flexpool.ceiling", "7"), variables)) {
            try (FlexPoolDataSource pool =
                    built(new FlexPoolKeys(context.getEnvironment().start()), "orders")) {
                assertThat(pool.state().base()).isEqualTo(4);
                assertThat(pool.state().ceiling())
                        .as("a variable's value holds")
                        .isEqualTo(9);
                assertThat(pool.strategies()).hasSize(1);
            }
        }
    }

    @Test
    void aWrongVariableIsNamed() {
        try (ApplicationContext context = context(Map.of(), of("FLEXPOOL_BSAE", "3"))) {
            assertThatThrownBy(() -> new FlexPoolKeys(context.getEnvironment().start()))
                    .hasMessageContaining("environment variable FLEXPOOL_BSAE")
                    .hasMessageContaining("flexpool.base");
        }
    }

    @Test
    void listsPlaceholdersAndSectionsOfClassesAreRead() {
        Map<String, Object> properties = of(
                "orders.ceiling", "6",
                "flexpool.base", "4",
                "flexpool.ceiling", "${orders.ceiling}",
                "flexpool.pools.orders.classes", List.of("interactive", "batch"),
                "flexpool.pools.orders.classes.batch.max", "1");
        try (ApplicationContext context = context(properties, Map.of())) {
            FlexPoolKeys keys = new FlexPoolKeys(context.getEnvironment().start());
            try (FlexPoolDataSource pool = built(keys, "orders")) {
                assertThat(pool.state().ceiling()).isEqualTo(6);
                assertThat(pool.classes()).hasSize(2);
            }
        }
    }

    private static FlexPoolDataSource built(FlexPoolKeys keys, String name) {
        com.zaxxer.hikari.HikariDataSource hikari = new com.zaxxer.hikari.HikariDataSource();
        hikari.setDataSource(new PGSimpleDataSource());
        FlexPoolBuilder builder = FlexPool.wrap(hikari).name(name);
        keys.keys().addTo(builder, NamedPool.of(name), name);
        return builder.build();
    }
}
