// SPDX-License-Identifier: Apache-2.0
package io.flexpool.internal.pool;

import io.flexpool.internal.context.PoolContext;
import io.flexpool.internal.context.RequestClasses;
import io.flexpool.internal.context.StateReader;
import io.flexpool.internal.gate.AdmissionState;
import io.flexpool.internal.gate.Gate;
import io.flexpool.internal.gate.ParkedPermits;
import io.flexpool.internal.jdbc.LeasedConnection;
import io.flexpool.internal.lease.LeaseTracker;
import io.flexpool.internal.lease.Slot;
import io.flexpool.internal.record.Recorder;
import io.flexpool.internal.record.StripedCounter;
import io.flexpool.pool.PoolSnapshot;
import org.jspecify.annotations.Nullable;

/**
 * Compares the claims of one pool (permits, leases, waiters) with the requests that can own them, and returns claims
 * without an owner. A request returns its claims after every error, but this call may exhaust the stack or the memory.
 * Called by the tick.
 *
 * <p>{@linkplain Slot#abandoned Abandoned} slots are returned at once. Other claims are found by numbers: a claim
 * without an open lease belongs to a request that enters the pool, is inside it, or leaves it. Such claims are written
 * off if from one tick to the next no lease began or ended, and the pool has an idle connection for each of them: no
 * request stays inside such a pool for long. A late tick is followed by the next one within milliseconds, in which
 * rarely a lease begins or ends; such a tick proves nothing. Requests do stay inside a pool that an operator has
 * suspended: their claims are counted again when they come back, which two ticks under load show as well.
 */
final class ClaimReconciler {
    /** Ticks closer together than this are not compared. */
    private static final long APART_NANOS = 200_000_000;
    /**
     * The statistics are corrected after this number of equal ticks, a second in all: on an overloaded machine a thread
     * may stand still between its lease and the record of it for longer than one tick, and records the lease later.
     */
    private static final int EQUAL_TICKS = 4;

    private final AcquiringPool pool;
    private final Recorder recorder;
    private final LeaseTracker leases;
    private final @Nullable Gate gate;
    private final AdmissionState admission;
    private final StateReader states;
    private final @Nullable StripedCounter requests;
    private final @Nullable RequestClasses classes;
    /** The figures of the last tick, for comparison with the next. */
    private long acquiredBefore = -1;

    private long releasedBefore;
    private int openBefore;
    private int onTheWayBefore;
    private long beforeNanos;
    private int equalTicks;

    ClaimReconciler(PoolContext context, AcquiringPool pool, LeaseTracker leases) {
        this.pool = pool;
        this.recorder = context.recorder();
        this.leases = leases;
        this.gate = context.gate();
        this.admission = context.admissionState();
        this.states = context.states();
        this.requests = context.requests();
        this.classes = context.classes();
        this.beforeNanos = context.nanos();
    }

    /** One tick, with the pool's own figures. */
    void reconcile(long nowNanos, PoolSnapshot snapshot) {
        LeasedConnection.finish();
        leases.slots().takeAbandoned(slot -> pool.resume(slot, nowNanos));
        if (classes != null) {
            classes.tick(nowNanos);
        }
        if (gate != null) {
            gate.repair(nowNanos);
        }
        if (nowNanos - beforeNanos < APART_NANOS) {
            return;
        }
        int claimed = claimed();
        int open = leases.slots().openCount(ParkedPermits.ANY);
        int onTheWay = claimed - (gate == null ? 0 : open);
        long acquired = recorder.acquired();
        long released = recorder.released();
        boolean equal = acquired == acquiredBefore
                && released == releasedBefore
                && open == openBefore
                && onTheWay == onTheWayBefore;
        equalTicks = equal ? equalTicks + 1 : 0;
        if (equalTicks >= EQUAL_TICKS) {
            recorder.correct(acquired - released - open);
        }
        int back = Math.max(onTheWay, onTheWayBefore);
        if (back < 0 || equalTicks > 0) {
            writeOff(back < 0 ? back : onTheWay, open, nowNanos, snapshot);
            onTheWay = Math.max(0, onTheWay);
        }
        acquiredBefore = acquired;
        releasedBefore = released;
        openBefore = open;
        onTheWayBefore = onTheWay;
        beforeNanos = nowNanos;
    }

    /** Permits in use; without a gate, unanswered requests that do not wait for the end of a pause. */
    private int claimed() {
        return gate != null ? gate.inUse() : states.unanswered() - admission.waitingOnHold();
    }

    /**
     * Writes off claims that are certainly lost: as many connections are idle in a pool where no request waits, and no
     * more connections are in use than leases are open.
     */
    private void writeOff(int lost, int open, long nowNanos, PoolSnapshot snapshot) {
        boolean quiescent =
                snapshot.active() != PoolSnapshot.UNKNOWN && snapshot.active() <= open && snapshot.pending() <= 0;
        // The number is negative once a written-off claim has been returned after all.
        if (lost < 0 || (lost > 0 && quiescent && snapshot.idle() >= lost)) {
            if (gate != null) {
                // First: the next waiter may be of a class that was at its maximum.
                writeOffByClass(lost < 0);
                gate.writeOff(lost, nowNanos);
            } else if (requests != null) {
                requests.add(-lost);
            }
        }
    }

    /** Writes off each class's permits without a lease, or counts written-off permits that came back. */
    private void writeOffByClass(boolean cameBack) {
        for (int requestClass = 0;
                classes != null && requestClass < classes.rules().size();
                requestClass++) {
            int without =
                    classes.line().gate().inUse(requestClass) - leases.slots().openCount(requestClass);
            if (cameBack ? without < 0 : without > 0) {
                classes.line().gate().writeOffOf(requestClass, without);
            }
        }
    }
}
