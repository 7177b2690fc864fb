// SPDX-License-Identifier: Apache-2.0
package io.flexpool.internal.gate;

/** A waiter at a {@link ClassGate}: its class, its rank there, and until when a permit is of use to it. */
final class ClassWaiter extends Waiter {
    private static final long NEVER = Long.MAX_VALUE;

    final int ofClass;
    /** Whether its thread holds a permit already, so that it goes before newcomers. */
    final boolean holds;

    private final long expiresNanos;

    /** One that expires at a time on the gate's ticker; {@link Long#MAX_VALUE} for never. */
    ClassWaiter(long sinceNanos, int ofClass, boolean holds, long expiresNanos) {
        super(Thread.currentThread(), sinceNanos);
        this.ofClass = ofClass;
        this.holds = holds;
        this.expiresNanos = expiresNanos;
    }

    /** Whether its caller waits no longer, even if its thread has not run since. */
    boolean expired(long nowNanos) {
        return expiresNanos != NEVER && nowNanos - expiresNanos >= 0;
    }
}
