// SPDX-License-Identifier: Apache-2.0
package io.flexpool.internal.config;

import io.flexpool.internal.shared.Words;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Objects;

/** Converts values from code to the form of properties, so that one reader checks and refuses both. */
public final class CodeValues {
    private static final String TYPES =
            "must be a String, Number, Boolean, Duration, enum constant, or a Collection of these";

    private CodeValues() {}

    /**
     * The key with its prefix.
     *
     * @throws IllegalArgumentException if the key is of a pool's own section
     */
    public static String key(String written) {
        Objects.requireNonNull(written, "key is null");
        String key = written.startsWith(ConfigReader.PREFIX) ? written : ConfigReader.PREFIX + written;
        if (key.startsWith(ConfigReader.POOL_PREFIX)) {
            throw new IllegalArgumentException(
                    written + ": a builder configures one pool; leave out " + ConfigReader.POOL_PREFIX + "<name>");
        }
        return key;
    }

    /**
     * The value as a text.
     *
     * @throws IllegalArgumentException if no key has the value's type
     */
    public static String text(String key, Object value) {
        Objects.requireNonNull(value, key + " is null");
        if (!(value instanceof Collection<?> all)) {
            return single(key, value);
        }
        List<String> texts = new ArrayList<>();
        for (Object one : all) {
            String text = single(key, Objects.requireNonNull(one, key + " has an element that is null"));
            if (text.indexOf(',') >= 0) {
                throw refused(key, text, "an element of a list must not contain a comma");
            }
            texts.add(text);
        }
        return String.join(",", texts);
    }

    private static String single(String key, Object value) {
        if (value instanceof Enum<?> constant) {
            return Words.word(constant);
        }
        if (value instanceof Double || value instanceof Float) {
            double number = ((Number) value).doubleValue();
            // In plain notation: 0.0001, not 1.0E-4.
            return Double.isFinite(number) ? new BigDecimal(value.toString()).toPlainString() : value.toString();
        }
        if (value instanceof String
                || value instanceof Number
                || value instanceof Boolean
                || value instanceof Duration) {
            return value.toString();
        }
        throw refused(key, value.getClass().getName(), TYPES);
    }

    private static IllegalArgumentException refused(String key, String value, String rule) {
        return new IllegalArgumentException(key + " = " + Refusals.shown(key, value) + ": " + rule);
    }
}
