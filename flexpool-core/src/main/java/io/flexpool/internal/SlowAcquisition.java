// SPDX-License-Identifier: Apache-2.0
package io.flexpool.internal;

import io.flexpool.adapter.AcquisitionFailure;
import io.flexpool.adapter.AcquisitionFailure.Kind;
import io.flexpool.internal.config.PoolConfig;
import io.flexpool.internal.context.PoolContext;
import io.flexpool.internal.context.RequestClasses;
import io.flexpool.internal.context.RequestScope;
import io.flexpool.internal.failure.FailedAttempt;
import io.flexpool.internal.failure.FailedAttempt.Attempt;
import io.flexpool.internal.failure.FailedAttempt.OfClass;
import io.flexpool.internal.failure.FailureHandler;
import io.flexpool.internal.gate.Circuit;
import io.flexpool.internal.gate.ClassWaiter;
import io.flexpool.internal.gate.Gate;
import io.flexpool.internal.gate.Waiter;
import io.flexpool.internal.lease.NestedAcquisitions;
import io.flexpool.internal.lease.Slot;
import io.flexpool.internal.resize.Limiter;
import io.flexpool.internal.resize.StartAlignment;
import io.flexpool.pool.AcquisitionOutcome;
import io.flexpool.strategy.Verdict;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * One request that is not answered at once: it waits at the gate, its attempt has failed, or it is refused. Used by one
 * thread.
 *
 * <p>There is one deadline: the acquisition timeout, or the longer one that a strategy states. Each attempt, waiting
 * at the gate included, has the acquisition timeout at most. The caller gets the pool's own exception object where the
 * pool threw one, and one of the pool's class where the request gave up in front of it.
 */
final class SlowAcquisition {
    private static final long NEVER = Consultation.NEVER;
    private static final long EVIDENCE_NANOS = 20_000_000;
    /** How often a thread that holds a connection looks for room in a pool that is held: no lease's end wakes it. */
    private static final long HELD_NANOS = 5_000_000;

    private static final int EVIDENCE_ROUNDS = 5;

    private final AcquiringPool pool;
    private final Admission admission;
    private final Parts parts;
    private final PoolContext context;
    private final PoolConfig config;
    private final FailureHandler failures;
    private final Consultation strategies;
    private final ConnectionRequest request;
    private final long requestedNanos;
    private final int requestClass;
    /** How long an attempt may wait. */
    private final long waitsNanos;
    /** Until when the caller has a use for a connection; {@link #NEVER} if it does not say so. */
    private final long neededUntilNanos;

    private final long deadlineNanos;
    private long attemptEndNanos;
    /** When to sample whether connections come, as evidence for a timeout at the gate; {@link #NEVER} once that is done. */
    private long sampleNanos;

    private int attempt = 1;
    /** What it has taken itself while it waited, because the pool was paused and its thread holds a connection. */
    private @Nullable Slot passed;
    /** Whether it has waited in the queue. */
    private boolean queued;
    /** Whether the request has been counted as failed. */
    private boolean counted;
    /** How the last attempt inside the pool failed; null while none has. */
    private @Nullable FailedAttempt last;

    /**
     * What such a request needs, beside the pool that it asks.
     *
     * @param limiter null if nothing ever limits the pool
     */
    record Parts(
            PoolContext context,
            Admission admission,
            ConnectionSource source,
            NestedAcquisitions nesting,
            FailureHandler failures,
            Circuit circuit,
            @Nullable Limiter limiter,
            StartAlignment alignment,
            PoolLifecycle lifecycle) {
        /** Before a connection is handed out by a pool that is closed, or at its start. */
        void unusual() throws SQLException {
            if (context.admission().closed()) {
                throw FailureHandler.closed(context.name());
            }
            try {
                alignment.settle();
            } catch (Throwable thrown) {
                context.listeners().failed("the alignment of the pool's size", thrown);
            }
        }
    }

    /** The rest of a request. If there is no memory or stack for it, the request has failed. */
    static SlowAcquisition of(AcquiringPool pool, Parts parts, ConnectionRequest request, long requestedNanos) {
        try {
            return new SlowAcquisition(pool, parts, request, requestedNanos);
        } catch (Throwable outOfStack) {
            parts.context().recorder().failed(0, AcquisitionOutcome.ERROR);
            throw outOfStack;
        }
    }

