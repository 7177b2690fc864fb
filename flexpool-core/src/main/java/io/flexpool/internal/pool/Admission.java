// SPDX-License-Identifier: Apache-2.0
package io.flexpool.internal.pool;

import io.flexpool.adapter.PoolAdapter.Capability;
import io.flexpool.internal.context.PoolContext;
import io.flexpool.internal.context.RequestClasses;
import io.flexpool.internal.gate.AdmissionState;
import io.flexpool.internal.gate.Gate;
import io.flexpool.internal.gate.Waiter;
import io.flexpool.internal.jdbc.LeaseOwner;
import io.flexpool.internal.jdbc.LeasedConnection;
import io.flexpool.internal.lease.CallSites.CallSite;
import io.flexpool.internal.lease.LeaseTable;
import io.flexpool.internal.lease.LeaseTracker;
import io.flexpool.internal.lease.Slot;
import io.flexpool.internal.record.Recorder;
import java.sql.Connection;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/**
 * Admits the requests of one pool: gives each a {@link Slot}, and, if a gate limits the pool, a permit; {@link #leave}
 * returns both. The pool's configuration decides the kind when the pool is built, so the path of a request has no
 * branch for a feature that the pool does not use.
 *
 * <p>A request has its slot and permit from before the call of the pool until the end of the lease. Without a gate it
 * may claim the slot after the call: {@link Slot#UNPLACED}. Thread-safe.
 */
abstract class Admission {
    final AdmissionState state;
    final LeaseTable slots;
    private final LeaseTracker leases;
    private final Recorder recorder;
    private final LeaseNotices notices;

    Admission(PoolContext context, LeaseTracker leases, LeaseNotices notices) {
        this.state = context.admissionState();
        this.leases = leases;
        this.slots = leases.slots();
        this.recorder = context.recorder();
        this.notices = notices;
    }

    /** Creates the kind that configuration and adapter require, by its factory method: no other kind is loaded. */
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
     * @return {@link Slot#UNPLACED} if the request {@linkplain #claim claims} its slot once it has a connection; null
     *     if the request must take the slow path: no permit is free, it is nested, or the pool is paused, drains, is
     *     closed, or its circuit breaker is not closed
     */
    abstract @Nullable Slot tryEnter(long nowNanos);

    /** Claims a slot for a request that was admitted without one, and now has a connection. */
    final Slot claim() {
        return slots.claim(Thread.currentThread());
    }

    /**
     * Begins a lease in a slot and counts the acquisition. If it throws, nothing has been counted, and the lease is to
     * be {@linkplain Slot#withdraw withdrawn}.
     *
     * @param attemptNanos when the attempt entered the pool that gave the connection; the request's time if admitted at
     *     once
     * @return a lease of another slot if the connection was leased already: then this slot has been returned
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
            // The lease has begun. Only the report of a slow acquisition is missing.
            return lease;
        }
        return lease;
    }

    /**
     * Ends the lease, if one began, and returns the slot with its permit. Continues at the slot's
     * {@linkplain Slot#step step} if an earlier call failed. If it throws, the slot still belongs to the caller.
     *
     * @param heldNanos the length of the lease; {@link Long#MAX_VALUE} without one
     */
    abstract void leave(Slot slot, long nowNanos, long heldNanos);

    /** As {@link #leave}; if that throws, marks the slot as abandoned, and the next tick continues. */
    final void leaveOrAbandon(Slot slot, long nowNanos) {
        try {
            leave(slot, nowNanos, Long.MAX_VALUE);
        } catch (Throwable outOfStack) {
            slot.abandoned = true;
        }
    }

    // ---- the slow path ----

    /** Counts a request that enters the slow path, where the direct path has not counted it. */
    void requested() {}

    /** The class of the calling thread's request; for a nested one, of its longest lease: see {@link ByClass}. */
    int requestClass() {
        return 0;
    }

    /**
     * Admits a request if a permit is free. If it throws, it has taken nothing.
     *
     * @param paused whether the pool may be paused: for a thread whose lease other requests wait for
     * @return null if no permit is free, or a waiter has precedence
     */
    abstract @Nullable Slot enter(long nowNanos, int requestClass, boolean paused);

    /** Joins the queue of a gate for a permit. */
    abstract Waiter joinQueue(Gate gate, SlowRequest request);

    /** The stack of the calling thread's request, if the call site of its lease will be needed. */
    final @Nullable CallSite trace(int requestClass) {
        return leases.trace(requestClass);
    }

    /** Claims the slot of a request to which a permit was granted. If it throws, the permit is still the caller's. */
    abstract Slot granted(int requestClass);

    /**
     * A second handle on the connection that the calling thread's transaction already has.
     *
     * @return null if the transaction has none
     * @throws SQLException from the pool; strategies are not consulted, because neither a retry nor growth would help
     */
    @Nullable
    Connection transactionHandle(ConnectionRequest request) throws SQLException {
        return null;
    }

    /** Whether the calling thread holds a connection. */
    final boolean holds() {
        return slots.holds(Thread.currentThread());
    }
}
