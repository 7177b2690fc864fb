// SPDX-License-Identifier: Apache-2.0
package io.flexpool.internal.pool;

import io.flexpool.internal.context.PoolContext;
import io.flexpool.internal.gate.Gate;
import io.flexpool.internal.gate.Waiter;
import io.flexpool.internal.lease.LeaseTracker;
import io.flexpool.internal.lease.Slot;
import org.jspecify.annotations.Nullable;

/** The admission of a pool with a gate in front of it: a slot has a permit of the gate. */
class Limited extends Admission {
    private final Gate gate;
    /**
     * Permits that could not be returned, ever, by class. Written without a call, for there is no stack for one, and so without
     * order: of two that are written in the same moment one may be missed, and is found as lost later.
     *
     * <p>The sweep finds all of them later, but only in a pool that rests: it compares two ticks without a lease between them, and
     * counts on idle connections, which some pools do not report. In a busy pool the permits would be missing when they are needed most.
     */
    private final int[] unreturned;
    /** How many of them have been returned. Of the tick. */
    private final int[] repaid;

    Limited(PoolContext context, LeaseTracker leases, LeaseNotices notices, Gate gate) {
        super(context, leases, notices);
        this.gate = gate;
        this.unreturned = new int[Math.max(1, gate.classes())];
        this.repaid = new int[unreturned.length];
    }

    static Admission of(PoolContext context, LeaseTracker leases, LeaseNotices notices, Gate gate) {
        return new Limited(context, leases, notices, gate);
    }

    @Override
    @Nullable
    Slot tryEnter(long nowNanos) {
        if (!state.direct()) {
            return null;
        }
        Slot slot = slots.take(Thread.currentThread(), nowNanos);
        return slot != null || holds() ? slot : enter(nowNanos, 0);
    }

    @Override
    @Nullable
    Slot enter(long nowNanos, int requestClass) {
        return gate.tryEnter(nowNanos, requestClass, false) ? granted(nowNanos, requestClass) : null;
    }

    @Override
    @Nullable
    Slot enterPaused(long nowNanos, int requestClass) {
        return gate.tryEnterHeld(nowNanos, requestClass) ? granted(nowNanos, requestClass) : null;
    }

    @Override
    Waiter join(Gate at, long requestedNanos, int requestClass, long expiresNanos, long answerNanos) {
        return at.join(requestedNanos);
    }

    @Override
    final Slot granted(long nowNanos, int requestClass) {
        boolean claimed = false;
        try {
            Slot slot = slots.claim(Thread.currentThread());
            slot.ofClass = requestClass;
            slot.step = Slot.COUNTED;
            claimed = true;
            return slot;
        } finally {
            if (!claimed) {
                try {
                    giveBack(nowNanos, requestClass);
                } catch (Throwable outOfStack) {
                    unreturned[requestClass]++;
                }
            }
        }
    }

    @Override
    final void giveBack(long nowNanos, int requestClass) {
        gate.exit(nowNanos, Long.MAX_VALUE, requestClass);
    }

    @Override
    void leave(Slot slot, long nowNanos, long heldNanos) {
        if (slot.parks && slot.step <= Slot.COUNTED && gate.parks(nowNanos, heldNanos)) {
            slot.park(heldNanos);
            try {
                // Not in a method of its own: if the call of that threw, the caller would abandon a slot that is
                // another's.
                gate.parked(nowNanos, heldNanos);
            } catch (Throwable outOfStack) {
                // The slot is another request's. The tick serves those that wait.
                return;
            }
            return;
        }
        slot.end(heldNanos);
        if (slot.step == Slot.COUNTED) {
            // After the lease has ended: the table has no more leases than there are permits.
            gate.exit(nowNanos, heldNanos, slot.ofClass);
            slot.step = Slot.WITHOUT_PERMIT;
        }
        slot.vacate();
    }

    @Override
    void repay(long nowNanos) {
        for (int requestClass = 0; requestClass < repaid.length; requestClass++) {
            for (; repaid[requestClass] != unreturned[requestClass]; repaid[requestClass]++) {
                gate.exit(nowNanos, Long.MAX_VALUE, requestClass);
            }
        }
    }
}