    SlowAcquisition(AcquiringPool pool, Parts parts, ConnectionRequest request, long requestedNanos) {
        this.pool = pool;
        this.admission = parts.admission();
        this.parts = parts;
        this.context = parts.context();
        this.config = context.config();
        this.failures = parts.failures();
        this.request = request;
        this.requestedNanos = requestedNanos;
        this.requestClass = admission.requestClass();
        RequestClasses classes = context.classes();
        this.waitsNanos = classes == null ? config.timeoutNanos() : classes.waitsNanos(requestClass);
        this.neededUntilNanos = after(requestedNanos, RequestScope.nanosLeftHere());
        long longest = classes == null ? config.deadlineNanos() : classes.deadlineNanos(requestClass);
        this.deadlineNanos = Consultation.earlier(after(requestedNanos, longest), neededUntilNanos);
        this.strategies = new Consultation(parts, requestedNanos, deadlineNanos, requestClass);
        startAttempt(requestedNanos);
    }

    /** Answers a request that was not admitted at once. */
    Connection acquire() throws SQLException {
        Connection joined = join();
        if (joined != null) {
            return joined;
        }
        try {
            // Before it is counted, for it is no reason to take the pool for exhausted.
            SQLException refusal = parts.nesting().refusal(requestedNanos);
            admission.requested();
            if (refusal != null) {
                throw refused(refusal);
            }
            if (context.admission().draining() && !admission.holds()) {
                // A thread that holds a connection is one of those that the drain waits for.
                throw rejected(FailureHandler.DRAINING, "the pool drains and takes no new requests");
            }
            return attempts();
        } catch (Throwable thrown) {
            throw countedFailure(thrown);
        }
    }

    /** Answers a request whose first attempt has failed, and has given everything back. */
    Connection acquireAfter(Throwable firstFailure) throws SQLException {
        try {
            afterAttempt(firstFailure, requestedNanos);
            return attempts();
        } catch (Throwable thrown) {
            throw countedFailure(thrown);
        }
    }

    private SQLException countedFailure(Throwable thrown) throws SQLException {
        if (!counted) {
            failedUnforeseen();
        }
        return FailureHandler.rethrow(thrown);
    }

    private void failedUnforeseen() {
        context.recorder().failed(nowOr(requestedNanos) - requestedNanos, AcquisitionOutcome.ERROR);
    }

    /** Where something is given back, which must not wait for a clock that throws. */
    private long nowOr(long otherwise) {
        try {
            return context.nanos();
        } catch (Throwable thrown) {
            return otherwise;
        }
    }

    /** The pool may not give a transaction a further handle on the connection that it has: nothing else would help. */
    private @Nullable Connection join() throws SQLException {
        try {
            return admission.join(request, requestedNanos);
        } catch (Throwable failure) {
            admission.requested();
            failures.gaveUp(failures.inPool(failure, attempt(requestedNanos)), failure);
            throw FailureHandler.rethrow(failure);
        }
    }

    // ---- one attempt after the other ----

    private Connection attempts() throws SQLException {
        while (true) {
            checkMayGoOn();
            Slot slot = awaitPermit();
            Connection target = null;
            Throwable failure = null;
            boolean probe = false;
            long attemptNanos = requestedNanos;
            try {
                if (queued || attempt > 1) {
                    attemptNanos = context.nanos();
                }
                Circuit.Admission circuit = parts.circuit().admit(attemptNanos);
                probe = circuit == Circuit.Admission.PROBE;
                // The circuit may have opened, or the pool been closed, while this request waited: then its permit goes
                // back.
                if (circuit != Circuit.Admission.REFUSED && !context.admission().closed()) {
                    target = open(attemptNanos);
                    if (probe) {
                        parts.circuit().close();
                    }
                    if (slot == Slot.UNPLACED) {
                        slot = admission.claim();
                    }
                    return pool.lend(target, slot, requestedNanos, attemptNanos, attempt);
                }
            } catch (Throwable thrown) {
                failure = thrown;
            }
            // In the method that has taken the slot, as in AcquiringPool.acquire().
            try {
                pool.undo(slot, target, failure);
            } catch (Throwable outOfStack) {
                slot.abandoned = true;
            }
            try {
                if (failure == null) {
                    checkMayGoOn();
                    throw refusedByCircuit();
                }
                if (target != null) {
                    throw failedAfterConnect(failure);
                }
                afterAttempt(failure, attemptNanos);
            } finally {
                if (probe) {
                    // Does nothing if the probe has closed the circuit, or has opened it again.
                    parts.circuit().probeEnded(context.nanos(), last != null && last.kind() == Kind.CONNECT_FAILED);
                }
            }
        }
    }

    private void checkMayGoOn() throws SQLException {
        if (context.admission().closed()) {
            // Also of a pool without a gate, which might open again by itself.
            throw closed();
        }
        if (parts.circuit().refuses(context.nanos())) {
            throw refusedByCircuit();
        }
    }

