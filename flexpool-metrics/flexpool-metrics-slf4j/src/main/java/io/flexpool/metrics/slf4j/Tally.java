// SPDX-License-Identifier: Apache-2.0
package io.flexpool.metrics.slf4j;

import java.util.concurrent.atomic.AtomicLong;

/**
 * Events of one kind in one period: the first few may be told one by one, the others are counted until somebody tells of
 * them together. Thread-safe without a lock; an event that comes while the period ends belongs to either.
 */
final class Tally {
    private final int most;
    private final AtomicLong told = new AtomicLong();
    private final AtomicLong untold = new AtomicLong();
    private final AtomicLong longestNanos = new AtomicLong();

    /**
     * What was not told one by one.
     *
     * @param count how many
     * @param longestNanos the longest of them
     */
    record Rest(long count, long longestNanos) {}

    Tally(int most) {
        this.most = most;
    }

    /** Counts one; true if it may be told by itself. */
    boolean tells(long nanos) {
        if (told.getAndIncrement() < most) {
            return true;
        }
        longestNanos.accumulateAndGet(nanos, Math::max);
        untold.incrementAndGet();
        return false;
    }

    /** Ends the period. */
    Rest end() {
        long count = untold.getAndSet(0);
        long longest = longestNanos.getAndSet(0);
        told.set(0);
        return new Rest(count, longest);
    }
}
