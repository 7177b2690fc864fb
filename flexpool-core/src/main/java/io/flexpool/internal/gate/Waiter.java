// SPDX-License-Identifier: Apache-2.0
package io.flexpool.internal.gate;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/** One waiting request. Used by one thread; claimed by any. */
public class Waiter {
    static final int PENDING = 0;
    static final int GRANTED = 1;
    static final int GONE = 2;

    /** Not yet counted as waiting. */
    static final int NEW = 0;

    static final int COUNTED = 1;
    static final int UNCOUNTED = 2;

    /** Null after the waiter has left, because the queue may reference the waiter for a while. */
    @Nullable
    Thread thread;

    final long sinceNanos;
    /** Its class; 0 without classes. */
    final int requestClass;
    /** Whether its thread holds a permit already, so that it goes before newcomers of its class. */
    final boolean holds;

    int ahead;
    final AtomicInteger claim = new AtomicInteger(PENDING);
    /** Whether the wait ends early, so that its thread checks whether to leave. */
    volatile boolean wakeRequested;
    /** Unparked and not yet running: one wake-up is enough. */
    volatile boolean woken;
    /** Until when newcomers may pass it although it is old; 0 before its first wake-up. Of two writes one wins. */
    private volatile long passedUntilNanos;
    /** Set by a thread that has no stack left to {@linkplain Gate#leave leave}. */
    public volatile boolean left;
    /** Whether it is counted as waiting; the thread with the successful compare-and-set lowers the count. */
    volatile int counted;
    /** The consecutive checks in which it was counted without waiting. Used by the tick only. */
    int unsettledChecks;

    Waiter(Thread thread, long sinceNanos, int requestClass, boolean holds) {
        this.thread = thread;
        this.sinceNanos = sinceNanos;
        this.requestClass = requestClass;
        this.holds = holds;
    }

    /** The number of requests that waited when it joined. */
    public int ahead() {
        return ahead;
    }

    public boolean granted() {
        return claim.get() == GRANTED;
    }

    boolean isNew(long nowNanos) {
        return nowNanos - sinceNanos <= Gate.ORDER_AFTER_NANOS;
    }

    /** Whether newcomers pass it for a moment. */
    boolean isPassed(long nowNanos) {
        long until = passedUntilNanos;
        return until != 0 && nowNanos - until < 0;
    }

    /** Lets newcomers pass for {@code nanos} from the first call on; returns whether they still do. */
    boolean passes(long nowNanos, long nanos) {
        if (passedUntilNanos == 0) {
            // A nanosecond more does not matter, and 0 means that it was never called.
            passedUntilNanos = (nowNanos + nanos) | 1;
        }
        return isPassed(nowNanos);
    }

    /** Whether it has precedence over newcomers for a free permit. */
    boolean goesFirst(long nowNanos) {
        return !isNew(nowNanos) && !isPassed(nowNanos);
    }

    /** Whether newcomers may go before it, now and perhaps for a moment. */
    boolean letsPass(long nowNanos, long nanos) {
        return isNew(nowNanos) || passes(nowNanos, nanos);
    }

    /** Lets its thread try to get a permit. */
    void wake() {
        woken = true;
        LockSupport.unpark(thread);
    }

    boolean waits() {
        return claim.get() == PENDING && !left;
    }

    /** Whether it neither waits nor is counted, now or later. */
    boolean settled() {
        return !waits() && counted == UNCOUNTED;
    }
}