    private Connection open(long nowNanos) throws SQLException {
        long left = attemptEndNanos - nowNanos;
        boolean fresh = left >= config.timeoutNanos();
        ConnectionSource source = parts.source();
        return fresh || attemptEndNanos == NEVER
                ? source.open(request)
                : source.openWithin(request, Math.max(1_000_000, left));
    }

    /** Returns if there is to be another attempt. */
    private void afterAttempt(Throwable thrown, long attemptNanos) throws SQLException {
        FailedAttempt failed = failures.inPool(thrown, attempt(attemptNanos));
        last = failed;
        Kind kind = failed.kind();
        if (kind == Kind.INTERRUPTED) {
            // Some pools clear the flag and throw another exception.
            Thread.currentThread().interrupt();
        }
        if (context.admission().closed()) {
            parts.lifecycle().closeAgain();
        } else {
            parts.alignment().afterFailure();
        }
        boolean forStrategies = thrown instanceof Exception
                && (kind == Kind.EXHAUSTED || kind == Kind.CONNECT_FAILED || kind == Kind.OTHER);
        if (!forStrategies
                || !(strategies.consult(failed, null, null, attempt, failed.failedNanos())
                        instanceof Verdict.Retry retry)) {
            throw giveUp(failed, thrown);
        }
        pause(retry.delay().toNanos());
        attempt++;
        startAttempt(context.nanos());
    }

    /** Waits without a permit, so that others can use it. */
    private void pause(long nanos) throws SQLException {
        long end = context.nanos() + nanos;
        long left;
        while ((left = end - context.nanos()) > 0) {
            if (Thread.currentThread().isInterrupted()) {
                throw interrupted();
            }
            if (context.admission().closed()) {
                throw closed();
            }
            LockSupport.parkNanos(this, Math.min(left, 100_000_000));
        }
    }

    private Attempt attempt(long beganNanos) {
        RequestClasses classes = context.classes();
        return new Attempt(
                requestedNanos,
                beganNanos,
                attempt,
                last == null ? null : last.explanation(),
                classes == null
                        ? null
                        : new OfClass(
                                requestClass, classes.describe(requestClass), classes.atMost(requestClass), null));
    }

    private void startAttempt(long now) {
        attemptEndNanos = Consultation.earlier(after(now, waitsNanos), deadlineNanos);
        sampleNanos = attemptEndNanos == NEVER ? NEVER : now + (attemptEndNanos - now) / 8;
    }

    private static long after(long nanos, long span) {
        // The clock's origin is arbitrary, so a sum may wrap; a span that is "never" must not.
        return span == NEVER ? NEVER : nanos + span;
    }

    // ---- at the gate ----

    private Slot awaitPermit() throws SQLException {
        Slot entered = passesHold() ? admission.enterPaused(context.nanos(), requestClass) : null;
        Gate gate = context.gate();
        if (entered == null && gate == null) {
            Gate held = context.admission().room();
            if (held != null && context.admission().held()) {
                awaitPermit(held);
                held.exit(nowOr(requestedNanos));
            }
        }
        if (entered == null && !expired()) {
            entered = admission.enter(context.nanos(), requestClass);
        }
        if (entered != null || gate == null) {
            return entered == null ? Slot.UNPLACED : entered;
        }
        Slot own = awaitPermit(gate);
        return own == null ? admission.granted(context.nanos(), requestClass) : own;
    }

    /** Whether the pool is held, and not for this thread: it holds a connection, which others wait for. */
    private boolean passesHold() {
        return context.admission().held() && admission.holds();
    }

    /** Waits for a permit. Returns null with that of the gate, else what the request has taken itself. */
    private @Nullable Slot awaitPermit(Gate gate) throws SQLException {
        Waiter waiter = admission.join(gate, requestedNanos, requestClass, deadlineNanos, neededUntilNanos);
        queued = true;
        passed = null;
        GaveUp gaveUp = null;
        boolean entered = false;
        try {
            gaveUp = awaitPermit(gate, waiter);
            if (gaveUp == null && passed == null && expired()) {
                gaveUp = this::timedOutAtGate;
            }
            entered = gaveUp == null;
        } finally {
            // However the wait ends, by an Error too: either the request leaves the queue, or its permit passes on.
            // Before listeners are notified: they may be slow, and the event must not count this request as waiting.
            if (!entered) {
                try {
                    if (!gate.leave(waiter, nowOr(requestedNanos))) {
                        giveBack(gate);
                    }
                } catch (Throwable outOfStack) {
                    waiter.left = true;
                }
            }
        }
        if (gaveUp != null) {
            throw gaveUp.failure();
        }
        return passed;
    }

