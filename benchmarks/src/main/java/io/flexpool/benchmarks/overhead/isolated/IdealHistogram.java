// SPDX-License-Identifier: Apache-2.0
package io.flexpool.benchmarks.overhead.isolated;

import java.util.concurrent.atomic.AtomicLongArray;

/**
 * The least that a histogram of durations can do: eight buckets per power of two of nanoseconds, one addition to the
 * bucket and one to the sum, on a stripe that other threads seldom touch. It has as many stripes as flexpool's own
 * histograms: with fewer, threads that share one would be counted as the floor's cost.
 */
final class IdealHistogram {
    private static final int SUB_BITS = 3;
    private static final int BUCKETS = 64 << SUB_BITS;
    /** Two cache lines from a stripe's beginning: the collector may put the stripe right behind another thread's. */
    private static final int FIRST = 16;
    /** The bucket of 1 ns, which stays empty because the least that is counted is 8. */
    private static final int SUM = FIRST;

    private static final int PER_PROCESSOR = 4;
    private static final int LEAST = 4;
    private static final int MOST = 32;

    private final AtomicLongArray[] stripes;

    IdealHistogram() {
        stripes = new AtomicLongArray[stripesForThisMachine()];
        for (int at = 0; at < stripes.length; at++) {
            stripes[at] = new AtomicLongArray(FIRST + BUCKETS);
        }
    }

    /** Four for each processor, between 4 and 32, and a power of two. */
    static int stripesForThisMachine() {
        int atLeast = Math.max(
                LEAST, Math.min(MOST, PER_PROCESSOR * Runtime.getRuntime().availableProcessors()));
        return Integer.highestOneBit(2 * atLeast - 1);
    }

    int stripes() {
        return stripes.length;
    }

    void record(long nanos) {
        AtomicLongArray stripe = stripes[(int) Thread.currentThread().getId() & (stripes.length - 1)];
        long positive = Math.max(1L << SUB_BITS, nanos);
        int exponent = 63 - Long.numberOfLeadingZeros(positive);
        int sub = (int) (positive >>> (exponent - SUB_BITS)) & ((1 << SUB_BITS) - 1);
        stripe.getAndIncrement(FIRST + (exponent << SUB_BITS) + sub);
        stripe.getAndAdd(SUM, nanos);
    }
}
