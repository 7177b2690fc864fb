// SPDX-License-Identifier: Apache-2.0
package io.flexpool.benchmarks.directory;

import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Where a request's time went inside the service, as it says in the standard header {@code Server-Timing}.
 *
 * @param waitMs from asking for a connection until it was there or refused
 * @param databaseMs in the database, from preparing the statement to its last row
 * @param idleMs the connection was active, but not in the database
 * @param returnMs giving the connection back
 */
record Stages(double waitMs, double databaseMs, double idleMs, double returnMs) {
    static final String HEADER = "Server-Timing";

    /** A request that has spent no time in any of them. */
    static final Stages NONE = new Stages(0, 0, 0, 0);

    private static final Pattern WRITTEN =
            Pattern.compile("wait;dur=([0-9.]+), db;dur=([0-9.]+), idle;dur=([0-9.]+), return;dur=([0-9.]+)");
    private static final double NANOS_PER_MS = 1e6;

    static Stages ofNanos(long waited, long inDatabase, long heldIdle, long givingBack) {
        return new Stages(
                waited / NANOS_PER_MS, inDatabase / NANOS_PER_MS, heldIdle / NANOS_PER_MS, givingBack / NANOS_PER_MS);
    }

    double sumMs() {
        return waitMs + databaseMs + idleMs + returnMs;
    }

    String header() {
        return String.format(
                Locale.ROOT,
                "wait;dur=%.4f, db;dur=%.4f, idle;dur=%.4f, return;dur=%.4f",
                waitMs,
                databaseMs,
                idleMs,
                returnMs);
    }

    /**
     * What {@link #header()} wrote.
     *
     * @throws IllegalArgumentException if it is something else
     */
    static Stages of(String header) {
        Matcher matcher = WRITTEN.matcher(header);
        if (!matcher.matches()) {
            throw new IllegalArgumentException("no times of this service: " + header);
        }
        return new Stages(
                Double.parseDouble(matcher.group(1)),
                Double.parseDouble(matcher.group(2)),
                Double.parseDouble(matcher.group(3)),
                Double.parseDouble(matcher.group(4)));
    }
}
