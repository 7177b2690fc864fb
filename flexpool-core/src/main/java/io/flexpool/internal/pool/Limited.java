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
    final Gate gate;

    Limited(PoolContext context, LeaseTracker leases, LeaseNotices notices, Gate gate) {
        super(context, leases, notices);
        this.gate = gate;
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
        return slot != null || holds() ? slot : enter(nowNanos, 0, false);
    }

    @Override
    @Nullable
    Slot enter(long nowNanos, int requestClass, boolean paused) {
        return enter(nowNanos, requestClass, paused, false);
    }

    /** As above; {@code holds}: whether the thread holds a connection, so that its class may exceed its maximum. */
    final @Nullable Slot enter(long nowNanos, int requestClass, boolean paused, boolean holds) {
        boolean entered = false;
        Slot slot = null;
        try {
            entered =
                    paused ? gate.tryEnterPaused(nowNanos, requestClass) : gate.tryEnter(nowNanos, requestClass, holds);
            slot = entered ? granted(requestClass) : null;
            return slot;
        } finally {
            if (entered && slot == null) {
                gate.exit(nowNanos, Long.MAX_VALUE, requestClass);
            }
        }
    }

    @Override
    Waiter joinQueue(Gate at, SlowRequest request) {
        return at.join(request.requestedNanos);
    }

    @Override
    final Slot granted(int requestClass) {
        Slot slot = slots.claim(Thread.currentThread());
        slot.requestClass = requestClass;
        slot.step = Slot.COUNTED;
        return slot;
    }

    @Override
    void leave(Slot slot, long nowNanos, long heldNanos) {
        if (slot.parks && slot.step <= Slot.COUNTED && gate.canPark(nowNanos, heldNanos)) {
            slot.park(heldNanos);
            try {
                // Inline: if a separate method overflowed the stack, the caller would abandon another request's slot.
                gate.afterPark(nowNanos, heldNanos);
            } catch (Throwable outOfStack) {
                // Another request may have the slot. The tick serves the waiters.
                return;
            }
            return;
        }
        slot.end(heldNanos);
        if (slot.step == Slot.COUNTED) {
            // After the lease has ended, so that the table never has more leases than permits.
            gate.exit(nowNanos, heldNanos, slot.requestClass);
            slot.step = Slot.WITHOUT_PERMIT;
        }
        slot.vacate();
    }
}
