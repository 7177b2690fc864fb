// SPDX-License-Identifier: Apache-2.0
package io.flexpool.cli;

import org.jspecify.annotations.Nullable;

/**
 * One place of a log with figures of a pool of HikariCP. Supports the formats of all versions since 2.0:
 *
 * <ul>
 * <li>2.0 to 2.3: {@code Before cleanup pool stats orders (total=3, inUse=3, avail=0, waiting=0)}
 * <li>2.4.0: {@code Before cleanup pool orders stats (total=4, active=0, idle=4, waiting=0)}
 * <li>later: {@code orders - Before cleanup stats (total=3, active=3, idle=0, waiting=1)}, since 6.0 in another order
 *     and with maxima: {@code orders - Pool stats (total=3/3, idle=0/3, active=3, waiting=1)}
 * <li>since 5.1 the message of a timeout: {@code orders - Connection is not available, request timed out after 1001ms
 *     (total=3, active=3, idle=0, waiting=2)}
 * </ul>
 *
 * @param pool the pool's name; empty if the line has none
 * @param kind the kind of moment
 * @param total the physical connections; -1 for a timeout without figures
 * @param max the pool's max size; 0 if the line has none
 */
public record HikariLine(String pool, Kind kind, int total, int max, int active, int waiting) {
    /** The start of a timeout's message, after the pool's name. */
    public static final String TIMED_OUT = "Connection is not available, request timed out after ";
    /** The start of the figures. */
    public static final String FIGURES = "(total=";

    private static final int NAME_WITHIN = 400;
    private static final int FIGURES_WITHIN = 160;
    private static final int UNKNOWN = -1;

    /** The kind of moment in a line. */
    public enum Kind {
        /** A periodic sample, each 30 s: representative of the average. */
        PERIODIC,
        /** The second line of the same periodic moment. */
        REPEATED,
        /** A line caused by an event: it counts for the peak, but is no sample. */
        EVENT,
        /** A failed request whose exception is in another line. */
        FAILURE,
        /** The message of a failed request. */
        TIMEOUT
    }

    /** The number of requests that had or needed a connection, including one that has just failed. */
    int demand() {
        boolean failed = kind == Kind.FAILURE || kind == Kind.TIMEOUT;
        return active + waiting + (failed ? 1 : 0);
    }

    boolean hasFigures() {
        return total != UNKNOWN;
    }

    /**
     * Reads the figures at an index.
     *
     * @param at the index of {@link #FIGURES}
     * @param given the expected pool name, which may contain any characters; null for any name
     * @return the line; null if HikariCP has not written it
     * @throws NumberFormatException if a figure is impossible for a pool
     */
    public static @Nullable HikariLine at(String line, int at, @Nullable String given) {
        Figures figures = Figures.at(line, at);
        if (figures == null) {
            return null;
        }
        String before = textBefore(line, at);
        int timeout = before.lastIndexOf(TIMED_OUT);
        if (timeout >= 0 && before.endsWith("ms")) {
            return figures.line(PoolNames.before(before.substring(0, timeout), given), Kind.TIMEOUT);
        }
        if (before.endsWith("stats")) {
            return named(before.substring(0, before.length() - "stats".length()), figures, given);
        }
        int old = before.lastIndexOf("pool stats ");
        if (old >= 0) {
            return figures.line(
                    PoolNames.clean(before.substring(old + "pool stats ".length())), kind(before.substring(0, old)));
        }
        return null;
    }

    /** The index of the closing bracket of the figures; -1 if it is not near. */
    static int endOfFigures(String line, int at) {
        int end = Math.min(line.length(), at + FIGURES_WITHIN);
        for (int index = at; index < end; index++) {
            if (line.charAt(index) == ')') {
                return index;
            }
        }
        return -1;
    }

    /**
     * Reads a timeout's message without figures, from versions before 5.1.
     *
     * @param at the index of {@link #TIMED_OUT}
     * @param given as for {@link #at}
     * @return the line, with the pool's name
     */
    public static HikariLine timeoutAt(String line, int at, @Nullable String given) {
        String before = line.substring(Math.max(0, at - NAME_WITHIN), at);
        return new HikariLine(PoolNames.before(before, given), Kind.TIMEOUT, UNKNOWN, 0, 0, 0);
    }

    private static String textBefore(String line, int at) {
        return PoolNames.withoutColours(line.substring(Math.max(0, at - NAME_WITHIN), at))
                .stripTrailing();
    }

    private static @Nullable HikariLine named(String before, Figures figures, @Nullable String given) {
        int dash = before.lastIndexOf(" - ");
        String after = dash < 0 ? before : before.substring(dash + " - ".length());
        int pool = after.indexOf(" pool ");
        if (pool >= 0 && kind(after.substring(0, pool)) != Kind.EVENT) {
            return figures.line(
                    PoolNames.clean(after.substring(pool + " pool ".length())), kind(after.substring(0, pool)));
        }
        if (dash < 0) {
            return null;
        }
        return figures.line(PoolNames.before(before.substring(0, dash + " - ".length()), given), kind(after));
    }

    private static Kind kind(String words) {
        if (words.contains("Before cleanup") || words.strip().equals("Pool")) {
            return Kind.PERIODIC;
        }
        if (words.contains("After cleanup") || words.contains("After  cleanup")) {
            return Kind.REPEATED;
        }
        return words.contains("Timeout failure") ? Kind.FAILURE : Kind.EVENT;
    }

    /** The figures in brackets, in any order. */
    private record Figures(int total, int max, int active, int waiting) {
        private static final int MOST_DIGITS = 6;

        static @Nullable Figures at(String line, int begin) {
            int end = endOfFigures(line, begin);
            if (end < 0) {
                return null;
            }
            int total = UNKNOWN;
            int max = 0;
            int active = UNKNOWN;
            int waiting = UNKNOWN;
            boolean idle = false;
            for (String figure : line.substring(begin + 1, end).split(",", -1)) {
                int equals = figure.indexOf('=');
                if (equals < 0) {
                    return null;
                }
                String[] values = figure.substring(equals + 1).strip().split("/", 2);
                switch (figure.substring(0, equals).strip()) {
                    case "total" -> {
                        total = number(values[0]);
                        max = values.length > 1 ? number(values[1]) : 0;
                    }
                    case "active", "inUse" -> active = number(values[0]);
                    case "idle", "avail" -> idle = number(values[0]) >= 0;
                    case "waiting" -> waiting = number(values[0]);
                    default -> {
                        // Ignores unknown figures of later versions.
                    }
                }
            }
            return total < 0 || active < 0 || waiting < 0 || !idle ? null : new Figures(total, max, active, waiting);
        }

        private static int number(String text) {
            if (text.isEmpty()
                    || text.length() > MOST_DIGITS
                    || !text.chars().allMatch(each -> each >= '0' && each <= '9')) {
                throw new NumberFormatException("'" + text + "' is not a number of connections");
            }
            return Integer.parseInt(text);
        }

        HikariLine line(String pool, Kind kind) {
            return new HikariLine(pool, kind, total, max, active, waiting);
        }
    }
}