    /** Passes on a permit that was granted in vain. */
    private void giveBack(Gate from) {
        if (from == context.gate()) {
            admission.giveBack(nowOr(requestedNanos), requestClass);
        } else {
            from.exit(nowOr(requestedNanos));
        }
    }

    /** Whether the caller has no use for a connection any more. */
    private boolean expired() {
        return neededUntilNanos != NEVER && context.nanos() - neededUntilNanos >= 0;
    }

    /** Why a request waits no longer; reported once it has left the queue. */
    private interface GaveUp {
        SQLException failure() throws SQLException;
    }

    /** Returns null with a permit, else why there is none. */
    private @Nullable GaveUp awaitPermit(Gate gate, Waiter waiter) throws SQLException {
        Consultation.Schedule schedule = new Consultation.Schedule(
                config.strategies(), requestedNanos, context.recorder().usualWaitNanos());
        boolean classed = context.classes() != null && waiter instanceof ClassWaiter;
        long shedNanos = classed ? ((ClassWaiter) waiter).shedNanos() : NEVER;
        long lateNanos = classed ? ((ClassWaiter) waiter).expiresNanos() : NEVER;
        while (true) {
            boolean passes = passesHold();
            if (passes && passedHold(gate, waiter)) {
                return null;
            }
            long until = Consultation.earlier(
                    Consultation.earlier(schedule.nextDue(attemptEndNanos), sampleNanos),
                    Consultation.earlier(shedNanos, lateNanos));
            if (passes) {
                until = Consultation.earlier(until, context.nanos() + HELD_NANOS);
            }
            if (gate.await(waiter, until == NEVER ? after(context.nanos(), NEVER / 4) : until)) {
                return null;
            }
            long now = context.nanos();
            if (Thread.currentThread().isInterrupted()) {
                return this::interrupted;
            }
            if (context.admission().closed() || context.closedByOwner()) {
                // Without a permit nothing can ask the pool itself, whose answer would be the same.
                return waiter.granted() ? null : this::closed;
            }
            if (shedNanos != NEVER && now - shedNanos >= 0) {
                return waiter.granted() ? null : this::shed;
            }
            if (lateNanos != NEVER && now - lateNanos >= 0) {
                return waiter.granted() ? null : this::timedOutAtGate;
            }
            boolean timedOut = attemptEndNanos != NEVER && now - attemptEndNanos >= 0;
            if (sampleNanos != NEVER && now - sampleNanos >= 0) {
                sampleNanos = NEVER;
                context.turnover().quietNanos(now);
            }
            if (timedOut && !goOnWaiting(waiter, now)) {
                // A permit granted in this very moment is taken after all.
                return waiter.granted() ? null : this::timedOutAtGate;
            }
            if (!timedOut
                    && strategies.consult(null, waiter, schedule, attempt, now) instanceof Verdict.Reject reject
                    && !waiter.granted()) {
                return () -> rejected(null, reject.reason());
            }
        }
    }

    /** Takes a permit of a gate that is held, and leaves its queue with that one. */
    private boolean passedHold(Gate gate, Waiter waiter) {
        passed = admission.enterPaused(context.nanos(), requestClass);
        if (passed == null) {
            return false;
        }
        if (!gate.leave(waiter, nowOr(requestedNanos))) {
            giveBack(gate);
        }
        return true;
    }

    /**
     * The attempt timed out at the gate: another one keeps the place in the queue. A delay protects the database from
     * repeated requests, and this one does not reach it; leaving and joining again would starve the longest waiters.
     */
    private boolean goOnWaiting(Waiter waiter, long now) {
        if (!strategies.possible()
                || !(strategies.consult(atGate(), waiter, null, attempt, now) instanceof Verdict.Retry)) {
            return false;
        }
        attempt++;
        startAttempt(now);
        return true;
    }

    private FailedAttempt atGate() {
        return failures.atGate(attempt(requestedNanos));
    }

    // ---- a request that fails ----

    private SQLException timedOutAtGate() throws SQLException {
        if (context.admission().held()) {
            return rejected(null, "the pool is held, and was not resumed in time");
        }
        FailedAttempt failed = evidence();
        if (failed.kind() == Kind.CONNECT_FAILED) {
            failed = failures.connectFailed(failed);
        }
        // What the pool threw for an earlier attempt may have had another reason, and another SQLState.
        return giveUp(failed, last != null && last.kind() == failed.kind() ? last.thrown() : null);
    }

