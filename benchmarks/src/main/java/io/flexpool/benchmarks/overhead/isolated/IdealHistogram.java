// SPDX-License-Identifier: Apache-2.0
package io.flexpool.benchmarks.overhead.isolated;

import java.util.concurrent.atomic.AtomicLongArray;

/**
 * The least that a histogram of durations can do: eight buckets per power of two of nanoseconds, one addition to the
 * bucket and one to the sum, on a stripe that other threads seldom touch.
 */
final class IdealHistogram {
    private static final int SUB_BITS = 3;
    private static final int BUCKETS = 64 << SUB_BITS;
    /** Two cache lines between the stripes, and the sum in the first. */
    private static final int FIRST = 16;

    private final AtomicLongArray[] stripes;

    IdealHistogram() {
        int processors = Math.max(2, Runtime.getRuntime().availableProcessors());
        stripes = new AtomicLongArray[Integer.highestOneBit(processors * 2 - 1)];
        for (int at = 0; at < stripes.length; at++) {
            stripes[at] = new AtomicLongArray(FIRST + BUCKETS);
        }
    }

    void record(long nanos) {
        AtomicLongArray stripe = stripes[(int) Thread.currentThread().getId() & (stripes.length - 1)];
        long positive = Math.max(1L << SUB_BITS, nanos);
        int exponent = 63 - Long.numberOfLeadingZeros(positive);
        int sub = (int) (positive >>> (exponent - SUB_BITS)) & ((1 << SUB_BITS) - 1);
        stripe.getAndIncrement(FIRST + (exponent << SUB_BITS) + sub);
        stripe.getAndAdd(0, nanos);
    }
}
