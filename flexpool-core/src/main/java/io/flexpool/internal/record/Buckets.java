// SPDX-License-Identifier: Apache-2.0
package io.flexpool.internal.record;

import io.flexpool.monitoring.HistogramSnapshot;

/**
 * The bounds of the buckets for durations; {@link SlotRecords#position} finds a duration's bucket.
 *
 * <p>The bounds are powers of 2^(1/8) <em>seconds</em>, because that is the unit of OpenTelemetry and Prometheus. 10^9
 * is no power of 2^(1/8), so buckets over nanoseconds could not be copied. Durations are whole nanoseconds, so a bound
 * is stored as the largest integer not above it, and comparing with that is exact. The highest bit of a duration and
 * the four bits below it select the first candidate bucket. These sixteenths of an octave are narrower than a bucket,
 * so one comparison corrects the selection. No logarithm and no floating point: a conversion to double costs 5 to 10 ns
 * more a cycle.
 *
 * <p>Histograms store the buckets in blocks of {@link #PER_BLOCK}, and only the blocks that were recorded into: the
 * durations of one pool lie within some octaves of 47.
 */
final class Buckets {
    /** Buckets of a block: one octave. */
    static final int PER_BLOCK = 8;

    /** Shifts a position to the number of its block. */
    static final int SHIFT = 3;

    /** Masks a position to its place in the block. */
    static final int IN_BLOCK = PER_BLOCK - 1;

    /** Blocks of a whole histogram. */
    static final int BLOCKS = HistogramSnapshot.BUCKETS / PER_BLOCK;

    /** At i: the longest duration of the bucket at position i. */
    static final long[] UPPER = new long[HistogramSnapshot.BUCKETS];

    static final int BITS = 4;
    /** The first candidate position, by the highest bit of a duration and the four bits below it. */
    static final short[] START = new short[Long.SIZE << BITS];

    static {
        for (int at = 0; at < UPPER.length; at++) {
            UPPER[at] = (long) (HistogramSnapshot.upperBoundSeconds(at + HistogramSnapshot.FIRST_INDEX) * 1e9);
        }
        UPPER[UPPER.length - 1] = Long.MAX_VALUE;
        // Positions grow with durations: one pass over the buckets is enough for all durations.
        int position = 0;
        for (int highest = 0; highest < Long.SIZE - 1; highest++) {
            for (int below = 0; below < 1 << BITS; below++) {
                long from = (1L << highest)
                        + (highest >= BITS ? (long) below << (highest - BITS) : (long) below >> (BITS - highest));
                while (UPPER[position] < from) {
                    position++;
                }
                START[(highest << BITS) + below] = (short) position;
            }
        }
    }

    private Buckets() {}
}
