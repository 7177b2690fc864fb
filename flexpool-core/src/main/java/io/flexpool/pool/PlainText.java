// SPDX-License-Identifier: Apache-2.0
package io.flexpool.pool;

import java.util.Locale;

/** Words of an application as people and machines may see them: on one line, without secrets. */
final class PlainText {
    private PlainText() {}

    /** Without control characters, so that a thread's name or a statement cannot begin a line of a log. */
    static String line(CharSequence text) {
        StringBuilder plain = new StringBuilder(text.length());
        for (int at = 0; at < text.length(); at++) {
            char letter = text.charAt(at);
            plain.append(breaksLines(letter) ? ' ' : letter);
        }
        return Secrets.masked(plain.toString());
    }

    private static boolean breaksLines(char letter) {
        // Beside the control characters, Unicode's two separators of lines and paragraphs.
        return Character.isISOControl(letter) || letter == '\u2028' || letter == '\u2029';
    }

    /** A constant as the endpoint and properties write it: {@code slow-database}. */
    static String word(Enum<?> constant) {
        return constant.name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
