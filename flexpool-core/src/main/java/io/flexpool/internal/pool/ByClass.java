// SPDX-License-Identifier: Apache-2.0
package io.flexpool.internal.pool;

import io.flexpool.internal.context.PoolContext;
import io.flexpool.internal.context.RequestClasses;
import io.flexpool.internal.gate.ClassGate;
import io.flexpool.internal.gate.Gate;
import io.flexpool.internal.gate.ParkedPermits;
import io.flexpool.internal.gate.Waiter;
import io.flexpool.internal.jdbc.LeaseOwner;
import io.flexpool.internal.jdbc.LeasedConnection;
import io.flexpool.internal.lease.LeaseTracker;
import io.flexpool.internal.lease.Slot;
import java.sql.Connection;
import org.jspecify.annotations.Nullable;

/** The admission of a pool whose requests have classes: a slot has a permit of its class. */
final class ByClass extends Limited {
    private final RequestClasses classes;
    /** The queues of the gate. */
    private final ClassGate line;

    ByClass(PoolContext context, LeaseTracker leases, LeaseNotices notices, RequestClasses classes) {
        super(context, leases, notices, classes.line().gate());
        this.classes = classes;
        this.line = classes.line();
    }

    static Admission of(PoolContext context, LeaseTracker leases, LeaseNotices notices, RequestClasses classes) {
        return new ByClass(context, leases, notices, classes);
    }

    @Override
    @Nullable
    Slot tryEnter(long nowNanos) {
        if (!state.direct()) {
            return null;
        }
        int requestClass = classes.currentClass();
        Slot slot = slots.take(Thread.currentThread(), nowNanos);
        if (slot == null) {
            return holds() ? null : enter(nowNanos, requestClass, false, false);
        }
        if (slot.requestClass == requestClass) {
            return slot;
        }
        boolean entered = false;
        boolean parked = false;
        try {
            if (gate.move(slot.requestClass, requestClass)) {
                // Before any other call, which could fail: the slot and the numbers of the classes must agree.
                slot.requestClass = requestClass;
                gate.afterPark(nowNanos, Long.MAX_VALUE);
                entered = true;
                return slot;
            }
            slot.park(Long.MAX_VALUE);
            parked = true;
        } finally {
            if (!entered && !parked) {
                slot.abandoned = true;
            }
        }
        gate.afterPark(nowNanos, Long.MAX_VALUE);
        return null;
    }

    /** A nested request has the class of its thread's longest lease, which ends later: no full class may delay it. */
    @Override
    int requestClass() {
        int held = slots.classHeldBy(Thread.currentThread());
        return held == ParkedPermits.ANY ? classes.currentClass() : held;
    }

    @Override
    @Nullable
    Slot enter(long nowNanos, int requestClass, boolean paused) {
        return enter(nowNanos, requestClass, paused, holds());
    }

    @Override
    Waiter joinQueue(Gate at, SlowRequest request) {
        return line.join(
                request.requestedNanos,
                request.requestClass,
                classes.currentTenant(),
                holds(),
                request.deadlineNanos,
                request.neededUntilNanos);
    }

    @Override
    LeasedConnection lend(
            Slot slot,
            Connection target,
            LeaseOwner owner,
            long requestedNanos,
            long attemptNanos,
            int attempts,
            long acquiredNanos) {
        slot.tenant = classes.currentTenant();
        LeasedConnection lease = super.lend(slot, target, owner, requestedNanos, attemptNanos, attempts, acquiredNanos);
        try {
            classes.acquired(slot.requestClass, attemptNanos == requestedNanos, acquiredNanos - requestedNanos);
        } catch (Throwable outOfStack) {
            // The lease has begun. Only the statistics of its class miss one acquisition.
            return lease;
        }
        return lease;
    }

    @Override
    void leave(Slot slot, long nowNanos, long heldNanos) {
        if (slot.step < Slot.COUNTED && heldNanos != Long.MAX_VALUE) {
            line.ended(heldNanos, slot.requestClass, slot.tenant);
        }
        super.leave(slot, nowNanos, heldNanos);
    }
}
