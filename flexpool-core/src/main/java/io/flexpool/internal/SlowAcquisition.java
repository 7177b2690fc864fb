// SPDX-License-Identifier: Apache-2.0
package io.flexpool.internal;

import io.flexpool.adapter.AcquisitionFailure;
import io.flexpool.adapter.AcquisitionFailure.Kind;
import io.flexpool.internal.config.PoolConfig;
import io.flexpool.internal.config.PoolConfig.Consulted;
import io.flexpool.internal.context.PoolContext;
import io.flexpool.internal.failure.FailureHandler;
import io.flexpool.internal.gate.Circuit;
import io.flexpool.internal.gate.Gate;
import io.flexpool.internal.resize.Limiter;
import io.flexpool.internal.resize.Resizer;
import io.flexpool.internal.resize.StartAlignment;
import io.flexpool.strategy.AcquisitionSituation;
import io.flexpool.strategy.AcquisitionStrategy;
import io.flexpool.strategy.Verdict;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * One request that is not answered at once: it waits at the gate, or its attempt failed. Strategies are asked here and
 * only here. Used by one thread.
 *
 * <p>There is one deadline: the acquisition timeout, or the longer one that a strategy states. Each attempt, waiting
 * at the gate included, has the acquisition timeout at most. The caller gets the pool's own exception object where the
 * pool threw one, and one of the pool's class where the request gave up in front of it.
 */
final class SlowAcquisition {
    private static final long NEVER = ConsultSchedule.NEVER;
    private static final long EVIDENCE_NANOS = 20_000_000;
    private static final int EVIDENCE_ROUNDS = 5;
    private static final AcquisitionFailure CLOSED = new AcquisitionFailure(Kind.CLOSED, "08003", "the pool is closed");

    /** Longer than this no strategy opens the circuit. */
    private static final Duration LONGEST_OPEN = Duration.ofDays(1);

    private final AcquiringPool pool;
    private final Parts parts;
    private final PoolContext context;
    private final PoolConfig config;
    private final FailureHandler failures;
    private final Circuit circuit;
    private final @Nullable ConnectionRequest who;
    private final long requestedNanos;
    private final long deadlineNanos;
    private long attemptEndNanos;
    /** When to look whether connections come, so that a timeout at the gate can tell; {@link #NEVER} if that is done. */
    private long lookNanos;

    private int attempt = 1;
    private boolean refused;
    /** Whether the request has been counted as failed. */
    private boolean counted;
    /** What the pool threw last; null while it has thrown nothing. */
    private @Nullable Throwable poolFailure;

    private @Nullable Kind poolFailureKind;

    /**
     * What such a request needs, beside the pool that it asks.
     *
     * @param limiter null if nothing ever limits the pool
     */
    record Parts(
            PoolContext context,
            FailureHandler failures,
            Circuit circuit,
            @Nullable Limiter limiter,
            StartAlignment alignment,
            PoolCloser closer) {}

    SlowAcquisition(AcquiringPool pool, Parts parts, @Nullable ConnectionRequest who, long requestedNanos) {
        this.pool = pool;
        this.parts = parts;
        this.context = parts.context();
        this.config = context.config();
        this.failures = parts.failures();
        this.circuit = parts.circuit();
        this.who = who;
        this.requestedNanos = requestedNanos;
        this.deadlineNanos = after(requestedNanos, config.deadlineNanos());
        startAttempt(requestedNanos);
    }

    /** Goes on without a permit: the gate had none free, or the circuit is not closed. */
    Connection waitThenOpen() throws SQLException {
        return goOn(null);
    }

    /** Goes on after the first attempt has failed, and its permit has been given back. */
    Connection retryAfter(Throwable failure) throws SQLException {
        return goOn(failure);
    }

    private Connection goOn(@Nullable Throwable failure) throws SQLException {
        try {
            if (failure != null) {
                afterAttempt(failure, requestedNanos);
            }
            return attempts();
        } catch (Throwable thrown) {
            if (!counted) {
                pool.failedUnforeseen(requestedNanos);
            }
            throw thrown;
        }
    }

    private Connection attempts() throws SQLException {
        while (true) {
            checkMayGoOn();
            awaitPermit();
            Connection target = null;
            Throwable failure = null;
            boolean probe = false;
            long attemptNanos = requestedNanos;
            try {
                attemptNanos = context.nanos();
                Circuit.Admission admission = circuit.admit(attemptNanos);
                probe = admission == Circuit.Admission.PROBE;
                // The circuit may have opened while this request waited: then its permit goes back.
                if (admission != Circuit.Admission.REFUSED) {
                    target = open(attemptNanos);
                    if (probe) {
                        circuit.close();
                    }
                    return pool.handOver(target, requestedNanos, attemptNanos, attempt);
                }
            } catch (Throwable thrown) {
                failure = thrown;
            }
            // In the method that has claimed the permit, as in AcquiringPool.acquire().
            try {
                pool.undo(target, failure);
            } catch (Throwable noRoom) {
                pool.owed.permits++;
            }
            try {
                ended(target != null, failure, attemptNanos);
            } finally {
                if (probe) {
                    // Does nothing if the probe has closed the circuit, or has opened it again.
                    circuit.probeEnded(context.nanos(), poolFailureKind == Kind.CONNECT_FAILED);
                }
            }
        }
    }

