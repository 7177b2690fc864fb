// SPDX-License-Identifier: Apache-2.0
package io.flexpool.internal.failure;

import io.flexpool.adapter.AcquisitionFailure;
import io.flexpool.adapter.AcquisitionFailure.Kind;
import io.flexpool.internal.context.PoolContext;
import io.flexpool.internal.failure.FailedAttempt.Attempt;
import io.flexpool.internal.resize.Resizer;
import io.flexpool.pool.PoolSnapshot;
import io.flexpool.pool.PoolState;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Finds the reason why an attempt failed: the adapter's classification of the exception, corrected by the pool's
 * figures. Reads the pool once for each failure, and changes nothing. Thread-safe.
 */
final class FailureClassifier {
    private static final long RECHECK_NANOS = 20_000_000;
    /** Several, because the first requests of an application load classes while they hold connections. */
    private static final int RECHECKS = 8;
    /** On a busy machine many threads may get no processor for about this long. */
    private static final long SHORTEST_SILENCE_NANOS = 150_000_000;

    private static final AcquisitionFailure NOTHING_CAME = new AcquisitionFailure(
            Kind.CONNECT_FAILED,
            null,
            "every admitted request waits in the pool's getConnection(), and no call has returned");

    private final PoolContext context;
    private final @Nullable Resizer resizer;
    private final ConnectFailures connects;

    FailureClassifier(PoolContext context, @Nullable Resizer resizer, ConnectFailures connects) {
        this.context = context;
        this.resizer = resizer;
        this.connects = connects;
    }

    /** Why an attempt inside the pool failed. */
    FailedAttempt inPool(Throwable thrown, Attempt attempt) {
        long now = context.nanos();
        long acquired = context.recorder().acquired();
        PoolState state = context.state(now);
        if (context.admissionState().closed()) {
            AcquisitionFailure closed = AcquisitionFailure.of(Kind.CLOSED, thrown);
            return new FailedAttempt(attempt, now, closed, context.stateAfterFailure(state), thrown, null);
        }
        AcquisitionFailure why = adaptersView(thrown, state.pool(), now - attempt.beganNanos());
        // While leases are open, an adapter that samples the pool may have missed the connects of the last second.
        boolean doubted = presumed(why, thrown) && state.leased() > 0 && !onTheirWay(why, thrown, attempt, now);
        if (doubted || (why.kind() == Kind.EXHAUSTED && onlyConnecting(state))) {
            // Under load, connections pass between requests, so another acquisition follows within a short time.
            int rechecks = connects.since(attempt.requestedNanos()) == null ? RECHECKS : 1;
            boolean nothing = true;
            for (int rounds = 2 * rechecks; nothing && rechecks > 0 && rounds > 0; rounds--) {
                long before = context.nanos();
                LockSupport.parkNanos(RECHECK_NANOS);
                state = context.state();
                nothing = context.recorder().acquired() == acquired && (doubted || onlyConnecting(state));
                // A JVM that lacked a processor meanwhile proves nothing.
                rechecks -= context.nanos() - before > 2 * RECHECK_NANOS ? 0 : 1;
            }
            if (nothing != doubted) {
                why = AcquisitionFailure.of(nothing ? Kind.CONNECT_FAILED : Kind.EXHAUSTED, thrown);
            }
        }
        if (onTheirWay(why, thrown, attempt, now)) {
            why = AcquisitionFailure.of(Kind.EXHAUSTED, thrown);
        }
        // A pool drops its last connect failure at the next successful connect: a request that times out then gets no
        // connect failure from the pool.
        boolean unexplained = why.kind() == Kind.EXHAUSTED && !full(state);
        FailedAttempt outage = unexplained ? connects.since(attempt.requestedNanos()) : null;
        return new FailedAttempt(
                attempt, now, outage == null ? why : outage.why(), context.stateAfterFailure(state), thrown, outage);
    }

    private AcquisitionFailure adaptersView(Throwable thrown, PoolSnapshot snapshot, long attemptNanos) {
        return context.listeners()
                .ask(
                        "the adapter's classify",
                        () -> context.adapter().classify(thrown, snapshot, Duration.ofNanos(attemptNanos)),
                        AcquisitionFailure.of(Kind.OTHER, thrown));
    }

    /**
     * Whether all connections that the pool counts as active may be connects in progress: none is leased, none is idle,
     * and at least as many requests are pending as connections are active. In an outage some pools count themselves
     * full.
     */
    private static boolean onlyConnecting(PoolState state) {
        PoolSnapshot pool = state.pool();
        return state.leased() + state.foreign() == 0
                && pool.idle() <= 0
                && pool.active() > 0
                && pool.active() <= state.pending();
    }

    /**
     * Whether connections open too slowly for the request: no connect was refused, and either the pool has just grown,
     * or other requests were served in the second half of the wait. If this counted as an outage, growth would be
     * reverted before its connections are open, and the next burst would time out too. A refusal, by type or SQLState,
     * is always an outage. The price: a hang that begins with a growth counts as exhaustion for one acquisition
     * timeout.
     */
    private boolean onTheirWay(AcquisitionFailure why, Throwable thrown, Attempt attempt, long now) {
        return presumed(why, thrown)
                && (context.turnover().cameSince(now - (now - attempt.beganNanos()) / 2, now)
                        || (resizer != null
                                && resizer.grewSince(attempt.requestedNanos()
                                        - context.config().timeoutNanos())));
    }

    private static boolean presumed(AcquisitionFailure why, Throwable thrown) {
        return why.kind() == Kind.CONNECT_FAILED && FailedAttempt.presumed(why, thrown);
    }

    /**
     * Why a request got no permit: exhausted, unless the evidence says that the permits' holders cannot connect.
     * Evidence is a connect failure since the request was made, in a pool that is not full; or no lease, and no
     * acquisition for half of the acquisition timeout. If leases are shorter than a read of the pool, the read may find
     * none although connections are being acquired.
     */
    FailedAttempt atGate(Attempt attempt) {
        long now = context.nanos();
        PoolState state = context.state(now);
        FailedAttempt outage = connects.since(attempt.requestedNanos());
        if ((outage == null || full(state)) && !silent(state, now)) {
            AcquisitionFailure why = new AcquisitionFailure(Kind.EXHAUSTED, null, "no connection was returned in time");
            return new FailedAttempt(attempt, now, why, state, null, null);
        }
        return new FailedAttempt(attempt, now, outage == null ? NOTHING_CAME : outage.why(), state, null, outage);
    }

    private boolean silent(PoolState state, long now) {
        long enough = Math.max(context.config().timeoutNanos() / 2, SHORTEST_SILENCE_NANOS);
        return state.leased() + state.foreign() == 0
                && !starved(state)
                && context.turnover().quietNanos(now) >= enough;
    }

    /** Whether threads with a permit are not yet inside a pool with idle connections: they lack a processor. */
    private static boolean starved(PoolState state) {
        PoolSnapshot pool = state.pool();
        int inside = Math.max(0, pool.active()) + Math.max(0, pool.pending());
        return pool.idle() > 0 && pool.active() != PoolSnapshot.UNKNOWN && inside < state.leased() + state.entering();
    }

    /** Whether the pool is at its limit or max; also true if it does not report its size. */
    private static boolean full(PoolState state) {
        int most = state.bound() ? state.limit() : state.pool().max();
        return state.pool().total() == PoolSnapshot.UNKNOWN || state.pool().total() >= most;
    }
}
