// SPDX-License-Identifier: Apache-2.0
package io.flexpool.cli.lint;

import java.nio.file.Path;
import java.util.Locale;
import java.util.regex.Pattern;

/**
 * A key with its value, at its place. Immutable.
 *
 * @param file relative to the directory that is read
 * @param line from 1
 * @param key as it is written, with dots
 * @param value as it is written
 */
record Setting(Path file, int line, String key, String value) {
    private static final Pattern OTHER_THAN_LETTERS = Pattern.compile("[^A-Za-z0-9]");

    /** The key as all its spellings are: {@code maximum-pool-size}, {@code maximumPoolSize}, {@code MAXIMUM_POOL_SIZE}. */
    String plain() {
        return plain(key);
    }

    static String plain(String key) {
        return OTHER_THAN_LETTERS.matcher(key).replaceAll("").toLowerCase(Locale.ROOT);
    }
}
