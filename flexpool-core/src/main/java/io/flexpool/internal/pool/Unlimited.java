// SPDX-License-Identifier: Apache-2.0
package io.flexpool.internal.pool;

import io.flexpool.internal.context.PoolContext;
import io.flexpool.internal.gate.Gate;
import io.flexpool.internal.gate.Waiter;
import io.flexpool.internal.lease.LeaseTracker;
import io.flexpool.internal.lease.Slot;
import io.flexpool.internal.record.StripedCounter;
import org.jspecify.annotations.Nullable;

/**
 * The admission of a pool without a limit: requests wait inside the pool. A request takes its thread's slot if that is
 * free; otherwise it claims a slot once it has a connection, so that there are never more slots than connections.
 */
final class Unlimited extends Admission {
    /** Null if requests are not counted. */
    private final @Nullable StripedCounter requests;

    Unlimited(PoolContext context, LeaseTracker leases, LeaseNotices notices) {
        super(context, leases, notices);
        this.requests = context.requests();
    }

    static Admission watching(PoolContext context, LeaseTracker leases, LeaseNotices notices) {
        return new Unlimited(context, leases, notices);
    }

    @Override
    @Nullable
    Slot tryEnter(long nowNanos) {
        if (!state.direct()) {
            return null;
        }
        Slot slot = slots.take(Thread.currentThread(), nowNanos);
        if (slot != null) {
            // Taking the slot has counted the request.
            return slot;
        }
        if (holds()) {
            return null;
        }
        requested();
        return Slot.UNPLACED;
    }

    /** Called before the pool's call: a request counts as entering until it is answered. */
    @Override
    void requested() {
        if (requests != null) {
            requests.increment((int) Thread.currentThread().getId());
        }
    }

    @Override
    void leave(Slot slot, long nowNanos, long heldNanos) {
        if (slot.parks) {
            slot.park(heldNanos);
        } else {
            slot.end(heldNanos);
            slot.vacate();
        }
    }

    @Override
    Slot enter(long nowNanos, int requestClass, boolean paused) {
        return Slot.UNPLACED;
    }

    /** The queue of a paused pool. */
    @Override
    Waiter joinQueue(Gate gate, SlowRequest request) {
        return gate.join(request.requestedNanos);
    }

    @Override
    Slot granted(int requestClass) {
        return Slot.UNPLACED;
    }
}
