// SPDX-License-Identifier: Apache-2.0
package io.flexpool.internal.event;

import java.util.concurrent.atomic.AtomicLong;

/** Permits one call per time span, so that many failures do not become many log lines. */
public final class RateLimit {
    private final long spanNanos;
    private final AtomicLong next;

    public RateLimit(long spanNanos, long nowNanos) {
        this.spanNanos = spanNanos;
        this.next = new AtomicLong(nowNanos);
    }

    public boolean permits(long nowNanos) {
        long due = next.get();
        return nowNanos - due >= 0 && next.compareAndSet(due, nowNanos + spanNanos);
    }
}
