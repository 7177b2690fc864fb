// SPDX-License-Identifier: Apache-2.0
package io.flexpool.framework;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.flexpool.FlexPoolBuilder;
import io.flexpool.framework.contract.KeysContract;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The contract with a reader as simple as a framework's can be, and what not every framework has. */
class ApplicationKeysTest extends KeysContract {
    private static final KeyRules RULES = KeyRules.refusing("pools have names", "pools are beans")
            .dataSources("bean")
            .switches(List.of("web.unavailable"));

    private static ApplicationKeys keys(KeyRules rules, Map<String, ?> file, Map<String, String> environment) {
        List<WrittenKey> variables = new ArrayList<>();
        List<WrittenKey> written = new ArrayList<>();
        environment.forEach((name, value) -> {
            List<String> words = Arrays.asList(name.substring("FLEXPOOL_".length())
                    .toLowerCase(Locale.ROOT)
                    .split("_", -1));
            if (!WrittenKey.isOfKubernetes(words)) {
                variables.add(
                        new WrittenKey("flexpool." + String.join(".", words), words, value, "variable " + name, true));
            }
        });
        file.forEach((name, value) -> {
            List<String> words =
                    Arrays.asList(name.substring("flexpool.".length()).split("\\."));
            written.add(new WrittenKey(name, words, String.valueOf(value), "app.conf", false));
        });
        return new ApplicationKeys(new KnownKeys(), rules, List.of(variables, written));
    }

    private static String problems(Map<String, String> file) {
        return String.join("\n", keys(RULES, file, Map.of()).problems());
    }

    @Override
    protected Keys read(Map<String, Object> file, Map<String, String> environment) {
        ApplicationKeys keys = keys(RULES, file, environment);
        return new Keys() {
            @Override
            public String refusals() {
                return String.join("\n", keys.problems());
            }

            @Override
            public void addTo(FlexPoolBuilder builder) {
                keys.addTo(builder, NamedPool.of(POOL), POOL);
            }
        };
    }

    @Override
    protected String file() {
        return "app.conf";
    }

    @Test
    void aDataSourceHasTwoKeys() {
        ApplicationKeys keys = keys(
                RULES,
                Map.of("flexpool.datasources.orders.enabled", "true"),
                Map.of("FLEXPOOL_DATASOURCES_ORDERS_NAME", "book", "FLEXPOOL_DATASOURCES_AUDIT_LOG_ENABLED", "false"));
        assertThat(keys.problems()).isEmpty();
        assertThat(keys.nameOf("orders")).contains("book");
        assertThat(keys.enabled("orders")).contains(true);
        assertThat(keys.enabled("auditLog")).contains(false);
        assertThat(keys.enabled("other")).isEmpty();
        assertThat(problems(Map.of("flexpool.datasources.orders.size", "3")))
                .isEqualTo("flexpool.datasources.orders.size = 3: no such key; the keys are"
                        + " flexpool.datasources.<bean>.enabled and .name (app.conf)");
        assertThat(problems(Map.of("flexpool.datasources.orders.enabled", "maybe")))
                .isEqualTo("flexpool.datasources.orders.enabled = maybe: must be true or false (app.conf)");
        assertThat(problems(Map.of("flexpool.web.unavailable", "maybe")))
                .isEqualTo("flexpool.web.unavailable = maybe: must be true or false (app.conf)");
    }

    @Test
    void twoSpellingsOfADataSourceOrASwitchAreRefused() {
        assertThat(keys(
                                RULES,
                                Map.of(),
                                Map.of(
                                        "FLEXPOOL_DATASOURCES_ORDER_BOOK_NAME", "a",
                                        "FLEXPOOL_DATASOURCES_ORDERBOOK_NAME", "b",
                                        "FLEXPOOL_WEB_UNAVAILABLE", "true",
                                        "FLEXPOOL_WEBUNAVAILABLE", "false"))
                        .problems())
                .hasSize(2)
                .allSatisfy(line -> assertThat(line).contains(": the key is given twice, also as flexpool."))
                .anySatisfy(line -> assertThat(line).contains("FLEXPOOL_WEBUNAVAILABLE", "FLEXPOOL_WEB_UNAVAILABLE"))
                .anySatisfy(line -> assertThat(line)
                        .contains("FLEXPOOL_DATASOURCES_ORDER_BOOK_NAME", "FLEXPOOL_DATASOURCES_ORDERBOOK_NAME"));
    }

    @Test
    void aSectionOfAnUnknownNameIsFound() {
        Map<String, String> file = Map.of(
                "flexpool.datasources.routing.tenant.enabled", "true",
                "flexpool.datasources.ordres.enabled", "false",
                "flexpool.pools.elsewhere.base", "3");
        List<String> names = List.of("orders", "routing");
        ApplicationKeys keys = keys(RULES, file, Map.of());
        assertThat(keys.unknownDataSources(names))
                .extracting(UnknownName::name, UnknownName::slip)
                .containsExactlyInAnyOrder(tuple("routing.tenant", false), tuple("ordres", true));
        assertThat(keys.unknownPools(names)).singleElement().satisfies(unknown -> {
            assertThat(unknown.slip()).isFalse();
            assertThat(unknown.refused("no such pool"))
                    .isEqualTo("flexpool.pools.elsewhere.base = 3: no such pool (app.conf)");
        });
        assertThat(keys(RULES.holders(), file, Map.of()).unknownDataSources(names))
                .as("a data source that the first one holds")
                .extracting(UnknownName::name)
                .containsExactly("ordres");
    }

    @Test
    void aVariableOfKubernetesIsNoKey() {
        Map<String, String> environment = Map.of(
                "FLEXPOOL_PORT_8080_TCP", "tcp://10.0.0.1:8080",
                "FLEXPOOL_DEMO_SERVICE_PORT_HTTP", "80",
                "FLEXPOOL_SERVICE_HOST", "10.0.0.1");
        assertThat(keys(RULES, Map.of(), environment).problems()).isEmpty();
    }

    /** Each line began with "?: ". */
    @Test
    void refusalsOfKeysForAllPoolsNameNoPool() {
        assertThat(problems(Map.of("flexpool.ceilng", "9", "flexpool.mode", "addapt"))
                        .lines())
                .containsExactlyInAnyOrder(
                        "flexpool.ceilng = 9: no such key; the nearest is flexpool.ceiling (app.conf)",
                        "flexpool.mode = addapt: must be monitor, recommend or adapt (app.conf)");
    }

    @Test
    void messagesOfCoreHaveTheFrameworksPrefix() {
        ApplicationKeys keys = keys(RULES.prefix("quarkus.flexpool."), Map.of(), Map.of());
        assertThat(keys.asWritten("flexpool.base = 3 of quarkus.flexpool.base, not my-flexpool.base"))
                .isEqualTo("quarkus.flexpool.base = 3 of quarkus.flexpool.base, not my-flexpool.base");
    }

    @Test
    void aFrameworkFindsTheOneSpelling() {
        KnownKeys known = new KnownKeys();
        assertThat(known.spelling(List.of("grow", "on", "wait", "enabled"), name -> name))
                .contains("grow-on-wait.enabled");
        assertThat(known.spelling(List.of("pools", "eu", "orders", "ceiling"), name -> '"' + name + '"'))
                .contains("pools.\"eu.orders\".ceiling");
        assertThat(known.spelling(List.of("bsae"), name -> name)).isEmpty();
        assertThat(known.names()).contains("base", "grow-on-wait.enabled");
    }
}