    private void checkMayGoOn() throws SQLException {
        if (context.admission().closed()) {
            // Also of a pool without a gate, which might open again by itself.
            throw giveUp(FailureHandler.closed(context.name()), CLOSED);
        }
        if (circuit.refuses(context.nanos())) {
            throw refusedByCircuit();
        }
    }

    /** An attempt ended without a lease, and everything it had claimed has been given back. Returns if there is another. */
    private void ended(boolean opened, @Nullable Throwable failure, long attemptNanos) throws SQLException {
        if (failure == null) {
            throw refusedByCircuit();
        }
        if (opened) {
            counted = true;
            throw pool.notLent(failure, requestedNanos, attempt);
        }
        afterAttempt(failure, attemptNanos);
    }

    private Connection open(long nowNanos) throws SQLException {
        if (context.admission().closed()) {
            throw FailureHandler.closed(context.name());
        }
        long left = attemptEndNanos - nowNanos;
        boolean fresh = left >= config.timeoutNanos();
        return fresh || attemptEndNanos == NEVER ? pool.open(who) : pool.openWithin(who, Math.max(1_000_000, left));
    }

    private void awaitPermit() throws SQLException {
        Gate gate = context.gate();
        if (gate == null || gate.tryEnter(context.nanos())) {
            return;
        }
        Gate.Waiter waiter = gate.join(requestedNanos);
        GaveUp gaveUp = null;
        boolean entered = false;
        try {
            gaveUp = awaitPermit(gate, waiter);
            entered = gaveUp == null;
        } finally {
            // Whatever ends the wait, an Error too: either out of the queue, or the permit passes on. Before anybody is
            // told: a listener may be slow, and who is told of no longer waits.
            if (!entered) {
                try {
                    leave(gate, waiter);
                } catch (Throwable noRoom) {
                    waiter.left = true;
                }
            }
        }
        if (gaveUp != null) {
            throw gaveUp.tell();
        }
    }

    private void leave(Gate gate, Gate.Waiter waiter) {
        if (!gate.leave(waiter, pool.nowOr(requestedNanos))) {
            pool.undo(null, null);
        }
    }

    /** Why a request waits no longer; told once it has left the queue. */
    private interface GaveUp {
        SQLException tell() throws SQLException;
    }

    /** Returns null with a permit, else why there is none. */
    private @Nullable GaveUp awaitPermit(Gate gate, Gate.Waiter waiter) throws SQLException {
        ConsultSchedule agenda = new ConsultSchedule(config.strategies(), requestedNanos);
        while (true) {
            long until = ConsultSchedule.earlier(agenda.nextDue(attemptEndNanos), lookNanos);
            if (gate.await(waiter, until == NEVER ? after(context.nanos(), NEVER / 4) : until)) {
                return null;
            }
            long now = context.nanos();
            if (Thread.currentThread().isInterrupted()) {
                return () -> interrupted(poolFailure);
            }
            if (context.closedByOwner()) {
                return waiter.granted() ? null : this::closedBehind;
            }
            boolean timedOut = attemptEndNanos != NEVER && now - attemptEndNanos >= 0;
            if (lookNanos != NEVER && now - lookNanos >= 0) {
                lookNanos = NEVER;
                context.turnover().quietNanos(now);
            }
            if (timedOut && !goOnWaiting(waiter, now)) {
                // A permit granted in this very moment is taken after all.
                return waiter.granted() ? null : this::timedOutAtGate;
            }
            if (!timedOut && consult(null, waiter, agenda, now) instanceof Verdict.Reject reject && !waiter.granted()) {
                return () -> turnedAway(reject.reason(), false);
            }
        }
    }

    /** The attempt timed out at the gate: another one keeps the place in the queue, so a delay has no purpose. */
    private boolean goOnWaiting(Gate.Waiter waiter, long now) throws SQLException {
        AcquisitionFailure failure = failures.failureAtGate(requestedNanos);
        if (!(consult(failure.kind(), waiter, null, now) instanceof Verdict.Retry)) {
            return false;
        }
        attempt++;
        startAttempt(now);
        return true;
    }

