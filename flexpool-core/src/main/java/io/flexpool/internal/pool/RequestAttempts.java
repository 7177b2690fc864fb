// SPDX-License-Identifier: Apache-2.0
package io.flexpool.internal.pool;

import io.flexpool.adapter.AcquisitionFailure.Kind;
import io.flexpool.internal.context.PoolContext;
import io.flexpool.internal.failure.FailedAttempt;
import io.flexpool.internal.failure.FailureHandler;
import io.flexpool.internal.gate.Circuit;
import io.flexpool.internal.lease.Slot;
import io.flexpool.strategy.AcquisitionStrategy.Verdict;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * One request that is not answered at once: its attempts, one after the other. Each attempt waits for a permit
 * ({@link PermitWait}) and calls the pool; the strategies decide whether there is another one. A request without a
 * connection ends as a {@link RequestFailure}. Used by one thread.
 */
final class RequestAttempts {
    private final AcquiringPool pool;
    private final SlowPath path;
    private final PoolContext context;
    private final ConnectionRequest request;
    private final SlowRequest state;
    private final RequestFailure failure;
    private final PermitWait permits;

    RequestAttempts(AcquiringPool pool, SlowPath path, ConnectionRequest request, long requestedNanos) {
        this.pool = pool;
        this.path = path;
        this.context = path.context();
        this.request = request;
        this.state = new SlowRequest(path, requestedNanos);
        this.failure = new RequestFailure(state);
        this.permits = new PermitWait(state, failure);
    }

    Connection acquire() throws SQLException {
        Connection joined = transactionHandle();
        return joined == null ? acquireAfter(null) : joined;
    }

    /** Answers a request after its first attempt, if there was one, has failed and given everything back. */
    Connection acquireAfter(@Nullable Throwable firstFailure) throws SQLException {
        boolean answered = false;
        try {
            if (firstFailure == null) {
                begin();
            } else {
                afterAttempt(firstFailure, state.requestedNanos);
            }
            Connection answer = attempts();
            answered = true;
            return answer;
        } finally {
            if (!answered) {
                failure.ended();
            }
        }
    }

    private void begin() throws SQLException {
        // Before it is counted, because a refused request does not show that the pool is exhausted.
        SQLException refusal = path.nesting().refusal(state.requestedNanos);
        path.admission().requested();
        if (refusal != null) {
            throw failure.nested(refusal);
        }
        if (context.admissionState().draining() && !path.admission().holds()) {
            // The drain waits for threads that hold a connection.
            throw failure.drained();
        }
    }

    /** Fails a request after its first attempt got a connection but no lease, and has given everything back. */
    Connection failAfterConnect(Throwable thrown) throws SQLException {
        throw failure.afterConnect(thrown);
    }

    /** If the pool refuses another handle on the transaction's connection, the request fails: no retry would help. */
    private @Nullable Connection transactionHandle() throws SQLException {
        try {
            return path.admission().transactionHandle(request);
        } catch (Throwable thrown) {
            path.admission().requested();
            path.failures().gaveUp(path.failures().inPool(thrown, state.describe(state.requestedNanos)), thrown);
            throw FailureHandler.rethrow(thrown);
        }
    }

    private Connection attempts() throws SQLException {
        while (true) {
            checkMayGoOn();
            Slot slot = permits.await();
            Connection target = null;
            Throwable thrownHere = null;
            boolean probe = false;
            long attemptNanos = state.requestedNanos;
            try {
                if (permits.queued() || state.attempt > 1) {
                    attemptNanos = context.nanos();
                }
                Circuit.Decision circuit = path.circuit().admit(attemptNanos);
                probe = circuit == Circuit.Decision.PROBE;
                // If the circuit was opened, or the pool closed, while this request waited, its permit goes back.
                if (circuit != Circuit.Decision.REFUSED
                        && !context.admissionState().closed()) {
                    target = open(attemptNanos);
                    if (probe) {
                        path.circuit().close();
                    }
                    if (slot == Slot.UNPLACED) {
                        slot = path.admission().claim();
                    }
                    return pool.lend(target, slot, state.requestedNanos, attemptNanos, state.attempt);
                }
            } catch (Throwable thrown) {
                thrownHere = thrown;
            }
            // In the method that has taken the slot, as in AcquiringPool.acquire().
            try {
                pool.undo(slot, target, thrownHere);
            } catch (Throwable outOfStack) {
                slot.abandoned = true;
            }
            try {
                if (thrownHere == null) {
                    checkMayGoOn();
                    throw failure.refusedByCircuit();
                }
                if (target != null) {
                    throw failure.afterConnect(thrownHere);
                }
                afterAttempt(thrownHere, attemptNanos);
            } finally {
                if (probe) {
                    // Has no effect if the probe has closed the circuit, or has opened it again.
                    path.circuit()
                            .probeEnded(
                                    context.nanos(), state.last != null && state.last.kind() == Kind.CONNECT_FAILED);
                }
            }
        }
    }

    private void checkMayGoOn() throws SQLException {
        if (context.admissionState().closed()) {
            // Also without a gate: the pool itself might open again.
            throw failure.closed();
        }
        if (path.circuit().refuses(context.nanos())) {
            throw failure.refusedByCircuit();
        }
    }

    private Connection open(long nowNanos) throws SQLException {
        long left = state.attemptEndNanos - nowNanos;
        boolean fresh = left >= context.config().timeoutNanos();
        ConnectionSource source = path.source();
        return fresh || state.attemptEndNanos == SlowRequest.NEVER
                ? source.open(request)
                : source.openWithin(request, Math.max(1_000_000, left));
    }

    /** Returns if another attempt follows, otherwise throws. */
    private void afterAttempt(Throwable thrown, long attemptNanos) throws SQLException {
        FailedAttempt failed = path.failures().inPool(thrown, state.describe(attemptNanos));
        state.last = failed;
        Kind kind = failed.kind();
        if (kind == Kind.INTERRUPTED) {
            // Some pools clear the flag and throw another exception.
            Thread.currentThread().interrupt();
        }
        if (context.admissionState().closed()) {
            path.lifecycle().closeAgain();
        } else {
            path.alignment().afterFailure();
        }
        boolean forStrategies = thrown instanceof Exception
                && (kind == Kind.EXHAUSTED || kind == Kind.CONNECT_FAILED || kind == Kind.OTHER);
        Verdict verdict =
                forStrategies ? state.strategies.consult(failed, null, null, failed.failedNanos()) : Verdict.PASS;
        if (verdict.action() != Verdict.Action.RETRY) {
            throw failure.giveUp(failed, thrown);
        }
        pause(verdict.duration().toNanos());
        state.again(context.nanos());
    }

    /** Waits without a permit, so that other requests can use it. */
    private void pause(long nanos) throws SQLException {
        long end = context.nanos() + nanos;
        long left;
        while ((left = end - context.nanos()) > 0) {
            if (Thread.currentThread().isInterrupted()) {
                throw failure.interrupted();
            }
            if (context.admissionState().closed()) {
                throw failure.closed();
            }
            LockSupport.parkNanos(this, Math.min(left, 100_000_000));
        }
    }
}
