// SPDX-License-Identifier: Apache-2.0
package io.flexpool.spi;

import io.flexpool.internal.shared.PlainText;
import io.flexpool.internal.shared.Secrets;
import io.flexpool.internal.shared.Words;
import java.time.Duration;
import java.util.Collection;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Writes and reads texts in flexpool's form: without secrets, on one line, with figures in one form. For the
 * integrations of frameworks, backends and parts, not for applications. Thread-safe.
 */
public final class Texts {
    private Texts() {}

    /**
     * Makes a foreign text safe to print: a blank replaces each control character, line separator and invisible
     * formatting character, and passwords are masked as by {@link #masked}.
     *
     * @param text the text; at most about 20,000 characters are kept
     * @return one line
     */
    public static String line(CharSequence text) {
        return PlainText.line(Objects.requireNonNull(text, "text is null"));
    }

    /**
     * Like {@link #line(CharSequence)}, but cuts the text first, so that a long text costs no more than a short one.
     *
     * @param text the text
     * @param longest the maximum number of characters that are read, 1 to 20,000; {@code …} replaces the rest
     * @return one line
     */
    public static String line(CharSequence text, int longest) {
        return PlainText.line(Objects.requireNonNull(text, "text is null"), longest);
    }

    /**
     * Whether a text is on one line.
     *
     * @param text the text
     * @return whether it has none of the characters that {@link #line(CharSequence)} replaces by blanks
     */
    public static boolean isLine(String text) {
        return PlainText.isLine(Objects.requireNonNull(text, "text is null"));
    }

    /**
     * Masks passwords: {@code password=…}, {@code "password":"…"}, {@code IDENTIFIED BY …}, {@code api_key=…}, {@code Bearer …},
     * {@code //user:…@host} and similar. Line breaks stay.
     *
     * @param text the text; only the first 20,000 characters are kept
     * @return the masked text; the same object without a change
     */
    public static String masked(String text) {
        return Secrets.masked(Objects.requireNonNull(text, "text is null"));
    }

    /**
     * Whether the value of a key should not be shown.
     *
     * @param key the name of the key
     * @return whether the name indicates a password, a secret or a token
     */
    public static boolean isSecret(String key) {
        return Secrets.isSecret(Objects.requireNonNull(key, "key is null"));
    }

    /**
     * Returns a constant in the form of endpoints and properties.
     *
     * @param constant for example {@code SLOW_DATABASE}
     * @return for example {@code slow-database}
     */
    public static String word(Enum<?> constant) {
        return Words.word(Objects.requireNonNull(constant, "constant is null"));
    }

    /**
     * A number of things.
     *
     * @param number the number
     * @param noun the noun in the singular, with a plural in {@code s}
     * @return for example {@code 1 lease}, {@code 2 leases}
     */
    public static String count(long number, String noun) {
        return Words.count(number, Objects.requireNonNull(noun, "noun is null"));
    }

    /**
     * Formats a duration in a suitable unit.
     *
     * @param duration zero or more
     * @return for example {@code 12 ms}, {@code 14.2 s}, {@code 75 min}
     */
    public static String span(Duration duration) {
        return Words.span(Objects.requireNonNull(duration, "duration is null"));
    }

    /**
     * Reads a duration: {@code 10ms} or {@code 10 ms} with ns, us, ms, s, m, h or d, or ISO-8601 as in {@code PT1.5S}.
     *
     * @param text without blanks around it
     * @return the duration; null if it has neither form, or is longer than a century
     */
    public static @Nullable Duration duration(String text) {
        return Words.duration(Objects.requireNonNull(text, "text is null"));
    }

    /**
     * Reads a whole number of ASCII digits, perhaps with a sign: parsers of the JDK accept the digits of all scripts.
     *
     * @param text without blanks around it
     * @return the number; null if the text is no number, or needs more than 32 bits
     */
    public static @Nullable Integer wholeNumber(String text) {
        return Words.wholeNumber(Objects.requireNonNull(text, "text is null"));
    }

    /**
     * Returns the known name with the most similar spelling, as a proposal in a refusal.
     *
     * @param given the unknown name
     * @param known at least one name
     * @return a known name, perhaps not {@link #alike}
     */
    public static String nearest(String given, Collection<String> known) {
        return Words.nearest(
                Objects.requireNonNull(given, "given is null"), Objects.requireNonNull(known, "known is null"));
    }

    /**
     * Whether a name may be a misspelling of another name.
     *
     * @param written the unknown name
     * @param meant a known name
     * @return whether at most two characters, and fewer than half of them, are inserted, left out or replaced
     */
    public static boolean alike(String written, String meant) {
        return Words.alike(
                Objects.requireNonNull(written, "written is null"), Objects.requireNonNull(meant, "meant is null"));
    }

    /**
     * Levenshtein's distance.
     *
     * @param from a name
     * @param to another name
     * @return the number of characters to insert, delete or replace
     */
    public static int distance(String from, String to) {
        return Words.distance(Objects.requireNonNull(from, "from is null"), Objects.requireNonNull(to, "to is null"));
    }
}
