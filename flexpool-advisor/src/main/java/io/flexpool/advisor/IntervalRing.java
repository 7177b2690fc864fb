// SPDX-License-Identifier: Apache-2.0
package io.flexpool.advisor;

import io.flexpool.advice.PoolHistory;
import io.flexpool.pool.AcquisitionOutcome;
import io.flexpool.pool.PoolSnapshot;
import io.flexpool.pool.PoolState;
import java.time.Duration;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/**
 * The last intervals of one length, numbered from 0, in arrays that are made when the first one begins. A new one takes
 * the place of the oldest. For one thread at a time.
 */
final class IntervalRing {
    private static final int UNKNOWN = PoolSnapshot.UNKNOWN;
    /** The sampled figures of an interval, in this order: active, idle, pending, limit, max. */
    private static final int SAMPLED = 5;

    private final int size;
    /** All unknown in an interval without a sample. */
    private short[] sampled = {};

    private int[] acquired = {};
    /** The counts of each outcome but OK; made with the first request that failed so. */
    private final Map<AcquisitionOutcome, char[]> failed = new EnumMap<>(AcquisitionOutcome.class);

    private long last = -1;
    /** Where the last one stands. */
    private int at;

    IntervalRing(int size) {
        this.size = size;
    }

    /** One interval as it was read. */
    private record Read(
            Duration begin,
            Duration length,
            int active,
            int idle,
            int pending,
            int limit,
            int max,
            Map<AcquisitionOutcome, Integer> ended)
            implements PoolHistory.Interval {
        @Override
        public int acquisitions(AcquisitionOutcome outcome) {
            return ended.getOrDefault(outcome, 0);
        }
    }

    /** Begins an interval; those since the last one stay empty. Nothing if it has begun. */
    void begin(long number) {
        if (sampled.length == 0) {
            sampled = new short[size * SAMPLED];
            acquired = new int[size];
            Arrays.fill(sampled, (short) UNKNOWN);
        }
        for (long fresh = Math.max(last + 1, number - size + 1); fresh <= number; fresh++) {
            at = (int) (fresh % size);
            Arrays.fill(sampled, at * SAMPLED, (at + 1) * SAMPLED, (short) UNKNOWN);
            acquired[at] = 0;
            for (char[] counts : failed.values()) {
                counts[at] = 0;
            }
        }
        last = Math.max(last, number);
    }

    void sample(PoolState state, int limit) {
        int first = at * SAMPLED;
        highest(first, state.leased());
        int idle = sampled[first + 1];
        int idleNow = state.pool().idle();
        if (idle == UNKNOWN || (idleNow != UNKNOWN && idleNow < idle)) {
            sampled[first + 1] = fitting(idleNow);
        }
        highest(first + 2, state.pending());
        highest(first + 3, limit);
        highest(first + 4, state.pool().max());
    }

    /** Unknown is less than all that is known. */
    private void highest(int place, int figure) {
        if (figure > sampled[place]) {
            sampled[place] = fitting(figure);
        }
    }

    private static short fitting(int figure) {
        return (short) Math.min(figure, Short.MAX_VALUE);
    }

    void count(AcquisitionOutcome outcome, long more) {
        if (outcome == AcquisitionOutcome.OK) {
            acquired[at] = (int) Math.min(Integer.MAX_VALUE, acquired[at] + more);
            return;
        }
        char[] counts = failed.computeIfAbsent(outcome, first -> new char[size]);
        counts[at] = (char) Math.min(Character.MAX_VALUE, counts[at] + more);
    }

    /** Appends those with a sample, from one number up to and without another. */
    void addTo(List<PoolHistory.Interval> intervals, int lengthSeconds, long from, long to) {
        Duration length = Duration.ofSeconds(lengthSeconds);
        for (long number = Math.max(from, Math.max(0, last - size + 1)); number < Math.min(to, last + 1); number++) {
            int row = (int) (number % size);
            int first = row * SAMPLED;
            if (sampled[first] != UNKNOWN) {
                intervals.add(new Read(
                        length.multipliedBy(number),
                        length,
                        sampled[first],
                        sampled[first + 1],
                        sampled[first + 2],
                        sampled[first + 3],
                        sampled[first + 4],
                        ended(row)));
            }
        }
    }

    private Map<AcquisitionOutcome, Integer> ended(int row) {
        Map<AcquisitionOutcome, Integer> ended = new EnumMap<>(AcquisitionOutcome.class);
        ended.put(AcquisitionOutcome.OK, acquired[row]);
        failed.forEach((outcome, counts) -> ended.put(outcome, (int) counts[row]));
        return ended;
    }
}
