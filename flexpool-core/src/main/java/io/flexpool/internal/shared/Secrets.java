// SPDX-License-Identifier: Apache-2.0
package io.flexpool.internal.shared;

import java.util.regex.Pattern;

/**
 * Masks passwords in texts: drivers put URLs into messages, and URLs contain passwords. The cost of a foreign text is
 * bounded: it is truncated first, and each character is read a few times only.
 */
public final class Secrets {
    /** The length at which texts are truncated. Longer than every report; costs at most some milliseconds. */
    static final int LONGEST = 20_000;

    private static final Pattern KEY = Pattern.compile(
            "pass(word|wd|phrase|code)?|pwd|secret|token|credential|authorization"
                    + "|(access|account|api|encryption|master|private|shared|signing|subscription)[-_. ]?key",
            Pattern.CASE_INSENSITIVE);

    private Secrets() {}

    /**
     * A text with possible passwords masked: {@code password=…}, {@code "password":"…"}, {@code IDENTIFIED BY …},
     * {@code PASSWORD '…'}, {@code api_key=…}, {@code Bearer …}, {@code --password …}, {@code //user:…@host},
     * {@code user/…@host}, private keys in PEM, and the same within percent-encoding. A value in quotes is masked to
     * its closing quote, or to the end without one. Only the first 20,000 characters are kept. Returns the same object
     * if nothing is masked.
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
