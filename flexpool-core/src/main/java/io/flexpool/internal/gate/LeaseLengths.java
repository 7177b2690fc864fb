// SPDX-License-Identifier: Apache-2.0
package io.flexpool.internal.gate;

import java.util.Arrays;

/**
 * How long the leases of one class last: the median of the latest ones, and what nine of ten do not exceed. Written by any thread, without order: of two that
 * write in the same moment one may be missed. Read by one thread at a time.
 */
final class LeaseLengths {
    private static final int LATEST = 32;
    /** The median is computed anew after so many. */
    private static final int STEP = 8;
    /** Of ten leases so many are no longer than {@link #most}. */
    private static final int NINE_OF_TEN = 9;

    private final long[] nanos = new long[LATEST];
    private int ended;
    private int seen;
    private volatile long median;
    private volatile long most;

    /** A lease has ended. */
    void add(long heldNanos) {
        int at = ended;
        nanos[at & (LATEST - 1)] = heldNanos;
        // An int overflows after years of waiting, and then begins with few again.
        ended = at + 1 < 0 ? 0 : at + 1;
    }

    /** Takes over what has ended since. By one thread at a time. */
    void look() {
        int now = ended;
        if (now != seen && (now < STEP || now - seen < 0 || now - seen >= STEP)) {
            seen = now;
            long[] sorted = Arrays.copyOf(nanos, Math.min(now, LATEST));
            Arrays.sort(sorted);
            median = sorted.length == 0 ? 0 : sorted[sorted.length / 2];
            most = sorted.length < STEP ? 0 : sorted[sorted.length * NINE_OF_TEN / 10];
        }
    }

    /** Whether any is known. */
    boolean known() {
        return seen > 0;
    }

    /** What nine of ten leases do not exceed, 0 if too few are known. Read by any thread. */
    long most() {
        return most;
    }

    /** The median, 0 if none is known. Read by any thread. */
    long median() {
        return median;
    }
}
