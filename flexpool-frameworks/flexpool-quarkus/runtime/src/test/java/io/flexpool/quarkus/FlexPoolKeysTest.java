// SPDX-License-Identifier: Apache-2.0
package io.flexpool.quarkus;

import static org.assertj.core.api.Assertions.assertThat;

import io.flexpool.FlexPoolBuilder;
import io.flexpool.framework.NamedPool;
import io.flexpool.framework.contract.KeysContract;
import io.smallrye.config.EnvConfigSource;
import io.smallrye.config.PropertiesConfigSource;
import io.smallrye.config.SmallRyeConfig;
import io.smallrye.config.SmallRyeConfigBuilder;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** How keys are spelt in files and in environment variables, and how they are refused. */
class FlexPoolKeysTest extends KeysContract {
    private static final List<String> POOLS = List.of("default", "order-book", "eu.orders");

    @Override
    protected Keys read(Map<String, Object> file, Map<String, String> environment) {
        Map<String, String> texts = new LinkedHashMap<>();
        file.forEach((key, value) -> texts.put(key, String.valueOf(value)));
        FlexPoolKeys keys = keys(texts, environment);
        return new Keys() {
            @Override
            public String refusals() {
                return String.join("\n", keys.problems(List.of(POOL)));
            }

            @Override
            public void addTo(FlexPoolBuilder builder) {
                keys.keys().addTo(builder, NamedPool.of(POOL), POOL);
            }
        };
    }

    @Override
    protected String file() {
        return "application.properties";
    }

    @Override
    protected String prefix() {
        return "quarkus.flexpool.";
    }

    private static FlexPoolKeys keys(Map<String, String> file, Map<String, String> environment) {
        SmallRyeConfig config = new SmallRyeConfigBuilder()
                .withSources(
                        new PropertiesConfigSource(file, "application.properties", 250),
                        new EnvConfigSource(environment, 300))
                .build();
        return new FlexPoolKeys(config);
    }

    private static List<String> problems(Map<String, String> file, Map<String, String> environment) {
        return keys(file, environment).problems(POOLS);
    }

    @Test
    void knowsEachSpelling() {
        assertThat(problems(
                        Map.of(
                                "quarkus.flexpool.grow-on-wait.enabled", "true",
                                "quarkus.flexpool.pools.\"eu.orders\".ceiling", "7",
                                "quarkus.flexpool.pools.order-book.ceiling", "8",
                                "quarkus.flexpool.classes", "batch",
                                "quarkus.flexpool.classes.batch.max", "2",
                                "quarkus.datasource.jdbc.max-size", "5"),
                        Map.of(
                                "QUARKUS_FLEXPOOL_LEAK_THRESHOLD", "1m",
                                "QUARKUS_FLEXPOOL_POOLS_ORDER_BOOK_GROW_ON_WAIT_ENABLED", "false")))
                .isEmpty();
    }

    @Test
    void environmentGoesBeforeTheFile() {
        assertThat(problems(
                        Map.of("quarkus.flexpool.grow-on-wait.enabled", "perhaps"),
                        Map.of("QUARKUS_FLEXPOOL_GROW_ON_WAIT_ENABLED", "maybe")))
                .singleElement()
                .asString()
                .contains("quarkus.flexpool.grow-on-wait.enabled = maybe")
                .doesNotContain("perhaps");
    }

    @Test
    void aVariableThatIsNoKeyIsRefusedOnce() {
        assertThat(problems(Map.of(), Map.of("QUARKUS_FLEXPOOL_CEILIN", "8")))
                .singleElement()
                .asString()
                .containsOnlyOnce("ceilin = 8")
                .contains("quarkus.flexpool.ceiling")
                .contains("QUARKUS_FLEXPOOL_CEILIN in ");
    }

    @Test
    void aSectionOfNoDataSourceIsRefused() {
        assertThat(problems(Map.of("quarkus.flexpool.pools.order-bok.base", "2"), Map.of()))
                .singleElement()
                .asString()
                .isEqualTo(
                        "quarkus.flexpool.pools.order-bok.base = 2: no such datasource; the datasources are default, order-book,"
                                + " eu.orders; the nearest is order-book (application.properties)");
    }

    /** In the metrics, the health and the list of pools one would hide the other. */
    @Test
    void twoPoolsOfOneNameAreRefused() {
        assertThat(keys(Map.of(), Map.of()).problems(List.of("default", "orders", "default")))
                .singleElement()
                .asString()
                .contains("with the name default. Rename the second.");
    }

    @Test
    void aKeyOfAnotherProfileIsNone() {
        SmallRyeConfig config = new SmallRyeConfigBuilder()
                .addDefaultInterceptors()
                .withProfile("dev")
                .withSources(new PropertiesConfigSource(
                        Map.of(
                                "%dev.quarkus.flexpool.ceilin", "8",
                                "%prod.quarkus.flexpool.bas", "9"),
                        "application.properties",
                        250))
                .build();

        assertThat(new FlexPoolKeys(config).problems(POOLS))
                .singleElement()
                .asString()
                .contains("quarkus.flexpool.ceilin = 8");
    }

    @Test
    void aSecretIsNotShown() {
        assertThat(problems(
                        Map.of(
                                "quarkus.flexpool.fleet.uri", "redis://user:s3cret@localhost",
                                "quarkus.flexpool.password", "s3cret"),
                        Map.of()))
                .singleElement()
                .asString()
                .contains("quarkus.flexpool.fleet.uri = redis://***@localhost: needs quarkus.flexpool.fleet too")
                .contains("quarkus.flexpool.password = ***")
                .doesNotContain("s3cret");
    }
}
