// SPDX-License-Identifier: Apache-2.0
package io.flexpool.internal.record;

import io.flexpool.monitoring.HistogramSnapshot;
import io.flexpool.pool.AcquisitionOutcome;
import java.util.Arrays;
import java.util.Objects;

/**
 * The shortest and the longest durations of one span, nanoseconds. They are kept per span, because a difference of
 * cumulative counts does not contain them. Immutable.
 */
final class Extremes {
    private static final AcquisitionOutcome[] OUTCOMES = AcquisitionOutcome.values();
    private static final int ATTEMPT = OUTCOMES.length;
    private static final int LEASE = ATTEMPT + 1;
    private static final int CONNECT = LEASE + 1;

    /** No duration; shared, because most spans of most pools are empty. */
    static final Extremes NONE = new Extremes(new long[CONNECT + 1], none());

    /** The longest durations, first by outcome. */
    private final long[] longest;

    private final long[] shortest;

    private Extremes(long[] longest, long[] shortest) {
        this.longest = longest;
        this.shortest = shortest;
    }

    private static long[] none() {
        long[] shortest = new long[CONNECT + 1];
        Arrays.fill(shortest, Long.MAX_VALUE);
        return shortest;
    }

    /** The extremes of all durations of a recorder since the last reset. */
    static Extremes of(Recorder recorder, boolean reset) {
        Extremes read = new Extremes(new long[CONNECT + 1], none());
        for (int at = 0; at < OUTCOMES.length; at++) {
            read.add(at, Objects.requireNonNull(recorder.detoured.get(OUTCOMES[at])), reset);
        }
        read.add(ATTEMPT, recorder.detouredAttempts, reset);
        read.add(LEASE, recorder.leaseTimes(), reset);
        read.add(CONNECT, recorder.connects, reset);
        long longest = recorder.direct().longest(reset);
        long shortest = recorder.direct().shortest(reset);
        for (int at : new int[] {indexOf(AcquisitionOutcome.OK), ATTEMPT}) {
            read.longest[at] = Math.max(read.longest[at], longest);
            read.shortest[at] = Math.min(read.shortest[at], shortest);
        }
        return Arrays.equals(read.longest, NONE.longest) && Arrays.equals(read.shortest, NONE.shortest) ? NONE : read;
    }

    private void add(int at, Histogram durations, boolean reset) {
        longest[at] = durations.longest(reset);
        shortest[at] = durations.shortest(reset);
    }

    private static int indexOf(AcquisitionOutcome outcome) {
        int at = 0;
        while (OUTCOMES[at] != outcome) {
            at++;
        }
        return at;
    }

    /** The extremes of two spans together. */
    Extremes and(Extremes other) {
        if (other == NONE) {
            return this;
        }
        if (this == NONE) {
            return other;
        }
        Extremes both = new Extremes(longest.clone(), shortest.clone());
        for (int at = 0; at <= CONNECT; at++) {
            both.longest[at] = Math.max(longest[at], other.longest[at]);
            both.shortest[at] = Math.min(shortest[at], other.shortest[at]);
        }
        return both;
    }

    /**
     * The difference of two copies of the acquisitions with an outcome; these extremes must be since the older copy.
     */
    HistogramSnapshot acquisitions(AcquisitionOutcome outcome, HistogramSnapshot now, HistogramSnapshot older) {
        return since(indexOf(outcome), now, older);
    }

    HistogramSnapshot attempts(HistogramSnapshot now, HistogramSnapshot older) {
        return since(ATTEMPT, now, older);
    }

    HistogramSnapshot leases(HistogramSnapshot now, HistogramSnapshot older) {
        return since(LEASE, now, older);
    }

    HistogramSnapshot connects(HistogramSnapshot now, HistogramSnapshot older) {
        return since(CONNECT, now, older);
    }

    private HistogramSnapshot since(int at, HistogramSnapshot now, HistogramSnapshot older) {
        return now.since(older, shortest[at], longest[at]);
    }

    long longestLease() {
        return longest[LEASE];
    }

    long shortestLease() {
        return shortest[LEASE];
    }
}
