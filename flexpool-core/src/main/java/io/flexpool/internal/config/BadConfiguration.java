// SPDX-License-Identifier: Apache-2.0
package io.flexpool.internal.config;

import io.flexpool.internal.shared.PlainText;
import io.flexpool.internal.shared.Secrets;

/** How a refusal is worded: whose, which key, which value, and what is allowed. Shows no password. */
final class BadConfiguration {
    private static final int LONGEST = 200;

    private BadConfiguration() {}

    static IllegalArgumentException of(String pool, String key, Object value, String rule) {
        return new IllegalArgumentException(line(pool, key, value, rule));
    }

    static String line(String pool, String key, Object value, String rule) {
        return "flexpool '" + pool + "': " + key + " = " + shown(key, String.valueOf(value)) + ": " + rule;
    }

    /** With where it was written. */
    static String line(String pool, String key, Object value, String rule, String origin) {
        return line(pool, key, value, rule) + " (" + origin + ")";
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
