// SPDX-License-Identifier: Apache-2.0
package io.flexpool.internal;

import io.flexpool.adapter.AcquisitionFailure;
import io.flexpool.adapter.AcquisitionFailure.Kind;
import io.flexpool.pool.PoolState;
import io.flexpool.strategy.AcquisitionSituation;
import io.flexpool.strategy.AcquisitionStrategy;
import io.flexpool.strategy.Verdict;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
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
final class Detour {
    private static final long NEVER = Long.MAX_VALUE;
    private static final long EVIDENCE_NANOS = 20_000_000;
    private static final long CONSULT_AT_LEAST_NANOS = 10_000_000;

    private final MonitoredPool pool;
    private final @Nullable Credentials who;
    private final long requestedNanos;
    private final long deadlineNanos;
    private long attemptEndNanos;
    private int attempt = 1;
    private boolean refused;
    /** What the pool threw last; null while it has thrown nothing. */
    private @Nullable Throwable poolFailure;

    private @Nullable Kind poolFailureKind;

    Detour(MonitoredPool pool, @Nullable Credentials who, long requestedNanos) {
        this.pool = pool;
        this.who = who;
        this.requestedNanos = requestedNanos;
        this.deadlineNanos = after(requestedNanos, pool.deadlineNanos());
        startAttempt(requestedNanos);
    }

    /** Goes on without a permit: the gate had none free. */
    Connection waitThenOpen() throws SQLException {
        while (true) {
            awaitPermit();
            long attemptNanos = pool.now();
            Connection target;
            try {
                target = open(attemptNanos);
            } catch (Throwable thrown) {
                afterAttempt(thrown, attemptNanos);
                continue;
            }
            return pool.handOver(target, requestedNanos, attemptNanos, attempt);
        }
    }

    /** Goes on after the first attempt has failed; its permit is given back here. */
    Connection retryAfter(Throwable failure) throws SQLException {
        afterAttempt(failure, requestedNanos);
        return waitThenOpen();
    }

    private Connection open(long nowNanos) throws SQLException {
        if (pool.closed()) {
            throw Failures.closed(pool.name());
        }
        long left = attemptEndNanos - nowNanos;
        boolean fresh = left >= pool.timeoutNanos();
        return fresh || attemptEndNanos == NEVER ? pool.open(who) : pool.openWithin(who, Math.max(1_000_000, left));
    }

    private void awaitPermit() throws SQLException {
        Gate gate = pool.gate();
        if (gate == null || gate.tryEnter(pool.now())) {
            return;
        }
        Gate.Waiter waiter = gate.join(requestedNanos);
        boolean entered = false;
        try {
            entered = awaitPermit(gate, waiter);
        } finally {
            // Whatever ends the wait, an Error too: either out of the queue, or the permit passes on.
            if (!entered && !gate.leave(waiter, pool.now())) {
                gate.exit(pool.now());
            }
        }
    }

    private boolean awaitPermit(Gate gate, Gate.Waiter waiter) throws SQLException {
        long consultEvery = pool.consultEveryNanos();
        long pause = consultEvery == NEVER ? NEVER / 4 : consultEvery / 2;
        long consultAt = consultEvery == NEVER ? NEVER : after(requestedNanos, consultEvery);
        while (true) {
            long until = consultAt == NEVER ? attemptEndNanos : earlier(attemptEndNanos, consultAt);
            if (gate.await(waiter, until == NEVER ? after(pool.now(), NEVER / 4) : until)) {
                return true;
            }
            long now = pool.now();
            if (Thread.currentThread().isInterrupted()) {
                throw interrupted(null);
            }
            boolean timedOut = attemptEndNanos != NEVER && now - attemptEndNanos >= 0;
            if (timedOut && !goOnWaiting(now)) {
                // A permit granted in this very moment is taken after all.
                if (waiter.granted()) {
                    return true;
                }
                throw timedOutAtGate();
            }
            if (!timedOut && consultAt != NEVER && now - consultAt >= 0) {
                consult(null, true, now);
                // Asking costs a look at the whole pool: of many who wait long, each asks less and less often.
                pause = Math.max(CONSULT_AT_LEAST_NANOS, 2 * pause);
                consultAt = now + pause;
            }
        }
    }

    /** The attempt timed out at the gate: another one keeps the place in the queue, so a delay has no purpose. */
    private boolean goOnWaiting(long now) {
        AcquisitionFailure failure = pool.failures().failureAtGate(requestedNanos);
        if (!(consult(failure.kind(), true, now) instanceof Verdict.Retry)) {
            return false;
        }
        attempt++;
        startAttempt(now);
        return true;
    }

    /** Returns if there is to be another attempt. */
    private void afterAttempt(Throwable failure, long attemptNanos) throws SQLException {
        long now = pool.now();
        Gate gate = pool.gate();
        if (gate != null) {
            gate.exit(now);
        }
        poolFailure = failure;
        AcquisitionFailure why = pool.failures().classify(failure, now - attemptNanos, requestedNanos);
        poolFailureKind = why.kind();
        boolean forStrategies = failure instanceof Exception
                && (why.kind() == Kind.EXHAUSTED || why.kind() == Kind.CONNECT_FAILED || why.kind() == Kind.OTHER);
        if (!forStrategies) {
            throw giveUp(failure, why);
        }
        Verdict verdict = consult(why.kind(), false, now);
        if (!(verdict instanceof Verdict.Retry retry)) {
            throw giveUp(failure, why);
        }
        pause(retry.delay().toNanos(), why);
        attempt++;
        startAttempt(pool.now());
    }

