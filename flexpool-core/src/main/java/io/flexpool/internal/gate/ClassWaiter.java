// SPDX-License-Identifier: Apache-2.0
package io.flexpool.internal.gate;

/** A waiter at a {@link ClassGate}: its class, its rank in the class, and its expiry. */
public final class ClassWaiter extends Waiter {
    private static final long NEVER = Long.MAX_VALUE;

    /** The place of its tenant in a {@link TenantQueue}. */
    final int tenant;

    private final long expiresNanos;
    private final long shedNanos;

    /** A waiter that expires at a time on the gate's ticker, or is shed before; {@link Long#MAX_VALUE} for never. */
    ClassWaiter(long sinceNanos, int requestClass, int tenant, boolean holds, long expiresNanos, long shedNanos) {
        super(Thread.currentThread(), sinceNanos, requestClass, holds);
        this.tenant = tenant;
        this.expiresNanos = expiresNanos;
        this.shedNanos = shedNanos;
    }

    /** Whether its wait is over, even if its thread has not run since. */
    boolean expired(long nowNanos) {
        return isOver(expiresNanos, nowNanos) || isOver(shedNanos, nowNanos);
    }

    private static boolean isOver(long endNanos, long nowNanos) {
        return endNanos != NEVER && nowNanos - endNanos >= 0;
    }

    /** The time from which a permit is useless; {@link Long#MAX_VALUE} for never. */
    public long expiresNanos() {
        return expiresNanos;
    }

    /** When the wait ends because its class is shed; {@link Long#MAX_VALUE} for never. */
    public long shedNanos() {
        return shedNanos;
    }

    /** Whether the waiter joined while its class was shed. */
    boolean shed() {
        return shedNanos != NEVER;
    }
}
