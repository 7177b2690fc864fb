// SPDX-License-Identifier: Apache-2.0
package io.flexpool.dropwizard;

import io.flexpool.spi.Texts;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** A section of YAML as flexpool's keys. */
final class YamlKeys {
    private static final String PREFIX = "flexpool.";

    private YamlKeys() {}

    /**
     * Flattens nested sections. Which of two spellings of one key should hold is not for this class to guess.
     *
     * @return whole keys, as in the one table, with their values as text
     * @throws IllegalArgumentException if a key is given twice, nested and with dots
     */
    static Map<String, String> of(Map<?, ?> section) {
        Map<String, String> keys = new LinkedHashMap<>();
        flatten(PREFIX, section, keys);
        return keys;
    }

    private static void flatten(String prefix, Map<?, ?> section, Map<String, String> into) {
        section.forEach((name, value) -> {
            String key = prefix + name;
            if (value instanceof Map<?, ?> inner) {
                flatten(key + ".", inner, into);
            } else {
                String text = text(value);
                String before = into.put(key, text);
                if (before != null) {
                    throw new IllegalArgumentException(Texts.line(key) + " = " + shown(key, before) + ", and = "
                            + shown(key, text) + ": must be given once, either in a section or with dots");
                }
            }
        });
    }

    private static String text(@Nullable Object value) {
        return value instanceof Collection<?> list
                ? list.stream().map(String::valueOf).collect(Collectors.joining(","))
                : Objects.toString(value, "");
    }

    private static String shown(String key, String value) {
        return Texts.isSecret(key) ? "***" : Texts.line(value, 200);
    }
}
