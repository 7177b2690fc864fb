// SPDX-License-Identifier: Apache-2.0
package io.flexpool.micronaut;

import io.flexpool.framework.ApplicationKeys;
import io.flexpool.framework.KeyRules;
import io.flexpool.framework.KnownKeys;
import io.flexpool.framework.UnknownName;
import io.micronaut.context.annotation.Context;
import io.micronaut.context.env.Environment;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The {@code flexpool.*} properties of the application, including two for each data source:
 * {@code flexpool.datasources.<name>.enabled} and {@code .name}. Created at every start, also without a data source: a
 * wrong key stops the start. Immutable.
 */
@Context
final class FlexPoolKeys {
    private static final Logger LOG = LoggerFactory.getLogger("io.flexpool.micronaut");
    private static final KeyRules RULES = KeyRules.refusing(
                    "pools are named after their data sources, or by the pool's own name; for another name set"
                            + " flexpool.datasources.<name>.name",
                    "pools are the application's data sources; this key has no effect here")
            .dataSources("name");

    private final ApplicationKeys keys;

    /**
     * Reads the properties, and checks everything that can be checked before a pool exists.
     *
     * @throws IllegalArgumentException if keys are unknown or values have the wrong type; the message names all of them
     */
    FlexPoolKeys(Environment environment) {
        keys = new ApplicationKeys(new KnownKeys(), RULES, new WrittenKeys(environment).all());
        List<String> wrong = new ArrayList<>(keys.problems());
        checkNames(environment.getPropertyEntries("datasources"), wrong);
        if (!wrong.isEmpty()) {
            throw new IllegalArgumentException(String.join(System.lineSeparator(), wrong));
        }
    }

    /**
     * Checks the names of sections. Only probable misspellings are errors, because other data sources may be beans that
     * code creates.
     */
    private void checkNames(Collection<String> sources, List<String> wrong) {
        for (UnknownName unknown : keys.unknownDataSources(sources)) {
            String line = unknown.refused("no such data source; the data sources are " + String.join(", ", sources));
            if (unknown.slip()) {
                wrong.add(line);
            } else {
                LOG.warn("this key may have no effect: {}", line);
            }
        }
    }

    ApplicationKeys keys() {
        return keys;
    }
}
