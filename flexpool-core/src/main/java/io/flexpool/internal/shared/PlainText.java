// SPDX-License-Identifier: Apache-2.0
package io.flexpool.internal.shared;

/**
 * Makes foreign text safe to print: one line, no invisible characters, no secrets, bounded length. Thread names, driver
 * messages and statements are cleaned once, at their entry.
 */
public final class PlainText {
    private PlainText() {}

    /**
     * A text on one line: a blank replaces each control character, line separator and invisible formatting character,
     * so that it cannot start a log line, colour a terminal or reverse the direction of later text; secrets are masked
     * by {@link Secrets#masked}. At most about 20,000 characters are kept.
     */
    public static String line(CharSequence text) {
        return line(text, Secrets.LONGEST);
    }

    /**
     * Like {@link #line(CharSequence)}, but cuts the text first, so that a long text costs no more than a short one.
     *
     * @param longest the maximum number of characters that are read, 1 to 20,000; {@code …} replaces the rest
     */
    public static String line(CharSequence text, int longest) {
        boolean cut = text.length() > longest;
        StringBuilder plain = new StringBuilder(cut ? text.subSequence(0, longest) : text);
        for (int at = 0, after; at < plain.length(); at = after) {
            int letter = plain.codePointAt(at);
            after = at + Character.charCount(letter);
            if (isHidden(letter)) {
                plain.replace(at, after, " ".repeat(after - at));
            }
        }
        String masked = SecretScan.masked(plain, cut);
        return cut ? masked + '…' : masked;
    }

    /** Whether a text is on one line, without the characters that {@link #line(CharSequence)} replaces by blanks. */
    public static boolean isLine(String text) {
        for (int at = 0; at < text.length(); at += Character.charCount(text.codePointAt(at))) {
            if (isHidden(text.codePointAt(at))) {
                return false;
            }
        }
        return true;
    }

    private static boolean isHidden(int letter) {
        return switch (Character.getType(letter)) {
            case Character.CONTROL, Character.LINE_SEPARATOR, Character.PARAGRAPH_SEPARATOR, Character.SURROGATE ->
                true;
            // Direction, byte order, tags; but not the joiner and the non-joiner, which some scripts need.
            case Character.FORMAT -> letter != '\u200c' && letter != '\u200d';
            default -> false;
        };
    }
}