    /** The class is overloaded, unless the permits' holders cannot connect: then that is why nothing came. */
    private SQLException shed() throws SQLException {
        RequestClasses classes = Objects.requireNonNull(context.classes());
        if (atGate().kind() == Kind.CONNECT_FAILED) {
            return timedOutAtGate();
        }
        Duration retryAfter = classes.retryAfter(requestClass);
        Attempt here = attempt(requestedNanos);
        OfClass its = new OfClass(requestClass, classes.describe(requestClass), false, retryAfter);
        AcquisitionFailure why = new AcquisitionFailure(
                Kind.SHED,
                null,
                "shed, class " + classes.rules().get(requestClass).name() + " is overloaded, try again after "
                        + retryAfter.toMillis() + " ms: " + its.words());
        return giveUp(
                failures.turnedAway(
                        why, new Attempt(here.requestedNanos(), here.beganNanos(), here.number(), here.earlier(), its)),
                null);
    }

    /**
     * The requests inside the pool began when this one did and are about to fail too; what they get names the cause and
     * its SQLState, so it is worth a moment beyond the deadline.
     */
    private FailedAttempt evidence() {
        FailedAttempt failed = atGate();
        for (int round = 0;
                round < EVIDENCE_ROUNDS
                        && failed.kind() == Kind.CONNECT_FAILED
                        && failed.outage() == null
                        && !Thread.currentThread().isInterrupted();
                round++) {
            // Not more often: of a crowd, many are here at once, and take the time from the threads that they wait for.
            LockSupport.parkNanos(this, EVIDENCE_NANOS / EVIDENCE_ROUNDS);
            failed = atGate();
        }
        return failed;
    }

    private SQLException refusedByCircuit() throws SQLException {
        long left = parts.circuit().openForNanos(context.nanos());
        return rejected(
                FailureHandler.UNREACHABLE,
                "the circuit is " + (left > 0 ? "open for " + left / 1_000_000 + " ms more" : "half open") + " after "
                        + failures.connects().inARow() + " connect failures in a row; last: "
                        + failures.connects().lastInWords());
    }

    private SQLException rejected(@Nullable String sqlState, String reason) throws SQLException {
        AcquisitionFailure why = new AcquisitionFailure(Kind.REJECTED, sqlState, reason);
        return giveUp(failures.turnedAway(why, attempt(requestedNanos)), null);
    }

    /** A nested request that the configuration refuses. */
    private SQLException refused(SQLException refusal) {
        counted = true;
        AcquisitionFailure why = AcquisitionFailure.of(Kind.REJECTED, refusal);
        failures.gaveUp(failures.turnedAway(why, attempt(requestedNanos)), null);
        return refusal;
    }

    /** A request that got a connection and no lease has failed; everything has been given back. Throws what was thrown. */
    SQLException failedAfterConnect(Throwable thrown) throws SQLException {
        counted = true;
        if (context.admission().closed() && thrown instanceof SQLException) {
            // The pool was closed while this request was inside it.
            parts.lifecycle().closeAgain();
            failures.count(Kind.CLOSED, requestedNanos, attempt);
        } else {
            failedUnforeseen();
        }
        return FailureHandler.rethrow(thrown);
    }

    private SQLException closed() {
        return giveUp(FailureHandler.closed(context.name()), Kind.CLOSED);
    }

    private SQLException interrupted() {
        SQLException thrown = new SQLException(
                "flexpool '" + context.name() + "': interrupted while waiting for a connection",
                new InterruptedException());
        if (last != null && last.thrown() != null) {
            thrown.addSuppressed(last.thrown());
        }
        return giveUp(thrown, Kind.INTERRUPTED);
    }

    /** The exception says all that there is to report. */
    private SQLException giveUp(SQLException thrown, Kind kind) {
        counted = true;
        failures.count(kind, requestedNanos, attempt);
        return thrown;
    }

    /**
     * Counts and reports the failure, and throws.
     *
     * @param own what the pool threw, which is thrown as it is; null to make an exception of the pool's class
     */
    private SQLException giveUp(FailedAttempt failed, @Nullable Throwable own) throws SQLException {
        FailedAttempt reported = own == null ? failures.explained(failed) : failed;
        Throwable thrown = own == null ? failures.exception(reported) : own;
        counted = true;
        RequestClasses classes = context.classes();
        if (classes != null) {
            classes.recorder().failed(requestClass, failed.kind());
        }
        failures.gaveUp(reported, own);
        return FailureHandler.rethrow(thrown);
    }
}
