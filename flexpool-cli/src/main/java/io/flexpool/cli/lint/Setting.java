// SPDX-License-Identifier: Apache-2.0
package io.flexpool.cli.lint;

import java.nio.file.Path;
import java.util.Locale;
import java.util.regex.Pattern;

/**
 * A key with its value and position. Immutable.
 *
 * @param file the file, relative to the read directory
 * @param line the line, from 1
 * @param key the key as written, with dots
 * @param value the value as written
 */
record Setting(Path file, int line, String key, String value) {
    /** Before the first key of a file of properties it is a part of the key. */
    static final String MARK = "\ufeff";

    private static final Pattern OTHER_THAN_LETTERS = Pattern.compile("[^A-Za-z0-9]");

    /** One form for all spellings of the key: {@code maxLifetime}, {@code max-lifetime}, {@code MAX_LIFETIME}. */
    String plain() {
        return key.startsWith(MARK) ? key : plain(key);
    }

    static String plain(String key) {
        return OTHER_THAN_LETTERS.matcher(key).replaceAll("").toLowerCase(Locale.ROOT);
    }
}
