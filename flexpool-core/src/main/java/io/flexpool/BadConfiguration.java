// SPDX-License-Identifier: Apache-2.0
package io.flexpool;

import java.util.Locale;
import java.util.regex.Pattern;

/** How a refusal is worded: whose, which key, which value, and what is allowed. Shows no password. */
final class BadConfiguration {
    private static final Pattern SECRET_KEY =
            Pattern.compile("pass(word|wd|phrase)?|pwd|secret|token|credential|api-?key", Pattern.CASE_INSENSITIVE);
    private static final Pattern SECRET_IN_TEXT =
            Pattern.compile("(?i)((?:pass(?:word|wd|phrase)?|pwd|secret|token|credentials?)\\s*[=:]\\s*)[^&;,\\s]*");
    private static final Pattern USER_INFO = Pattern.compile("//[^/@\\s]*:[^/@\\s]*@");
    private static final int LONGEST = 200;

    private BadConfiguration() {}

    static IllegalArgumentException of(String pool, String key, Object value, String rule) {
        return new IllegalArgumentException(line(pool, key, value, rule));
    }

    static String line(String pool, String key, Object value, String rule) {
        return "flexpool '" + pool + "': " + key + " = " + shown(key, String.valueOf(value)) + ": " + rule;
    }

    /** A value as it may be printed: on one line, not endless, and nothing that looks like a password. */
    static String shown(String key, String value) {
        if (SECRET_KEY.matcher(key.toLowerCase(Locale.ROOT)).find()) {
            return "***";
        }
        String text = value.replaceAll("\\p{Cntrl}", "?");
        text = SECRET_IN_TEXT.matcher(text).replaceAll("$1***");
        text = USER_INFO.matcher(text).replaceAll("//***@");
        return text.length() > LONGEST ? text.substring(0, LONGEST) + "…" : text;
    }
}
