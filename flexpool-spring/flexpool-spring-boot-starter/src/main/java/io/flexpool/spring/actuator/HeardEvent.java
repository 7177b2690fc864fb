// SPDX-License-Identifier: Apache-2.0
package io.flexpool.spring.actuator;

import io.flexpool.pool.PoolEvent;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/** An event, and how many of its kind came within a second with it. Thread-safe. */
final class HeardEvent {
    private final long number;
    private final EventKind kind;
    private final PoolEvent event;
    private final long firstMillis;
    private final AtomicLong lastMillis;
    private final AtomicLong longestNanos;
    private final AtomicLong count = new AtomicLong(1);

    HeardEvent(long number, EventKind kind, PoolEvent event, long millis) {
        this.number = number;
        this.kind = kind;
        this.event = event;
        this.firstMillis = millis;
        this.lastMillis = new AtomicLong(millis);
        this.longestNanos = new AtomicLong(nanos(event));
    }

    /** Whether another one is the same again: the same reason, within the second that began with this one. */
    boolean takes(EventKind otherKind, PoolEvent other, long millis) {
        return kind == otherKind
                && kind.comesInCrowds()
                && millis - firstMillis < EventRing.TOGETHER_MILLIS
                && sameReason(other);
    }

    private boolean sameReason(PoolEvent other) {
        return !(event instanceof PoolEvent.ConnectFailed mine)
                || (other instanceof PoolEvent.ConnectFailed theirs
                        && mine.reason().equals(theirs.reason())
                        && Objects.equals(mine.sqlState(), theirs.sqlState()));
    }

    void add(PoolEvent other, long millis) {
        count.incrementAndGet();
        lastMillis.accumulateAndGet(millis, Math::max);
        longestNanos.accumulateAndGet(nanos(other), Math::max);
    }

    /** What took its time: the wait, or the lease; 0 if the event knows of none. */
    private static long nanos(PoolEvent event) {
        if (event instanceof PoolEvent.AcquisitionTimedOut timeout) {
            return timeout.waitedNanos();
        } else if (event instanceof PoolEvent.AcquisitionSlow slow) {
            return slow.waitedNanos();
        } else if (event instanceof PoolEvent.LeaseLong lease) {
            return lease.heldNanos();
        } else if (event instanceof PoolEvent.ConnectFailed failed) {
            return failed.waitedNanos();
        } else if (event instanceof PoolEvent.AcquisitionRejected rejected) {
            return rejected.waitedNanos();
        }
        return 0;
    }

    /** The first event's number in its pool, from 0; grows with time. */
    long number() {
        return number;
    }

    EventKind kind() {
        return kind;
    }

    /** The first of them. */
    PoolEvent event() {
        return event;
    }

    long firstMillis() {
        return firstMillis;
    }

    long lastMillis() {
        return lastMillis.get();
    }

    long count() {
        return count.get();
    }

    /** The longest of their times; null for a kind that has none. */
    @Nullable
    Long longestNanos() {
        return kind.comesInCrowds() ? (Long) longestNanos.get() : null;
    }
}
