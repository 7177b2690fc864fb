// SPDX-License-Identifier: Apache-2.0
package io.flexpool.internal.config;

import io.flexpool.internal.shared.PlainText;
import io.flexpool.internal.shared.Secrets;
import io.flexpool.pool.RefusedValueException;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Formats the refusals of one pool's configuration: pool, key, value and allowed values. Properties are shown as
 * written, with their place; values from code only with the key. Passwords are not shown.
 *
 * @param pool the pool's name; "?" if it has none yet, which is not shown
 * @param properties the given properties, by key without prefix
 */
public record Refusals(String pool, Map<String, Given> properties) {
    private static final int LONGEST = 200;
    private static final String NONE = "none";

    /**
     * One property as it was written, and its parsed value.
     *
     * @param key the whole key, including a pool's section
     * @param origin its place in words; empty for code
     * @param value the parsed value, of the key's kind; before parsing, the text
     */
    record Given(String key, String text, String origin, Object value) {
        /** The written form of a value of this property, or of an element of its list. */
        String written(Object refused) {
            return refused.equals(value) ? text : String.valueOf(refused);
        }

        boolean ofCode() {
            return origin.isEmpty();
        }

        /** The key as a refusal shows it: for code only the key. */
        String shownKey() {
            return ofCode() ? key.substring(ConfigReader.PREFIX.length()) : key;
        }

        /** The place of the property, to follow a refusal. */
        String where() {
            return ofCode() ? "" : " (" + PlainText.line(origin) + ")";
        }

        /** Whether a value is from this property. */
        boolean gave(Object refused) {
            return refused.equals(value) || (value instanceof List<?> all && all.contains(refused));
        }
    }

    public IllegalArgumentException of(SettingKey key, Object value, String rule) {
        return of(key.key().name(), value, rule);
    }

    /** The refusal of any key, of core or a backend, without prefix. */
    IllegalArgumentException of(String key, Object value, String rule) {
        return of(key, value, "", rule);
    }

    /** The refusal of a text that may be blank, in quotes. */
    public IllegalArgumentException ofText(SettingKey key, String value, String rule) {
        return of(key.key().name(), value, "'", rule);
    }

    private IllegalArgumentException of(String key, Object value, String quote, String rule) {
        Given given = properties.get(key);
        return new IllegalArgumentException(
                given == null || !given.gave(value)
                        ? line(pool, key, quote + value + quote, rule)
                        : line(pool, given, quote + given.written(value) + quote, rule));
    }

    /**
     * The refusal of a missing key that other keys need: with the prefix and the place of the first of these that is a
     * property.
     */
    IllegalArgumentException ofMissing(SettingKey key, String rule, SettingKey... neededBy) {
        for (SettingKey one : neededBy) {
            Given given = properties.get(one.key().name());
            if (given != null) {
                String written = given.shownKey();
                String name = one.key().name();
                String prefix = written.endsWith(name)
                        ? written.substring(0, written.length() - name.length())
                        : ConfigReader.PREFIX;
                return new IllegalArgumentException(
                        line(pool, prefix + key.key().name(), NONE, rule) + given.where());
            }
        }
        return of(key, NONE, rule);
    }

    /** The refusal of a value, with a cause. */
    public IllegalArgumentException of(SettingKey key, Object value, String rule, Throwable cause) {
        IllegalArgumentException refused = of(key, value, rule);
        refused.initCause(cause);
        return refused;
    }

    /** The refusal of a strategy or a backend; a backend's key gets its prefix. */
    IllegalArgumentException of(String prefix, RefusedValueException refused) {
        IllegalArgumentException named = of(prefix + refused.key(), refused.value(), refused.rule());
        named.initCause(refused);
        return named;
    }

    /** A refusal with the place of the property. */
    static String line(String pool, Given given, String value, String rule) {
        return line(pool, given.shownKey(), value, rule) + given.where();
    }

    /** A property as it was written, and where. */
    static String written(Given given) {
        return shown("", given.shownKey()) + " = " + shown(given.key(), given.text()) + given.where();
    }

    private static String line(String pool, String key, String value, String rule) {
        // An unknown key may be any text.
        return (pool.equals("?") ? "" : pool + ": ") + shown("", key) + " = " + shown(key, value) + ": " + rule;
    }

    /** The first placeholder of a text that no framework has replaced, without a default; null without one. */
    public static @Nullable String placeholder(String text) {
        int from = text.indexOf("${");
        int end = from < 0 ? -1 : text.indexOf('}', from);
        int colon = from < 0 ? -1 : text.indexOf(':', from);
        return end < 0 ? null : text.substring(from, colon < 0 ? end : Math.min(colon, end)) + '}';
    }

    /** A printable value: on one line, of bounded length, with possible passwords masked. */
    static String shown(String key, String value) {
        if (Secrets.isSecret(key)) {
            return "***";
        }
        // A blank in place of an invisible character would make the value look correct.
        StringBuilder seen = value.codePoints()
                .limit(LONGEST + 1)
                .map(letter -> PlainText.isLine(Character.toString(letter)) ? letter : '?')
                .collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append);
        return PlainText.line(seen, LONGEST);
    }
}
