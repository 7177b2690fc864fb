// SPDX-License-Identifier: Apache-2.0
package io.flexpool.internal;

import java.util.concurrent.atomic.AtomicLong;

/** Lets one through in a span of time, so that a storm of failures does not become a storm of log lines. */
final class RateLimit {
    private final long spanNanos;
    private final AtomicLong next;

    RateLimit(long spanNanos, long nowNanos) {
        this.spanNanos = spanNanos;
        this.next = new AtomicLong(nowNanos);
    }

    boolean permits(long nowNanos) {
        long due = next.get();
        return nowNanos - due >= 0 && next.compareAndSet(due, nowNanos + spanNanos);
    }
}