    /** Returns if there is to be another attempt. */
    private void afterAttempt(Throwable failure, long attemptNanos) throws SQLException {
        long now = context.nanos();
        poolFailure = failure;
        AcquisitionFailure why = failures.classify(failure, now - attemptNanos, requestedNanos);
        poolFailureKind = why.kind();
        if (why.kind() == Kind.INTERRUPTED) {
            // Some pools swallow it; whoever answers an interrupt with another exception leaves the flag set.
            Thread.currentThread().interrupt();
        }
        if (context.admission().closed()) {
            parts.closer().closeAgain();
        } else {
            parts.alignment().afterFailure();
        }
        boolean forStrategies = failure instanceof Exception
                && (why.kind() == Kind.EXHAUSTED || why.kind() == Kind.CONNECT_FAILED || why.kind() == Kind.OTHER);
        if (!forStrategies) {
            throw giveUp(failure, why);
        }
        Verdict verdict = consult(why.kind(), null, null, now);
        if (!(verdict instanceof Verdict.Retry retry)) {
            throw giveUp(failure, why);
        }
        pause(retry.delay().toNanos());
        attempt++;
        startAttempt(context.nanos());
    }

    /**
     * Asks the strategies in order, until one says what can be carried out.
     *
     * @param kind why an attempt failed; null if the request only waits
     * @param waiter the request's place in the gate's queue; null if it stands in none
     * @param agenda who is due, of a request that only waits; null to ask all
     * @return a retry if there is to be another attempt (also after a growth, while there is time), a rejection of a
     *     request that only waits, else pass
     */
    private Verdict consult(
            @Nullable Kind kind, Gate.@Nullable Waiter waiter, @Nullable ConsultSchedule agenda, long now) {
        List<Consulted> strategies = config.strategies();
        boolean asked = context.mode().asksStrategies();
        long remaining = deadlineNanos == NEVER ? NEVER : deadlineNanos - now;
        AcquisitionSituation situation = null;
        for (int at = 0; at < strategies.size(); at++) {
            // Who is due is crossed off in any case: a request whose agenda is in the past would not sleep.
            if ((agenda != null && !agenda.take(at, now)) || !asked) {
                continue;
            }
            if (situation == null) {
                situation = situation(kind, waiter, remaining, now);
            }
            Verdict verdict = consulted(strategies.get(at).strategy(), situation);
            if (verdict instanceof Verdict.Retry retry && kind != null && shorter(retry.delay(), remaining)) {
                return verdict;
            }
            if (verdict instanceof Verdict.Grow grow) {
                Resizer.Growth growth = grow(grow.room());
                if (growth == Resizer.Growth.GREW) {
                    return kind != null && remaining > 0 ? Verdict.retryAfter(Duration.ZERO) : Verdict.PASS;
                }
                if (growth == Resizer.Growth.UNCLEAR && agenda != null) {
                    agenda.again(at, now);
                }
            }
            if (verdict instanceof Verdict.Trip trip && kind == Kind.CONNECT_FAILED) {
                trip(trip.openFor());
                return Verdict.PASS;
            }
            if (verdict instanceof Verdict.Reject) {
                // After a failed attempt the caller gets what the pool threw.
                return kind == null ? verdict : Verdict.PASS;
            }
        }
        return Verdict.PASS;
    }

    private Verdict consulted(AcquisitionStrategy strategy, AcquisitionSituation situation) {
        try {
            return strategy.consult(situation);
        } catch (Throwable thrown) {
            context.listeners().failed("the strategy " + strategy.getClass().getSimpleName(), thrown);
            return Verdict.PASS;
        }
    }

    /** Opens the circuit, unless the pool is only watched by now. */
    private void trip(Duration openFor) {
        circuit.trip(context.nanos(), (openFor.compareTo(LONGEST_OPEN) < 0 ? openFor : LONGEST_OPEN).toNanos());
        if (!context.mode().asksStrategies()) {
            circuit.close();
        }
    }

    /** A strategy may state any delay, also one that has no nanoseconds. */
    private static boolean shorter(Duration delay, long nanos) {
        return delay.compareTo(Duration.ofNanos(nanos)) < 0;
    }

    private AcquisitionSituation situation(
            @Nullable Kind kind, Gate.@Nullable Waiter waiter, long remaining, long now) {
        return new AcquisitionSituation(
                now - requestedNanos,
                remaining,
                config.timeoutNanos(),
                attempt,
                strategyWord(kind),
                waiter != null,
                waiter == null ? 0 : waiter.ahead(),
                failures.connectFailuresInARow(),
                context.state(now));
    }

    /** The request ends here because a strategy, or the circuit that it opened, says so. */
    private SQLException turnedAway(String reason, boolean unreachable) throws SQLException {
        AcquisitionFailure why =
                new AcquisitionFailure(Kind.REJECTED, unreachable ? FailureHandler.UNREACHABLE : null, reason);
        String report = failures.reportText(why, requestedNanos, attempt);
        return giveUp(failures.rejection(report, unreachable), why);
    }

