// SPDX-License-Identifier: Apache-2.0
package io.flexpool.internal.shared;

import java.util.regex.Pattern;

/**
 * Masks passwords in texts: drivers put URLs into messages, and URLs contain passwords. The cost of a foreign text is
 * bounded: it is truncated first, and each character is read a few times only.
 */
public final class Secrets {
    /** Texts are truncated here. Longer than every report; costs some milliseconds at most. */
    static final int LONGEST = 20_000;

    private static final Pattern KEY = Pattern.compile(
            "pass(word|wd|phrase)?|pwd|secret|token|credential|authorization|(api|access|private)[-_. ]?key",
            Pattern.CASE_INSENSITIVE);

    private Secrets() {}

    /**
     * A text without what looks like a password in it: {@code password=…}, {@code "password":"…"}, {@code IDENTIFIED BY
     * …}, {@code PASSWORD '…'}, {@code api_key=…}, {@code Bearer …}, {@code --password …}, {@code //user:…@host},
     * {@code user/…@host}. A value in quotes is masked to its closing quote, or to the end where there is none. Only the
     * first 20,000 characters are kept. The text itself if there is nothing to hide or to cut.
     */
    public static String masked(String text) {
        if (text.length() <= LONGEST) {
            return SecretScan.masked(text, false);
        }
        return SecretScan.masked(text.substring(0, LONGEST), true) + '…';
    }

    /** Whether the value of a key should not be shown: its name indicates a password, a secret or a token. */
    public static boolean isSecret(String key) {
        return KEY.matcher(key).find();
    }
}
