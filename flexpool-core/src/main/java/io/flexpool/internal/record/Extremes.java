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

    /**
     * The extremes of all durations of a recorder.
     *
     * @param take whether to reset them in the recorder
     */
    static Extremes of(Recorder recorder, boolean take) {
        Extremes read = new Extremes(new long[CONNECT + 1], none());
        for (int at = 0; at < OUTCOMES.length; at++) {
            read.add(at, Objects.requireNonNull(recorder.detoured.get(OUTCOMES[at])), take);
        }
        read.add(ATTEMPT, recorder.detouredAttempts, take);
        read.add(LEASE, recorder.leaseTimes(), take);
        read.add(CONNECT, recorder.connects, take);
        long longest = longest(recorder.direct(), take);
        long shortest = shortest(recorder.direct(), take);
        for (int at : new int[] {indexOf(AcquisitionOutcome.OK), ATTEMPT}) {
            read.longest[at] = Math.max(read.longest[at], longest);
            read.shortest[at] = Math.min(read.shortest[at], shortest);
        }
        return Arrays.equals(read.longest, NONE.longest) && Arrays.equals(read.shortest, NONE.shortest) ? NONE : read;
    }

    private void add(int at, Histogram durations, boolean take) {
        longest[at] = longest(durations, take);
        shortest[at] = shortest(durations, take);
    }

    private static long longest(Histogram durations, boolean take) {
        return take ? durations.takeMax() : durations.peekMax();
    }

    private static long shortest(Histogram durations, boolean take) {
        return take ? durations.takeMin() : durations.peekMin();
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
