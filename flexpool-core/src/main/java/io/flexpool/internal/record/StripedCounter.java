// SPDX-License-Identifier: Apache-2.0
package io.flexpool.internal.record;

import java.util.concurrent.atomic.AtomicLongArray;

/** A count that many threads add to, each on a stripe of its own. */
public final class StripedCounter {
    /** Longs from one stripe to the next: two cache lines. */
    private static final int STRIDE = 16;

    private final AtomicLongArray stripes;
    private final int mask;

    /** The number of stripes must be a power of two. */
    public StripedCounter(int stripes) {
        this.stripes = new AtomicLongArray((stripes + 1) * STRIDE);
        this.mask = stripes - 1;
    }

    public void increment(int threadId) {
        stripes.getAndAdd(((threadId & mask) + 1) * STRIDE, 1);
    }

    public void add(int number) {
        stripes.getAndAdd(STRIDE, number);
    }

    public long sum() {
        long sum = 0;
        for (int at = STRIDE; at < stripes.length(); at += STRIDE) {
            sum += stripes.get(at);
        }
        return sum;
    }
}
