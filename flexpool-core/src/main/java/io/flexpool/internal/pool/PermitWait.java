// SPDX-License-Identifier: Apache-2.0
package io.flexpool.internal.pool;

import io.flexpool.internal.context.PoolContext;
import io.flexpool.internal.context.RequestScope;
import io.flexpool.internal.gate.ClassWaiter;
import io.flexpool.internal.gate.Gate;
import io.flexpool.internal.gate.Waiter;
import io.flexpool.internal.lease.CallSites.CallSite;
import io.flexpool.internal.lease.Slot;
import io.flexpool.strategy.AcquisitionStrategy.Verdict;
import java.sql.SQLException;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The wait of one request: for a permit in the queue of the gate, or, without a limit, for the end of a pause. Used by
 * one thread.
 */
final class PermitWait {
    private static final long NEVER = SlowRequest.NEVER;
    /** How often a thread that holds a connection tries to enter a paused pool: no end of a lease wakes it. */
    private static final long PAUSED_NANOS = 5_000_000;

    private final SlowRequest request;
    private final RequestFailure failure;
    private final Admission admission;
    private final PoolContext context;

    /** The slot of a request that has entered a paused pool during its wait, because its thread holds a connection. */
    private @Nullable Slot bypassSlot;

    private boolean queued;

    PermitWait(SlowRequest request, RequestFailure failure) {
        this.request = request;
        this.failure = failure;
        this.admission = request.path.admission();
        this.context = request.context;
    }

    /** Whether the request has waited in a queue. */
    boolean queued() {
        return queued;
    }

    /** Waits for a permit, and claims its slot. If it throws, the request has left the queue. */
    Slot await() throws SQLException {
        Slot entered = mayBypassPause() ? admission.enter(context.nanos(), request.requestClass, true) : null;
        Gate gate = context.gate();
        if (entered == null && gate == null) {
            Gate paused = context.admissionState().holdQueue();
            if (paused != null && context.admissionState().paused()) {
                await(paused);
                if (bypassSlot == null) {
                    paused.exit(request.nowOrRequested());
                }
            }
        }
        if (entered == null && !request.expired()) {
            entered = admission.enter(context.nanos(), request.requestClass, false);
        }
        return entered != null ? entered : gate == null ? Slot.UNPLACED : await(gate);
    }

    /** Whether this thread may enter a paused pool: it holds a connection that other requests wait for. */
    private boolean mayBypassPause() {
        return context.admissionState().paused() && admission.holds();
    }

    /** Waits for a permit, and claims a slot for it; or returns the slot of a request that entered a paused pool. */
    private Slot await(Gate gate) throws SQLException {
        CallSite trace = admission.trace(request.requestClass);
        Waiter waiter = admission.joinQueue(gate, request);
        queued = true;
        bypassSlot = null;
        WaitFailure why = null;
        Slot slot = null;
        try {
            why = await(gate, waiter);
            if (why == null && bypassSlot == null && request.expired()) {
                why = failure::timedOutAtGate;
            }
            if (why == null) {
                slot = bypassSlot != null ? bypassSlot : admission.granted(request.requestClass);
            }
        } finally {
            // Also after an Error the request leaves the queue, and returns a granted permit. Before listeners are
            // called: they may be slow, and their event must not count this request as waiting.
            if (slot == null) {
                if (bypassSlot != null) {
                    bypassSlot.abandoned = true;
                }
                try {
                    leave(gate, waiter);
                } catch (Throwable outOfStack) {
                    waiter.left = true;
                }
            }
        }
        if (slot == null) {
            throw Objects.requireNonNull(why).failure();
        }
        if (trace != null) {
            slot.requestedAt(trace);
        }
        return slot;
    }

    /** Leaves the queue, and releases a permit that was granted meanwhile. */
    private void leave(Gate from, Waiter waiter) {
        if (!from.leave(waiter, request.nowOrRequested())) {
            from.exit(request.nowOrRequested(), NEVER, request.requestClass);
        }
    }

    /** Why a wait has failed; reported once the request has left the queue. */
    private interface WaitFailure {
        SQLException failure() throws SQLException;
    }

    /** Returns null with a permit, otherwise why there is none. */
    private @Nullable WaitFailure await(Gate gate, Waiter waiter) throws SQLException {
        Consultation.Schedule schedule = new Consultation.Schedule(
                context.config().strategies(),
                request.requestedNanos,
                context.recorder().usualWaitNanos());
        boolean classed = context.classes() != null && waiter instanceof ClassWaiter;
        long shedNanos = classed ? ((ClassWaiter) waiter).shedNanos() : NEVER;
        long lateNanos = classed ? ((ClassWaiter) waiter).expiresNanos() : NEVER;
        while (true) {
            boolean bypasses = mayBypassPause();
            if (bypasses && tryBypassPause(gate, waiter)) {
                return null;
            }
            long until = RequestScope.earlier(
                    RequestScope.earlier(schedule.nextDue(request.attemptEndNanos), request.sampleNanos),
                    RequestScope.earlier(shedNanos, lateNanos));
            if (bypasses) {
                until = RequestScope.earlier(until, context.nanos() + PAUSED_NANOS);
            }
            if (gate.await(waiter, until == NEVER ? SlowRequest.after(context.nanos(), NEVER / 4) : until)) {
                return null;
            }
            if (Thread.currentThread().isInterrupted()) {
                return failure::interrupted;
            }
            WaitFailure why = ended(waiter, schedule, shedNanos, lateNanos);
            if (why != null) {
                // A permit that was granted meanwhile is taken after all.
                return waiter.granted() ? null : why;
            }
        }
    }

    /** Why the wait has failed; null if it continues. */
    private @Nullable WaitFailure ended(Waiter waiter, Consultation.Schedule schedule, long shedNanos, long lateNanos) {
        long now = context.nanos();
        if (context.admissionState().closed() || context.closedByApplication()) {
            // Without a permit the request cannot call the pool, which would fail the same way.
            return failure::closed;
        }
        if (shedNanos != NEVER && now - shedNanos >= 0) {
            return failure::shed;
        }
        if (lateNanos != NEVER && now - lateNanos >= 0) {
            return failure::timedOutAtGate;
        }
        if (request.sampleNanos != NEVER && now - request.sampleNanos >= 0) {
            request.sampleNanos = NEVER;
            context.turnover().quietNanos(now);
        }
        if (request.attemptEndNanos != NEVER && now - request.attemptEndNanos >= 0) {
            return goesOn(waiter, now) ? null : failure::timedOutAtGate;
        }
        Verdict verdict = request.strategies.consult(null, waiter, schedule, now);
        return verdict.action() == Verdict.Action.REJECT ? () -> failure.rejected(null, verdict.reason()) : null;
    }

    /** Takes a permit of a paused gate, and then leaves its queue. */
    private boolean tryBypassPause(Gate gate, Waiter waiter) {
        bypassSlot = admission.enter(context.nanos(), request.requestClass, true);
        if (bypassSlot == null) {
            return false;
        }
        leave(gate, waiter);
        return true;
    }

    /**
     * After a timeout at the gate, the next attempt keeps its place in the queue, without a delay: a delay protects the
     * database, which was not reached, and joining again would starve the longest waiters.
     */
    private boolean goesOn(Waiter waiter, long now) {
        if (!request.strategies.possible()) {
            return false;
        }
        Verdict verdict = request.strategies.consult(failure.atGate(), waiter, null, now);
        if (verdict.action() != Verdict.Action.RETRY) {
            return false;
        }
        request.again(now);
        return true;
    }
}
