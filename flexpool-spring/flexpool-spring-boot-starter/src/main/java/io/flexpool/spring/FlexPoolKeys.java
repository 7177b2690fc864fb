// SPDX-License-Identifier: Apache-2.0
package io.flexpool.spring;

import io.flexpool.framework.ApplicationKeys;
import io.flexpool.framework.KeyRules;
import io.flexpool.framework.KnownKeys;
import io.flexpool.framework.UnknownName;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.core.env.Environment;

/**
 * The {@code flexpool.*} properties of the application, with two for each bean, {@code flexpool.datasources.<bean>.enabled} and
 * {@code .name}, and the {@linkplain #SWITCHES switches} of the starter. Immutable.
 */
final class FlexPoolKeys {
    private static final Logger LOG = LoggerFactory.getLogger("io.flexpool.spring");
    /** The starter's own keys, true or false, which conditions of its configurations read. */
    private static final List<String> SWITCHES = List.of("transaction-deadlines", "web.unavailable");

    private static final KeyRules RULES = KeyRules.refusing(
                    "pools are named after their beans, or by HikariCP's pool-name; for another name set"
                            + " flexpool.datasources.<bean>.name",
                    "pools are the application's beans; for a JNDI lookup set spring.datasource.jndi-name")
            .dataSources("bean")
            .holders()
            .switches(SWITCHES);

    private final ApplicationKeys keys;

    /** Reads the properties, without refusing any yet. */
    FlexPoolKeys(Environment environment) {
        KnownKeys known = new KnownKeys();
        List<String> all =
                Stream.concat(known.names().stream(), SWITCHES.stream()).toList();
        keys = new ApplicationKeys(known, RULES, new WrittenKeys(environment).all(all));
    }

    ApplicationKeys keys() {
        return keys;
    }

    /**
     * Checks everything that can be checked before a pool exists: unknown keys and values of the wrong type.
     *
     * @throws RefusedConfiguration if there are problems; the message names all of them
     */
    void check() {
        refuse(keys.problems());
    }

    /**
     * Refuses properties of an unknown pool or bean whose name resembles a known one. Logs other unknown names: they
     * may be meant for a child context, which shares the properties.
     *
     * @param beans the names of all data source beans
     * @param pools the names of all pools
     * @throws RefusedConfiguration if names are refused; the message has all their properties
     */
    void checkNames(Collection<String> beans, Collection<String> pools) {
        List<String> wrong = new ArrayList<>();
        check(
                keys.unknownDataSources(beans),
                "no such data source bean; the beans are " + String.join(", ", beans),
                wrong);
        check(keys.unknownPools(pools), "no such pool; the pools are " + String.join(", ", pools), wrong);
        refuse(wrong);
    }

    private static void check(List<UnknownName> names, String rule, List<String> wrong) {
        for (UnknownName unknown : names) {
            if (unknown.slip()) {
                wrong.add(unknown.refused(rule));
            } else {
                LOG.warn("not used in this application context: {}", unknown.refused(rule));
            }
        }
    }

    private static void refuse(List<String> wrong) {
        if (!wrong.isEmpty()) {
            throw new RefusedConfiguration(String.join(System.lineSeparator(), wrong), List.of(), null);
        }
    }
}