    private SQLException refusedByCircuit() throws SQLException {
        long left = circuit.openForNanos(context.nanos());
        return turnedAway(
                "the circuit is " + (left > 0 ? "open for " + left / 1_000_000 + " ms more" : "half open") + " after "
                        + failures.connectFailuresInARow() + " connect failures in a row; last: "
                        + failures.lastConnectFailure(),
                true);
    }

    private Resizer.Growth grow(int room) {
        Limiter limiter = parts.limiter();
        Resizer.Growth growth = limiter == null ? Resizer.Growth.REFUSED : limiter.grow(room);
        if (growth == Resizer.Growth.REFUSED && !refused) {
            // A request asks again and again while it waits; what counts is that it was refused.
            refused = true;
            context.recorder().refusedGrowth();
        }
        return growth;
    }

    private static AcquisitionSituation.@Nullable Failure strategyWord(@Nullable Kind kind) {
        if (kind == null) {
            return null;
        }
        return switch (kind) {
            case EXHAUSTED -> AcquisitionSituation.Failure.EXHAUSTED;
            case CONNECT_FAILED -> AcquisitionSituation.Failure.CONNECT_FAILED;
            default -> AcquisitionSituation.Failure.OTHER;
        };
    }

    /** Waits without a permit, so that others can use it. */
    private void pause(long nanos) throws SQLException {
        long end = context.nanos() + nanos;
        long left;
        while ((left = end - context.nanos()) > 0) {
            if (Thread.currentThread().isInterrupted()) {
                throw interrupted(poolFailure);
            }
            if (context.admission().closed()) {
                throw giveUp(FailureHandler.closed(context.name()), CLOSED);
            }
            LockSupport.parkNanos(this, Math.min(left, 100_000_000));
        }
    }

    private SQLException timedOutAtGate() throws SQLException {
        AcquisitionFailure why = evidence();
        if (why.kind() == Kind.CONNECT_FAILED) {
            failures.tellConnectFailed(why, context.nanos() - requestedNanos, requestedNanos);
        }
        Throwable thrown = poolFailure;
        if (thrown == null || poolFailureKind != why.kind()) {
            // What the pool threw for an earlier attempt may have had another reason, and another SQLState.
            String report = failures.reportText(why, requestedNanos, attempt);
            thrown = failures.timeoutException(report, why, requestedNanos);
        }
        return giveUp(thrown, why);
    }

    /**
     * Those inside the pool asked when this request did and are about to fail too; what they get names the cause and
     * its SQLState, so it is worth a moment beyond the deadline.
     */
    private AcquisitionFailure evidence() {
        AcquisitionFailure why = failures.failureAtGate(requestedNanos);
        for (int round = 0;
                round < EVIDENCE_ROUNDS
                        && why.kind() == Kind.CONNECT_FAILED
                        && !failures.connectFailedSince(requestedNanos)
                        && !Thread.currentThread().isInterrupted();
                round++) {
            // Not more often: of a crowd, many are here at once, and take the time from those whom they wait for.
            LockSupport.parkNanos(this, EVIDENCE_NANOS / EVIDENCE_ROUNDS);
            why = failures.failureAtGate(requestedNanos);
        }
        return why;
    }

    /** Without a permit nothing can ask the pool itself, whose answer would be the same. */
    private SQLException closedBehind() throws SQLException {
        return giveUp(FailureHandler.closed(context.name()), CLOSED);
    }

    private SQLException interrupted(@Nullable Throwable before) throws SQLException {
        SQLException thrown = new SQLException(
                "flexpool '" + context.name() + "': interrupted while waiting for a connection",
                new InterruptedException());
        if (before != null) {
            thrown.addSuppressed(before);
        }
        return giveUp(thrown, AcquisitionFailure.of(Kind.INTERRUPTED, thrown));
    }

    /** Records the failure, tells of it, and throws the object itself, whatever its type. */
    private SQLException giveUp(Throwable thrown, AcquisitionFailure why) throws SQLException {
        counted = true;
        failures.gaveUp(thrown, why, requestedNanos, attempt);
        return FailureHandler.rethrow(thrown);
    }

    private void startAttempt(long now) {
        long end = after(now, config.timeoutNanos());
        attemptEndNanos = ConsultSchedule.earlier(end, deadlineNanos);
        lookNanos = attemptEndNanos == NEVER ? NEVER : now + (attemptEndNanos - now) / 8;
    }

    private static long after(long nanos, long span) {
        // The clock's origin is arbitrary, so a sum may wrap; a span that is "never" must not.
        return span == NEVER ? NEVER : nanos + span;
    }
}
