// SPDX-License-Identifier: Apache-2.0
package io.flexpool.internal.shared;

import java.time.DateTimeException;
import java.time.Duration;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Writes flexpool's figures and constants, and reads values written by people. */
public final class Words {
    /** The longest duration, a century: nanoseconds of much longer ones do not fit into a long. */
    private static final long LONGEST_DAYS = 36_500;

    private Words() {}

    /** Loaded when the first text is read, because most pools are configured by code. */
    private static final class ShortDuration {
        private static final Pattern PATTERN = Pattern.compile("(\\d{1,15})\\s*(ns|us|ms|s|m|h|d)");
    }

    private static final class WholeNumber {
        private static final Pattern PATTERN = Pattern.compile("[+-]?[0-9]{1,18}");
    }

    /** A constant in the form of endpoints and properties, for example {@code slow-database}. */
    public static String word(Enum<?> constant) {
        return constant.name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /** A number of things, given in the singular: {@code 1 lease}, {@code 2 leases}. */
    public static String count(long number, String noun) {
        return number + " " + noun + (number == 1 ? "" : "s");
    }

    /**
     * Removes the full stops at the end of a foreign text, so that flexpool's own punctuation can follow. Drivers write
     * sentences, and {@code the hostname and port are correct..} looks like a mistake.
     */
    public static String clause(String text) {
        int end = text.length();
        while (end > 0 && (text.charAt(end - 1) == '.' || text.charAt(end - 1) == ' ')) {
            end--;
        }
        return text.substring(0, end);
    }

    /** A duration in whole milliseconds, cut off: {@code 12 ms}. */
    public static String millis(long nanos) {
        return nanos / 1_000_000 + " ms";
    }

    /** A duration in its unit for people: {@code 12 ms}, {@code 14.2 s}, {@code 75 min}. */
    public static String span(Duration duration) {
        long millis = duration.toMillis();
        if (millis < 1_000) {
            return millis + " ms";
        }
        return millis < 600_000 ? millis / 1_000 + "." + millis % 1_000 / 100 + " s" : millis / 60_000 + " min";
    }

    /** Whether a class, named with its package, is the JDK's: a stack's first other frame is more informative. */
    public static boolean ofTheJdk(String className) {
        return Stream.of("java.", "javax.", "jdk.", "sun.").anyMatch(className::startsWith);
    }

    /**
     * Reads a duration: {@code 10ms} or {@code 10 ms} with ns, us, ms, s, m, h or d, or ISO-8601 as in {@code PT1.5S}.
     * Null if it is neither, or longer than a century.
     */
    public static @Nullable Duration duration(String text) {
        Matcher matcher = ShortDuration.PATTERN.matcher(text);
        try {
            Duration read =
                    matcher.matches() ? of(Long.parseLong(matcher.group(1)), matcher.group(2)) : Duration.parse(text);
            return read.abs().toDays() > LONGEST_DAYS ? null : read;
        } catch (DateTimeException | ArithmeticException notOne) {
            return null;
        }
    }

    /**
     * Reads a whole number of ASCII digits, perhaps with a sign: the JDK's parsers accept the digits of all scripts.
     * Null if the text is no number, or needs more than 32 bits.
     */
    public static @Nullable Integer wholeNumber(String text) {
        if (!WholeNumber.PATTERN.matcher(text).matches()) {
            return null;
        }
        long number = Long.parseLong(text);
        return number == (int) number ? (Integer) (int) number : null;
    }

    private static Duration of(long figure, String unit) {
        return switch (unit) {
            case "ns" -> Duration.ofNanos(figure);
            case "us" -> Duration.ofNanos(Math.multiplyExact(figure, 1_000));
            case "ms" -> Duration.ofMillis(figure);
            case "s" -> Duration.ofSeconds(figure);
            case "m" -> Duration.ofMinutes(figure);
            case "h" -> Duration.ofHours(figure);
            default -> Duration.ofDays(figure);
        };
    }

    /**
     * Returns the known name that is most similar to a given one. Among names with the smallest {@link #distance} it
     * prefers the closest length, because transposed letters are the most frequent mistake.
     */
    public static String nearest(String given, Collection<String> known) {
        Comparator<String> like = Comparator.comparingInt(one -> distance(given, one));
        return Collections.min(known, like.thenComparingInt(one -> Math.abs(one.length() - given.length())));
    }

    /** Whether a name is a misspelling of another: at most two, and less than half, of its characters differ. */
    public static boolean alike(String written, String meant) {
        int distance = distance(written, meant);
        return distance <= 2 && 2 * distance < written.length();
    }

    /** Levenshtein's distance: how many characters must be inserted, deleted or replaced. */
    public static int distance(String from, String to) {
        int[] row = new int[to.length() + 1];
        for (int column = 0; column < row.length; column++) {
            row[column] = column;
        }
        for (int line = 1; line <= from.length(); line++) {
            int diagonal = row[0];
            row[0] = line;
            for (int column = 1; column < row.length; column++) {
                int replaced = diagonal + (from.charAt(line - 1) == to.charAt(column - 1) ? 0 : 1);
                diagonal = row[column];
                row[column] = Math.min(replaced, 1 + Math.min(row[column], row[column - 1]));
            }
        }
        return row[to.length()];
    }
}
