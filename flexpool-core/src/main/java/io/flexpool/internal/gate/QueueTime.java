// SPDX-License-Identifier: Apache-2.0
package io.flexpool.internal.gate;

import java.util.concurrent.atomic.AtomicLong;

/**
 * The total time in which at least one request waited. Updated when a queue begins and ends, by waiting or serving
 * threads only.
 *
 * <p>One word holds the sum of all ends minus all begins, times eight, and in its low three bits the number of queues
 * begun and not ended. So the sum and whether a queue exists are read at once. Two threads may report an end and the
 * next begin in the wrong order. Then the low bits are 2 or -1 for a moment, and the result is wrong by at most that
 * moment.
 */
public final class QueueTime {
    private static final int BITS = 3;
    private static final int ONE_TOO_MANY = (1 << BITS) >> 1;
    private final AtomicLong word = new AtomicLong();
    private final long originNanos;

    /** No time so far. */
    QueueTime(long nowNanos) {
        this.originNanos = nowNanos;
    }

    void begins(long nowNanos) {
        word.addAndGet(1 - ((nowNanos - originNanos) << BITS));
    }

    void ends(long nowNanos) {
        word.addAndGet(((nowNanos - originNanos) << BITS) - 1);
    }

    /** The total until now, nanoseconds. */
    long nanos(long nowNanos) {
        long seen = word.get();
        long open = seen & ((1 << BITS) - 1);
        if (open >= ONE_TOO_MANY) {
            open -= 1 << BITS;
        }
        return ((seen - open) >> BITS) + open * (nowNanos - originNanos);
    }
}
