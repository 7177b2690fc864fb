// SPDX-License-Identifier: Apache-2.0
package io.flexpool.internal.log;

import java.util.concurrent.atomic.AtomicLong;

/**
 * Events of one kind in one period: the first few may be logged one by one, the others are counted and summed up later.
 * Thread-safe without a lock; an event at the end of a period belongs to either.
 */
final class Tally {
    private final int most;
    private final AtomicLong seen = new AtomicLong();
    private final AtomicLong rest = new AtomicLong();
    private final AtomicLong longestNanos = new AtomicLong();

    /**
     * The events not logged one by one.
     *
     * @param count the number of these events
     * @param longestNanos the longest of these events
     */
    record Rest(long count, long longestNanos) {}

    Tally(int most) {
        this.most = most;
    }

    /** Counts an event; true if it may be logged on its own line. */
    boolean mayLog(long nanos) {
        if (seen.getAndIncrement() < most) {
            return true;
        }
        longestNanos.accumulateAndGet(nanos, Math::max);
        rest.incrementAndGet();
        return false;
    }

    /** Ends the period and resets the counts. */
    Rest end() {
        long count = rest.getAndSet(0);
        long longest = longestNanos.getAndSet(0);
        seen.set(0);
        return new Rest(count, longest);
    }
}
