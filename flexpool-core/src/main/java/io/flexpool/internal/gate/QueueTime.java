// SPDX-License-Identifier: Apache-2.0
package io.flexpool.internal.gate;

import java.util.concurrent.atomic.AtomicLong;

/**
 * For how long, all in all, somebody has waited. Told whenever a queue begins and ends, by threads that wait or serve, and
 * by nobody else.
 *
 * <p>One word holds the sum of all ends less all begins, times eight, and in its low three bits how many queues have begun
 * and not ended. So the sum and whether a queue stands are read at once. Two threads may tell of an end and the next begin in the
 * wrong order; then the low bits are 2 or -1 for a moment, and what is read is wrong by no more than that moment.
 */
public final class QueueTime {
    private static final int BITS = 3;
    private static final int ONE_TOO_MANY = (1 << BITS) >> 1;
    private final AtomicLong word = new AtomicLong();
    private final long originNanos;

    /** Nobody has waited yet. */
    QueueTime(long nowNanos) {
        this.originNanos = nowNanos;
    }

    void begins(long nowNanos) {
        word.addAndGet(1 - ((nowNanos - originNanos) << BITS));
    }

    void ends(long nowNanos) {
        word.addAndGet(((nowNanos - originNanos) << BITS) - 1);
    }

    /** Until now, nanoseconds. */
    long nanos(long nowNanos) {
        long seen = word.get();
        long open = seen & ((1 << BITS) - 1);
        if (open >= ONE_TOO_MANY) {
            open -= 1 << BITS;
        }
        return ((seen - open) >> BITS) + open * (nowNanos - originNanos);
    }
}
