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
 * A ring buffer of intervals of one length, numbered from 0. Its arrays grow with the numbers, up to the size of the
 * ring. For one thread at a time.
 */
final class IntervalRing {
    private static final int UNKNOWN = PoolSnapshot.UNKNOWN;
    /** The sampled figures of an interval, in this order: active, idle, pending, limit, max. */
    private static final int SAMPLED = 5;
    /** The initial capacity, intervals. */
    private static final int FIRST = 32;

    private final int size;
    /** In an interval without a sample all figures are unknown. */
    private short[] sampled = {};

    private int[] acquired = {};
    /** The counts of each outcome except OK; allocated at the first such outcome. */
    private final Map<AcquisitionOutcome, char[]> failed = new EnumMap<>(AcquisitionOutcome.class);

    private long last = -1;
    /** The index of the last interval. */
    private int at;

    IntervalRing(int size) {
        this.size = size;
    }

    /** A copy of one interval. */
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

    /** Begins an interval and clears those skipped since the last. Does nothing if it has begun. */
    void begin(long number) {
        if (number >= acquired.length && acquired.length < size) {
            grow(number);
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

    /** Makes room for an interval. Until the ring has its full size, the place of an interval is its number. */
    private void grow(long number) {
        int before = sampled.length;
        int capacity = (int) Math.min(size, Math.max(FIRST, 2 * number));
        sampled = Arrays.copyOf(sampled, capacity * SAMPLED);
        Arrays.fill(sampled, before, sampled.length, (short) UNKNOWN);
        acquired = Arrays.copyOf(acquired, capacity);
        failed.replaceAll((outcome, counts) -> Arrays.copyOf(counts, capacity));
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

    /** Stores the highest figure; UNKNOWN is less than any known figure. */
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
        char[] counts = failed.computeIfAbsent(outcome, first -> new char[acquired.length]);
        counts[at] = (char) Math.min(Character.MAX_VALUE, counts[at] + more);
    }

    /** Appends the intervals with a sample, from a number (inclusive) to another (exclusive). */
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