    /**
     * Asks the strategies in order.
     *
     * @param kind why an attempt failed; null if the request only waits
     * @param queued whether the request stands in the gate's queue
     * @return a retry if there is to be another attempt (also after a growth, while there is time), else pass
     */
    private Verdict consult(@Nullable Kind kind, boolean queued, long now) {
        long remaining = deadlineNanos == NEVER ? NEVER : deadlineNanos - now;
        if (pool.strategies().isEmpty()) {
            return Verdict.PASS;
        }
        PoolState state = pool.state(now);
        for (AcquisitionStrategy strategy : pool.strategies()) {
            AcquisitionSituation situation = new AcquisitionSituation(
                    now - requestedNanos, remaining, pool.timeoutNanos(), attempt, strategyWord(kind), queued, state);
            Verdict verdict = pool.guardedConsult(strategy, situation);
            if (verdict instanceof Verdict.Retry retry
                    && kind != null
                    && retry.delay().toNanos() < remaining) {
                return verdict;
            }
            if (verdict instanceof Verdict.Grow grow && grown(grow.room()) && kind != null && remaining > 0) {
                return Verdict.retryAfter(Duration.ZERO);
            }
        }
        return Verdict.PASS;
    }

    private boolean grown(int room) {
        Resizer.Growth growth = pool.grow(room);
        if (growth == Resizer.Growth.REFUSED && !refused) {
            // A request asks again and again while it waits; what counts is that it was refused.
            refused = true;
            pool.refusedGrowth();
        }
        return growth == Resizer.Growth.GREW;
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
    private void pause(long nanos, AcquisitionFailure why) throws SQLException {
        long end = pool.now() + nanos;
        long left;
        while ((left = end - pool.now()) > 0) {
            if (Thread.currentThread().isInterrupted()) {
                throw interrupted(poolFailure);
            }
            if (pool.closed()) {
                throw giveUp(Failures.closed(pool.name()), why);
            }
            LockSupport.parkNanos(this, Math.min(left, 100_000_000));
        }
    }

    private SQLException timedOutAtGate() throws SQLException {
        AcquisitionFailure why = evidence();
        if (why.kind() == Kind.CONNECT_FAILED) {
            pool.failures().tellConnectFailed(why, pool.now() - requestedNanos);
        }
        Throwable thrown = poolFailure;
        if (thrown == null || poolFailureKind != why.kind()) {
            // What the pool threw for an earlier attempt may have had another reason, and another SQLState.
            PoolState state = pool.state(pool.now());
            thrown = pool.failures()
                    .timeoutException(
                            Report.text(pool.name(), why, pool.now() - requestedNanos, attempt, state),
                            why,
                            requestedNanos);
        }
        return giveUp(thrown, why);
    }

    /**
     * Those inside the pool asked when this request did and are about to fail too; what they get names the cause and
     * its SQLState, so it is worth a moment beyond the deadline.
     */
    private AcquisitionFailure evidence() {
        AcquisitionFailure why = pool.failures().failureAtGate(requestedNanos);
        long end = pool.now() + EVIDENCE_NANOS;
        while (why.kind() == Kind.CONNECT_FAILED
                && !pool.failures().connectFailedSince(requestedNanos)
                && end - pool.now() > 0
                && !Thread.currentThread().isInterrupted()) {
            LockSupport.parkNanos(this, EVIDENCE_NANOS / 20);
            why = pool.failures().failureAtGate(requestedNanos);
        }
        return why;
    }

    private SQLException interrupted(@Nullable Throwable before) throws SQLException {
        SQLException thrown = new SQLException(
                "flexpool '" + pool.name() + "': interrupted while waiting for a connection",
                new InterruptedException());
        if (before != null) {
            thrown.addSuppressed(before);
        }
        return giveUp(thrown, AcquisitionFailure.of(Kind.INTERRUPTED, thrown));
    }

    /** Records the failure, tells of it, and throws the object itself, whatever its type. */
    private SQLException giveUp(Throwable thrown, AcquisitionFailure why) throws SQLException {
        pool.failures().gaveUp(thrown, why, requestedNanos, attempt);
        return Failures.rethrow(thrown);
    }

    private void startAttempt(long now) {
        long end = after(now, pool.timeoutNanos());
        attemptEndNanos = end == NEVER ? deadlineNanos : deadlineNanos == NEVER ? end : earlier(end, deadlineNanos);
    }

    private static long after(long nanos, long span) {
        // The clock's origin is arbitrary, so a sum may wrap; a span that is "never" must not.
        return span == NEVER ? NEVER : nanos + span;
    }

    private static long earlier(long one, long other) {
        return one == NEVER || (other != NEVER && other - one < 0) ? other : one;
    }
}
