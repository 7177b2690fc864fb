// SPDX-License-Identifier: Apache-2.0
package io.flexpool.internal.shared;

import org.jspecify.annotations.Nullable;

/**
 * One pass over a text that copies it without the secrets it finds. Hand-written instead of regular expressions: those
 * scan from each possible start to the end, so an attacker's text decides the cost. Here a look-ahead ends at the next
 * word or is stored, so that each character is read a bounded number of times.
 */
abstract class SecretScan {
    static final int NONE = -1;
    /** How often a URL may be within another URL. */
    private static final int MOST_LEVELS = 3;

    final CharSequence text;
    final int end;

    /** Null while nothing is hidden. */
    private @Nullable StringBuilder shown;

    private int copied;

    SecretScan(CharSequence text) {
        this.text = text;
        this.end = text.length();
    }

    /**
     * A text, perhaps truncated, with its secrets masked; the same string if there is nothing to hide. If only the text
     * without percent-encoding shows a secret, as a URL within a URL, this text is returned.
     */
    static String masked(CharSequence text, boolean cut) {
        CharSequence shown = pass(text, cut);
        CharSequence inner = shown;
        // One level at a time, because a separator that is encoded once more is part of the secret.
        for (int level = 0; level < MOST_LEVELS; level++) {
            CharSequence decoded = decoded(inner);
            if (decoded == inner) {
                break;
            }
            inner = pass(decoded, cut);
            shown = inner == decoded ? shown : inner;
        }
        return shown.toString();
    }

    private static CharSequence pass(CharSequence text, boolean cut) {
        return new ConnectSecrets(new NamedSecrets(text).scanned(), cut).scanned();
    }

    /** A text without one level of percent-encoding; blanks stay encoded, because they would end a secret. */
    private static CharSequence decoded(CharSequence text) {
        StringBuilder plain = null;
        int copied = 0;
        for (int index = 0; index < text.length() - 2; index++) {
            int code = text.charAt(index) == '%' ? code(text, index + 1) : NONE;
            // A percent sign is of interest only before another code.
            if (code > ' ' && code < 0x80 && (code != '%' || code(text, index + 3) != NONE)) {
                plain = plain == null ? new StringBuilder(text.length()) : plain;
                plain.append(text, copied, index).append((char) code);
                index += 2;
                copied = index + 1;
            }
        }
        return plain == null ? text : plain.append(text, copied, text.length());
    }

    /** The value of two hexadecimal digits; {@link #NONE} without them. */
    private static int code(CharSequence text, int index) {
        int high = index + 1 < text.length() ? Character.digit(text.charAt(index), 16) : NONE;
        int low = high < 0 ? NONE : Character.digit(text.charAt(index + 1), 16);
        return low < 0 ? NONE : 16 * high + low;
    }

    /** The text without the secrets that this pass finds. */
    final CharSequence scanned() {
        scan();
        return shown == null ? text : shown.append(text, copied, end);
    }

    /** Scans the text from its start to its end and hides secrets. */
    abstract void scan();

    /** Masks a part, which must start at or after the end of the last one; returns its end. */
    final int hide(int from, int to) {
        StringBuilder copy = shown == null ? new StringBuilder(end) : shown;
        shown = copy.append(text, copied, from).append("***");
        copied = to;
        return to;
    }

    /** The character at an index; a blank at and after the end. */
    final char at(int index) {
        return index < end ? text.charAt(index) : ' ';
    }

    /** Whether a word, given in lower case, begins at an index, in upper or lower case. */
    final boolean startsWith(String word, int index) {
        if (index + word.length() > end) {
            return false;
        }
        for (int letter = 0; letter < word.length(); letter++) {
            if (lower(text.charAt(index + letter)) != word.charAt(letter)) {
                return false;
            }
        }
        return true;
    }

    /** The index after a word, given in lower case, that begins at an index; {@link #NONE} if it does not. */
    final int after(String word, int index) {
        return startsWith(word, index) ? index + word.length() : NONE;
    }

    /** The index after the longest of some words that begin at an index; {@link #NONE} if none does. */
    final int after(String[] words, int index) {
        int after = NONE;
        for (String word : words) {
            after = Math.max(after, after(word, index));
        }
        return after;
    }

    /** The end of the blanks, if any, at an index. */
    final int afterBlanks(int index) {
        int next = index;
        while (next < end && isBlank(text.charAt(next))) {
            next++;
        }
        return next;
    }

    /** The end of the word that begins at an index: a blank or the end of the text. */
    final int afterWord(int index) {
        int next = index;
        while (next < end && !isBlank(text.charAt(next))) {
            next++;
        }
        return next;
    }

    static char lower(char letter) {
        return letter >= 'A' && letter <= 'Z' ? (char) (letter + ('a' - 'A')) : letter;
    }

    static boolean isLetter(char letter) {
        char lower = lower(letter);
        return lower >= 'a' && lower <= 'z';
    }

    static boolean isBlank(char letter) {
        return letter == ' ' || (letter >= '\t' && letter <= '\r');
    }

    static boolean isQuote(char letter) {
        return letter == '\'' || letter == '"' || letter == '`';
    }
}
