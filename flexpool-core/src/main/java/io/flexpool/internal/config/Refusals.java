// SPDX-License-Identifier: Apache-2.0
package io.flexpool.internal.config;

import io.flexpool.internal.shared.PlainText;
import io.flexpool.internal.shared.Secrets;
import io.flexpool.pool.RefusedValueException;
import java.util.List;
import java.util.Map;

/**
 * Words the refusals of one pool's configuration: whose, which key, which value, and what is allowed. What properties
 * gave is named by key and value as they were written, and by where; what code gave by the key alone. No password is
 * shown.
 *
 * @param pool the pool's name
 * @param properties what properties gave, by key without prefix
 */
public record Refusals(String pool, Map<String, Given> properties) {
    private static final int LONGEST = 200;
    private static final String NONE = "none";

    /**
     * One property as it was written, and what was read from it.
     *
     * @param key the whole key, of a pool's own section too
     * @param origin where it was written, for people; empty if code set it
     * @param value what was read from the text, of the key's kind; the text itself until then
     */
    record Given(String key, String text, String origin, Object value) {
        /** How a value that came from here was written: this property's value, or one of its list. */
        String written(Object refused) {
            return refused.equals(value) ? text : String.valueOf(refused);
        }

        boolean ofCode() {
            return origin.isEmpty();
        }

        /** The key as a refusal names it: what code sets by the key alone. */
        String shownKey() {
            return ofCode() ? key.substring(ConfigReader.PREFIX.length()) : key;
        }

        /** Where it was written, to follow a refusal. */
        String where() {
            return ofCode() ? "" : " (" + origin + ")";
        }

        /** Whether a value came from here. */
        boolean gave(Object refused) {
            return refused.equals(value) || (value instanceof List<?> all && all.contains(refused));
        }
    }

    public IllegalArgumentException of(SettingKey key, Object value, String rule) {
        return of(key.key().name(), value, rule);
    }

    /** Of any key, core's or a backend's, without prefix. */
    IllegalArgumentException of(String key, Object value, String rule) {
        return of(key, value, "", rule);
    }

    /** Of a text that may be blank: with quotes around it. */
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
     * That a key has no value, which others need: with the prefix of the first of these that is a property, and where that was
     * written.
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

    /** With a cause. */
    public IllegalArgumentException of(SettingKey key, Object value, String rule, Throwable cause) {
        IllegalArgumentException refused = of(key, value, rule);
        refused.initCause(cause);
        return refused;
    }

    /** What a strategy or a backend refused; before its key stands nothing, or the prefix of the backend. */
    IllegalArgumentException of(String prefix, RefusedValueException refused) {
        IllegalArgumentException named = of(prefix + refused.key(), refused.value(), refused.rule());
        named.initCause(refused);
        return named;
    }

    /** A refusal that says where the property was written. */
    static String line(String pool, Given given, String value, String rule) {
        return line(pool, given.shownKey(), value, rule) + given.where();
    }

    /** A property as it was written, and where. */
    static String written(Given given) {
        return given.shownKey() + " = " + shown(given.key(), given.text()) + given.where();
    }

    private static String line(String pool, String key, String value, String rule) {
        return pool + ": " + key + " = " + shown(key, value) + ": " + rule;
    }

    /** A value as it may be printed: on one line, not endless, and nothing that looks like a password. */
    static String shown(String key, String value) {
        if (Secrets.isSecret(key)) {
            return "***";
        }
        // A blank instead of what is not seen would look as if the value were right.
        StringBuilder seen = value.codePoints()
                .limit(LONGEST + 1)
                .map(letter -> PlainText.isLine(Character.toString(letter)) ? letter : '?')
                .collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append);
        return PlainText.line(seen, LONGEST);
    }
}
