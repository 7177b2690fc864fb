// SPDX-License-Identifier: Apache-2.0
package io.flexpool.internal.pool;

import io.flexpool.adapter.AcquisitionFailure;
import io.flexpool.adapter.AcquisitionFailure.Kind;
import io.flexpool.internal.context.PoolContext;
import io.flexpool.internal.context.RequestClasses;
import io.flexpool.internal.failure.FailedAttempt;
import io.flexpool.internal.failure.FailedAttempt.Attempt;
import io.flexpool.internal.failure.FailedAttempt.OfClass;
import io.flexpool.internal.failure.FailureHandler;
import io.flexpool.pool.AcquisitionOutcome;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * The failure of one request: finds the cause, creates the caller's exception, and counts the request once.
 *
 * <p>If the pool threw an exception, the caller gets that object; if the request ended at the gate, an exception of the
 * pool's class. Methods return an SQLException, so that the throw statement shows the end of the request; other
 * exceptions they throw themselves. Used by one thread.
 */
final class RequestFailure {
    private static final long EVIDENCE_NANOS = 20_000_000;
    private static final int EVIDENCE_ROUNDS = 5;

    private final SlowRequest request;
    private final SlowPath path;
    private final PoolContext context;
    private final FailureHandler failures;
    private boolean counted;

    RequestFailure(SlowRequest request) {
        this.request = request;
        this.path = request.path;
        this.context = request.context;
        this.failures = path.failures();
    }

    // ---- at the gate ----

    /** The failure of the request if it ended now, while it waits. */
    FailedAttempt atGate() {
        return failures.atGate(request.describe(request.requestedNanos));
    }

    SQLException timedOutAtGate() throws SQLException {
        if (context.admissionState().paused()) {
            return rejected(null, "the pool is paused, and was not resumed in time");
        }
        FailedAttempt failed = evidence();
        if (failed.kind() == Kind.CONNECT_FAILED) {
            failed = failures.connectFailed(failed);
        }
        // The pool's exception of an earlier attempt may have another cause, and another SQLState.
        return giveUp(
                failed, request.last != null && request.last.kind() == failed.kind() ? request.last.thrown() : null);
    }

    /** Fails because the class is overloaded, or, if requests with permits cannot connect, the database unreachable. */
    SQLException shed() throws SQLException {
        RequestClasses classes = Objects.requireNonNull(context.classes());
        if (atGate().kind() == Kind.CONNECT_FAILED) {
            return timedOutAtGate();
        }
        Duration retryAfter = classes.retryAfter(request.requestClass);
        Attempt here = request.describe(request.requestedNanos);
        OfClass its = new OfClass(request.requestClass, classes.describe(request.requestClass), false, retryAfter);
        AcquisitionFailure why = new AcquisitionFailure(
                Kind.SHED,
                null,
                "rejected: class " + classes.rules().get(request.requestClass).name()
                        + " is overloaded, try again after " + retryAfter.toMillis() + " ms: " + its.words());
        return giveUp(
                failures.turnedAway(
                        why, new Attempt(here.requestedNanos(), here.beganNanos(), here.number(), here.earlier(), its)),
                null);
    }

    /**
     * Waits a moment beyond the deadline for the requests inside the pool, which began at the same time as this one:
     * their failure has the cause and its SQLState.
     */
    private FailedAttempt evidence() {
        FailedAttempt failed = atGate();
        for (int round = 0;
                round < EVIDENCE_ROUNDS
                        && failed.kind() == Kind.CONNECT_FAILED
                        && failed.outage() == null
                        && !Thread.currentThread().isInterrupted();
                round++) {
            // Not more often: many requests may wait here, and would take processor time from the requests in the pool.
            LockSupport.parkNanos(this, EVIDENCE_NANOS / EVIDENCE_ROUNDS);
            failed = atGate();
        }
        return failed;
    }

    SQLException refusedByCircuit() throws SQLException {
        long left = path.circuit().openForNanos(context.nanos()) / 1_000_000;
        return rejected(
                FailureHandler.UNREACHABLE,
                "the circuit is " + (left > 0 ? "open for another " + left + " ms" : "half open") + " after "
                        + failures.connects().inARow() + " connect failures in a row; last: "
                        + failures.connects().lastInWords());
    }

    SQLException rejected(@Nullable String sqlState, String reason) throws SQLException {
        AcquisitionFailure why = new AcquisitionFailure(Kind.REJECTED, sqlState, reason);
        return giveUp(failures.turnedAway(why, request.describe(request.requestedNanos)), null);
    }

    SQLException drained() throws SQLException {
        return rejected(FailureHandler.DRAINING, "the pool is draining and accepts no new requests");
    }

    /** Counts and returns the refusal of a nested request. */
    SQLException nested(SQLException refusal) {
        counted = true;
        AcquisitionFailure why = AcquisitionFailure.of(Kind.REJECTED, refusal);
        failures.gaveUp(failures.turnedAway(why, request.describe(request.requestedNanos)), null);
        return refusal;
    }

    // ---- in or after the pool's call ----

    /** Fails a request that got a connection but no lease, after everything was given back. Rethrows the exception. */
    SQLException afterConnect(Throwable thrown) throws SQLException {
        counted = true;
        if (context.admissionState().closed() && thrown instanceof SQLException) {
            // The pool was closed while the request was inside.
            path.lifecycle().closeAgain();
            failures.count(Kind.CLOSED, request.requestedNanos, request.attempt);
        } else {
            unforeseen();
        }
        return FailureHandler.rethrow(thrown);
    }

    SQLException closed() {
        return giveUp(FailureHandler.closed(context.name()), Kind.CLOSED);
    }

    SQLException interrupted() {
        SQLException thrown = new SQLException(
                context.name() + ": interrupted while waiting for a connection", new InterruptedException());
        if (request.last != null && request.last.thrown() != null) {
            thrown.addSuppressed(request.last.thrown());
        }
        return giveUp(thrown, Kind.INTERRUPTED);
    }

    /** Counts a request without a connection, unless it is counted already. */
    void ended() {
        if (!counted) {
            unforeseen();
        }
    }

    private void unforeseen() {
        context.recorder().failed(request.nowOrRequested() - request.requestedNanos, AcquisitionOutcome.ERROR);
    }

    /** Fails without an explanation, because the exception is sufficient. */
    private SQLException giveUp(SQLException thrown, Kind kind) {
        counted = true;
        failures.count(kind, request.requestedNanos, request.attempt);
        return thrown;
    }

    /** Counts, reports and throws a failure: the pool's exception, or, if that is null, one of the pool's class. */
    SQLException giveUp(FailedAttempt failed, @Nullable Throwable own) throws SQLException {
        FailedAttempt reported = own == null ? failures.explained(failed) : failed;
        Throwable thrown = own == null ? failures.exception(reported) : own;
        counted = true;
        RequestClasses classes = context.classes();
        if (classes != null) {
            classes.recorder().failed(request.requestClass, failed.kind());
        }
        failures.gaveUp(reported, own);
        return FailureHandler.rethrow(thrown);
    }
}
