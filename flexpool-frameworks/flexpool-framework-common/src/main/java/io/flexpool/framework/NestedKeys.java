// SPDX-License-Identifier: Apache-2.0
package io.flexpool.framework;

import io.flexpool.spi.Texts;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Converts a nested section, for example of YAML, to flexpool's keys. */
public final class NestedKeys {
    private static final String PREFIX = "flexpool.";

    private NestedKeys() {}

    /**
     * Flattens nested sections. A key in two spellings is an error.
     *
     * @param section the section: keys without {@code flexpool.}, nested or with dots; values of any type
     * @return the full keys with their values as text
     * @throws IllegalArgumentException if a key is given twice, nested and with dots
     */
    public static Map<String, String> of(Map<?, ?> section) {
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
                    throw new IllegalArgumentException(Texts.line(key) + " is given twice: " + shown(key, before)
                            + " and " + shown(key, text) + "; give it once, either in a section or with dots");
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
