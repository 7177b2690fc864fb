// SPDX-License-Identifier: Apache-2.0
package io.flexpool.published;

import static org.assertj.core.api.Assertions.assertThat;

import io.flexpool.FlexPool;
import io.flexpool.FlexPoolBuilder;
import io.flexpool.framework.contract.KeyValues;
import java.lang.reflect.Proxy;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import javax.sql.DataSource;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Each key of core, of the backends and of the parts, given by code, by properties and by a system property. Core's tests read
 * variables and the values of its keys; the frameworks' tests walk the same keys.
 */
class EveryWayTest {
    private static List<KeyValues> keys() {
        return KeyValues.all();
    }

    private static FlexPoolBuilder wrap() {
        DataSource source = (DataSource) Proxy.newProxyInstance(
                EveryWayTest.class.getClassLoader(),
                new Class<?>[] {DataSource.class},
                (proxy, method, arguments) -> null);
        return FlexPool.wrap(source);
    }

    /** What a build refuses, or an empty text. */
    private static String refused(FlexPoolBuilder builder) {
        try {
            builder.build().close();
            return "";
        } catch (IllegalArgumentException refused) {
            return String.valueOf(refused.getMessage());
        }
    }

    private static String bySystemProperty(String key, String value) {
        System.setProperty(key, value);
        try {
            return refused(wrap().environment());
        } finally {
            System.clearProperty(key);
        }
    }

    @ParameterizedTest
    @MethodSource("keys")
    void eachWayTakesTheKeyAndRefusesTheValueByName(KeyValues values, @TempDir Path folder) throws Exception {
        String key = "flexpool." + values.key();
        // A name is quoted where code gives it.
        boolean name = values.key().equals("name");
        String wrong = values.key() + " = " + (name ? "" : values.refused() + ": ");
        Path file = folder.resolve("flexpool.properties");
        Files.writeString(file, key + " = " + values.refused());
        assertThat(refused(wrap().set(values.key(), values.refused()))).contains(wrong);
        assertThat(refused(wrap().properties(Map.of(key, values.refused())))).contains("flexpool." + wrong);
        assertThat(refused(wrap().properties(file))).contains("flexpool." + wrong);
        assertThat(bySystemProperty(key, values.refused())).contains("flexpool." + wrong);
        Files.writeString(file, key + " = " + values.accepted());
        String ofValue = values.key() + " = " + values.accepted();
        for (String problem : List.of(
                refused(wrap().set(values.key(), values.accepted())),
                refused(wrap().properties(Map.of(key, values.accepted()))),
                refused(wrap().properties(file)),
                bySystemProperty(key, values.accepted()))) {
            // The value itself is allowed, also where another key is missing.
            assertThat(problem.contains("must be given too") ? "" : problem)
                    .doesNotContain("no such key")
                    .doesNotContain(ofValue + ": must be");
        }
    }
}
