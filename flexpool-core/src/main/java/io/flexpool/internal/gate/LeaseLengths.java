// SPDX-License-Identifier: Apache-2.0
package io.flexpool.internal.gate;

import java.util.Arrays;

/**
 * The lease times of one class: the median and the 90th percentile of the latest leases. Written by any thread, without
 * order: one of two simultaneous writes may be lost. Read by one thread at a time.
 */
final class LeaseLengths {
    private static final int LATEST = 32;
    /** The number of leases after which the median is computed again. */
    private static final int STEP = 8;
    /** The percentile of {@link #most}, in tenths. */
    private static final int NINE_OF_TEN = 9;

    private final long[] nanos = new long[LATEST];
    private int ended;
    private int seen;
    private volatile long median;
    private volatile long most;

    /** Records the time of an ended lease. */
    void add(long leaseNanos) {
        int at = ended;
        nanos[at & (LATEST - 1)] = leaseNanos;
        // An int overflows after years: then the count begins at 0 again.
        ended = at + 1 < 0 ? 0 : at + 1;
    }

    /** Takes the leases that have ended since. By one thread at a time. */
    void update() {
        int now = ended;
        if (now != seen && (now < STEP || now - seen < 0 || now - seen >= STEP)) {
            seen = now;
            long[] sorted = Arrays.copyOf(nanos, Math.min(now, LATEST));
            Arrays.sort(sorted);
            median = sorted.length == 0 ? 0 : sorted[sorted.length / 2];
            most = sorted.length < STEP ? 0 : sorted[sorted.length * NINE_OF_TEN / 10];
        }
    }

    /** Whether a lease is known. */
    boolean known() {
        return seen > 0;
    }

    /** The 90th percentile, 0 if too few leases are known. Read by any thread. */
    long most() {
        return most;
    }

    /** The median lease time, 0 if unknown. Read by any thread. */
    long median() {
        return median;
    }
}
