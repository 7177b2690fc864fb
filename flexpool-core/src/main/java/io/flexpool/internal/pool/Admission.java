// SPDX-License-Identifier: Apache-2.0
package io.flexpool.internal.pool;

import io.flexpool.adapter.Capability;
import io.flexpool.internal.context.PoolContext;
import io.flexpool.internal.context.RequestClasses;
import io.flexpool.internal.gate.AdmissionState;
import io.flexpool.internal.gate.Gate;
import io.flexpool.internal.gate.Waiter;
import io.flexpool.internal.jdbc.LeaseOwner;
import io.flexpool.internal.jdbc.LeasedConnection;
import io.flexpool.internal.lease.LeaseTable;
import io.flexpool.internal.lease.LeaseTracker;
import io.flexpool.internal.lease.Slot;
import io.flexpool.internal.record.Recorder;
import java.sql.Connection;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/**
 * Admits the requests of one pool, and takes their places back. Which kind a pool has is decided when it is built, so the
 * path of a request has no branch for what the pool does not have.
 *
 * <p>A request that is admitted has a {@link Slot}, and with a gate the permit that belongs to it, from before the pool is called
 * until the lease ends; without a gate see {@link Slot#UNPLACED}. {@link #leave} takes both back. Thread-safe.
 */
abstract class Admission {
    final AdmissionState state;
    final LeaseTable slots;
    private final LeaseTracker leases;
    private final Recorder recorder;
    private final LeaseNotices notices;

    Admission(PoolContext context, LeaseTracker leases, LeaseNotices notices) {
        this.state = context.admission();
        this.leases = leases;
        this.slots = leases.slots();
        this.recorder = context.recorder();
        this.notices = notices;
    }

    /** Of the kind that the pool's configuration and its adapter require. Each kind makes itself, so that only that one is loaded. */
    static Admission of(PoolContext context, LeaseTracker leases, LeaseNotices notices, ConnectionSource source) {
        Gate gate = context.gate();
        RequestClasses classes = context.classes();
        Admission each = classes != null
                ? ByClass.of(context, leases, notices, classes)
                : gate != null
                        ? Limited.of(context, leases, notices, gate)
                        : Unlimited.watching(context, leases, notices);
        return context.adapter().capabilities().contains(Capability.TRANSACTIONS)
                ? Transactional.around(context, leases, notices, each, source)
                : each;
    }

    // ---- the direct path ----

    /**
     * Admits a request at once.
     *
     * @return {@link Slot#UNPLACED} for a request that {@linkplain #claim claims} its slot once it has a connection; null if the
     *     request has to wait, is nested, or the pool is paused, drains, is closed or asks its circuit breaker
     */
    abstract @Nullable Slot tryEnter(long nowNanos);

    /** The slot of a request that was admitted without one, and has a connection now. */
    final Slot claim() {
        return slots.claim(Thread.currentThread());
    }

    /**
     * Begins a lease in a slot and counts the acquisition. If it throws, nothing has been counted, and the lease is to be
     * {@linkplain Slot#withdraw withdrawn}.
     *
     * @param attemptNanos when the attempt entered the pool that gave the connection; the time of the request if it was
     *     admitted at once
     * @return a lease of another slot if the connection was lent already: then this slot has been given back
     */
    LeasedConnection lend(
            Slot slot,
            Connection target,
            LeaseOwner owner,
            long requestedNanos,
            long attemptNanos,
            int attempts,
            long acquiredNanos) {
        boolean atOnce = attemptNanos == requestedNanos;
        LeasedConnection lease = leases.open(slot, target, owner, requestedNanos, acquiredNanos, atOnce);
        long waitedNanos = acquiredNanos - requestedNanos;
        if (!atOnce) {
            recorder.acquired(waitedNanos, acquiredNanos - attemptNanos, attempts);
        }
        try {
            if (waitedNanos > notices.acquiredAfterNanos) {
                notices.acquired(requestedNanos, acquiredNanos);
            }
        } catch (Throwable outOfStack) {
            // It belongs to the application, even if it could not be reported.
            return lease;
        }
        return lease;
    }

    /**
     * Takes back a slot with its permit, and ends the lease if one began. Goes on where an earlier call of it was cut short. If
     * it throws, the slot is still the caller's.
     *
     * @param heldNanos how long the lease lasted; {@link Long#MAX_VALUE} if none began
     */
    abstract void leave(Slot slot, long nowNanos, long heldNanos);

    /** The same where nothing else can be done if it throws: then the tick goes on with it. */
    final void leaveOrAbandon(Slot slot, long nowNanos) {
        try {
            leave(slot, nowNanos, Long.MAX_VALUE);
        } catch (Throwable outOfStack) {
            slot.abandoned = true;
        }
    }

    // ---- the slow path ----

    /** A request goes the slow way that the direct path has not counted. */
    void requested() {}

    /** The class of the calling thread's request: that of the connection it holds, if it holds one, so that neither waits. */
    int requestClass() {
        return 0;
    }

    /**
     * Admits a request that waits for nothing but a permit. If it throws, it has taken nothing.
     *
     * @param paused whether the pool may be paused: for a thread that holds a connection, on whose end others wait
     * @return null if no permit is free, or a waiter goes first
     */
    abstract @Nullable Slot enter(long nowNanos, int requestClass, boolean paused);

    /**
     * Joins the queue for a permit.
     *
     * @param expiresNanos when the request gives up; {@link Long#MAX_VALUE} for never
     * @param answerNanos when its caller has no use for an answer any more; {@link Long#MAX_VALUE} for never
     */
    abstract Waiter join(Gate gate, long requestedNanos, int requestClass, long expiresNanos, long answerNanos);

    /** Claims the slot of a request to which a permit was granted. If it throws, the permit is still the caller's. */
    abstract Slot granted(int requestClass);

    /** Returns a permit for which no slot was claimed. */
    abstract void giveBack(long nowNanos, int requestClass);

    /**
     * A further handle on the connection that the calling thread's transaction has already.
     *
     * @return null if it has none
     * @throws SQLException as the pool throws it: what strategies could do would not help
     */
    @Nullable
    Connection join(ConnectionRequest request, long requestedNanos) throws SQLException {
        return null;
    }

    /** Whether the calling thread holds a connection. */
    final boolean holds() {
        return slots.holds(Thread.currentThread());
    }
}
