// SPDX-License-Identifier: Apache-2.0
package io.flexpool.internal.record;

import io.flexpool.monitoring.HistogramSnapshot;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLongArray;

/**
 * A cumulative histogram that many threads record into. Each thread has a stripe, found by its id: recording is one
 * addition to the bucket, one to the sum and one comparison with the maximum, nearly always on memory that no other
 * processor writes. The count is the sum of the buckets and not stored separately. Never reset.
 *
 * <p>The bounds are powers of 2^(1/8) <em>seconds</em>, because that is the unit in which OpenTelemetry and Prometheus
 * want them: 10^9 is no power of 2^(1/8), so buckets over nanoseconds could not be copied. Durations are whole
 * nanoseconds, so a bound is stored as the largest integer not above it, and comparing with that is exact. The highest
 * bit of a duration and the four bits below it look up the first candidate bucket; these sixteenths of an octave are
 * narrower than a bucket, so one comparison corrects the lookup. No logarithm and no floating point: a conversion to
 * double costs 5 to 10 ns more a cycle.
 */
public final class StripedHistogram {
    /** Keeps the ends of two stripes off one cache line (two lines, as processors fetch them in pairs). */
    private static final int PAD = 16;

    private static final int SUM = PAD;
    private static final int MAX = PAD + 1;
    private static final int FIRST = PAD + 2;
    private static final int LENGTH = FIRST + HistogramSnapshot.BUCKETS + PAD;

    /** At i: the longest duration of the bucket at position i. */
    private static final long[] UPPER = new long[HistogramSnapshot.BUCKETS];

    private static final int BITS = 4;
    /** Highest bit and the four bits below it, to the position of the first bucket that reaches that far. */
    private static final short[] START = new short[Long.SIZE << BITS];

    static {
        for (int position = 0; position < UPPER.length; position++) {
            UPPER[position] =
                    (long) (HistogramSnapshot.upperBoundSeconds(position + HistogramSnapshot.FIRST_INDEX) * 1e9);
        }
        UPPER[UPPER.length - 1] = Long.MAX_VALUE;
        for (int highest = 0; highest < Long.SIZE - 1; highest++) {
            for (int below = 0; below < 1 << BITS; below++) {
                long from = (1L << highest)
                        + (highest >= BITS ? (long) below << (highest - BITS) : (long) below >> (BITS - highest));
                int position = 0;
                while (UPPER[position] < from) {
                    position++;
                }
                START[(highest << BITS) + below] = (short) position;
            }
        }
    }

    private final AtomicLongArray[] stripes;
    private final int mask;
    private final LongSum total = new LongSum();

    /** The number of stripes must be a power of two. */
    public StripedHistogram(int stripes) {
        this.stripes = new AtomicLongArray[stripes];
        for (int at = 0; at < stripes; at++) {
            this.stripes[at] = new AtomicLongArray(LENGTH);
        }
        this.mask = stripes - 1;
    }

    public void record(long nanos) {
        record(nanos, (int) Thread.currentThread().getId());
    }

    /** For a caller that already has the thread's id. If it throws, nothing was counted. */
    public void record(long nanos, int threadId) {
        AtomicLongArray stripe = stripes[threadId & mask];
        stripe.getAndAdd(FIRST + position(nanos), 1);
        try {
            stripe.getAndAdd(SUM, nanos);
            if (nanos > stripe.getPlain(MAX)) {
                stripe.accumulateAndGet(MAX, nanos, Math::max);
            }
        } catch (StackOverflowError counted) {
            // The sum lacks one of many durations. The count is correct, and other counts must match it.
            return;
        }
    }

    long count() {
        long count = 0;
        for (AtomicLongArray stripe : stripes) {
            for (int at = FIRST; at < FIRST + HistogramSnapshot.BUCKETS; at++) {
                count += stripe.get(at);
            }
        }
        return count;
    }

    /** The sum of all durations; does not overflow. */
    public Duration total() {
        return total.of(sum());
    }

    /** The sum of all durations, nanoseconds; wraps after 584 years, so that differences stay correct. */
    long sum() {
        long sum = 0;
        for (AtomicLongArray stripe : stripes) {
            sum += stripe.get(SUM);
        }
        return sum;
    }

    /** Returns and resets the longest duration since the last call. */
    long takeMax() {
        long max = 0;
        for (AtomicLongArray stripe : stripes) {
            max = Math.max(max, stripe.getAndSet(MAX, 0));
        }
        return max;
    }

    /** The longest duration since the last {@link #takeMax()}. */
    public long peekMax() {
        long max = 0;
        for (AtomicLongArray stripe : stripes) {
            max = Math.max(max, stripe.get(MAX));
        }
        return max;
    }

    /**
     * A copy of the sum of all stripes.
     *
     * @param maxNanos the longest duration of the copy's span
     */
    public HistogramSnapshot snapshot(long maxNanos) {
        long[] counts = new long[HistogramSnapshot.BUCKETS];
        for (AtomicLongArray stripe : stripes) {
            for (int at = 0; at < counts.length; at++) {
                counts[at] += stripe.get(FIRST + at);
            }
        }
        return HistogramSnapshot.of(counts, total(), maxNanos);
    }

    /**
     * The position of a duration's bucket, from 0.
     *
     * @param nanos any number; below 1 counts as 1
     * @return OpenTelemetry's index less {@link HistogramSnapshot#FIRST_INDEX}
     */
    static int position(long nanos) {
        long duration = Math.max(1, nanos);
        int leading = Long.numberOfLeadingZeros(duration);
        int below = (int) ((duration << (leading + 1)) >>> (Long.SIZE - BITS));
        int position = START[((Long.SIZE - 1 - leading) << BITS) + below];
        return duration > UPPER[position] ? position + 1 : position;
    }
}
