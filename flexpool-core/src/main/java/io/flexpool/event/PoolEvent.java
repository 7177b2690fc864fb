// SPDX-License-Identifier: Apache-2.0
package io.flexpool.event;

import io.flexpool.diagnostics.Decision;
import io.flexpool.diagnostics.Explanation;
import io.flexpool.diagnostics.OpenLease;
import io.flexpool.pool.PoolState;
import org.jspecify.annotations.Nullable;

/** Something that happened to a pool and that a person may want to hear of. Immutable; holds no password. */
public sealed interface PoolEvent {
    /**
     * The pool it happened to.
     *
     * @return the name given to the builder
     */
    String pool();

    /**
     * The event in one sentence.
     *
     * @return a line for a log
     */
    String describe();

    /** Whether requests may go to the pool. */
    enum CircuitPhase {
        /** All may: the ordinary state. */
        CLOSED,
        /** None may, for a while. */
        OPEN,
        /** One may, to see whether the database is back. */
        HALF_OPEN
    }

    /** Why a limit moved. */
    enum ResizeCause {
        /** Requests waited and every connection was out. */
        DEMAND,
        /** Calm: the growth is no longer needed. */
        CALM,
        /** The database refused connections after a growth: the growth is taken back. */
        CONNECT_FAILURE,
        /** Somebody asked for it. */
        MANUAL,
        /** The sizing controller decided it; its decision says why. */
        SIZING
    }

    /**
     * A request got no connection within its deadline because all were out.
     *
     * @param pool the pool's name
     * @param waitedNanos how long it waited, nanoseconds
     * @param attempts how many times it tried
     * @param state the pool when it gave up
     * @param report the paragraph that the caller's exception carries too
     * @param traceId the trace that the request was part of; null if there is none, or nothing that knows it
     * @param explanation why, with evidence and holders; null if another request's of the same second was explained
     */
    record AcquisitionTimedOut(
            String pool,
            long waitedNanos,
            int attempts,
            PoolState state,
            String report,
            @Nullable String traceId,
            @Nullable Explanation explanation)
            implements PoolEvent {
        /**
         * Without an explanation.
         *
         * @param pool the pool's name
         * @param waitedNanos how long it waited, nanoseconds
         * @param attempts how many times it tried
         * @param state the pool when it gave up
         * @param report the paragraph that the caller's exception carries too
         * @param traceId the trace that the request was part of, or null
         */
        public AcquisitionTimedOut(
                String pool, long waitedNanos, int attempts, PoolState state, String report, @Nullable String traceId) {
            this(pool, waitedNanos, attempts, state, report, traceId, null);
        }

        @Override
        public String describe() {
            return report;
        }
    }

    /**
     * A request was turned away by a strategy, without or before asking the pool.
     *
     * @param pool the pool's name
     * @param waitedNanos how long it had waited, nanoseconds
     * @param state the pool when it was turned away
     * @param report the paragraph that the caller's exception carries too
     */
    record AcquisitionRejected(String pool, long waitedNanos, PoolState state, String report) implements PoolEvent {
        @Override
        public String describe() {
            return report;
        }
    }

    /**
     * The circuit opened, let a request through to see, or closed.
     *
     * @param pool the pool's name
     * @param phase what it is now
     * @param openForNanos how long it stays open, nanoseconds; 0 if it is not open
     * @param connectFailures connect failures in a row so far
     * @param reason the last connect failure: type, SQLState and first line of the message; empty if there was none
     * @param state the pool at that time
     */
    record CircuitChanged(
            String pool, CircuitPhase phase, long openForNanos, int connectFailures, String reason, PoolState state)
            implements PoolEvent {
        @Override
        public String describe() {
            return pool
                    + switch (phase) {
                        case OPEN ->
                            ": the circuit is open for " + openForNanos / 1_000_000 + " ms after " + connectFailures
                                    + " connect failures in a row, and requests are turned away; last: " + reason;
                        case HALF_OPEN ->
                            ": the circuit is half open, one request finds out whether the database is back";
                        case CLOSED -> ": the circuit is closed again";
                    };
        }
    }

    /**
     * A request was answered, but later than the configured threshold.
     *
     * @param pool the pool's name
     * @param waitedNanos how long it took, nanoseconds
     * @param state the pool when it was answered
     */
    record AcquisitionSlow(String pool, long waitedNanos, PoolState state) implements PoolEvent {
        @Override
        public String describe() {
            return pool + ": an acquisition took " + waitedNanos / 1_000_000 + " ms: " + state.describe();
        }
    }

    /**
     * A connection came back after a lease longer than the configured threshold.
     *
     * @param pool the pool's name
     * @param heldNanos how long it was out, nanoseconds
     */
    record LeaseLong(String pool, long heldNanos) implements PoolEvent {
        @Override
        public String describe() {
            return pool + ": a connection was out for " + heldNanos / 1_000_000 + " ms";
        }
    }

    /**
     * A request failed because the database could not be reached or refused the connection.
     *
     * @param pool the pool's name
     * @param waitedNanos how long the request had waited, nanoseconds
     * @param sqlState the driver's SQLState, null if it gave none
     * @param reason the type of the driver's exception and its message's first line
     * @param state the pool at that time
     * @param explanation what it looks like, with evidence; null if another failure of the same second was explained
     */
    record ConnectFailed(
            String pool,
            long waitedNanos,
            @Nullable String sqlState,
            String reason,
            PoolState state,
            @Nullable Explanation explanation)
            implements PoolEvent {
        /**
         * Without an explanation.
         *
         * @param pool the pool's name
         * @param waitedNanos how long the request had waited, nanoseconds
         * @param sqlState the driver's SQLState, null if it gave none
         * @param reason the type of the driver's exception and its message's first line
         * @param state the pool at that time
         */
        public ConnectFailed(String pool, long waitedNanos, @Nullable String sqlState, String reason, PoolState state) {
            this(pool, waitedNanos, sqlState, reason, state, null);
        }

        @Override
        public String describe() {
            String withState = sqlState == null ? "" : " (SQLState " + sqlState + ")";
            return pool + ": the database refuses connections or cannot be reached" + withState + ": " + reason + "; "
                    + state.describe() + (explanation == null ? "" : ". " + explanation.reasons());
        }
    }

    /**
     * The lease limit moved.
     *
     * @param pool the pool's name
     * @param from the limit before
     * @param to the limit after
     * @param cause why
     * @param state the pool just before
     */
    record Resized(String pool, int from, int to, ResizeCause cause, PoolState state) implements PoolEvent {
        @Override
        public String describe() {
            String why = switch (cause) {
                case DEMAND -> state.pending() + " requests pending and all connections out";
                case CALM -> "calm, the growth is no longer needed";
                case CONNECT_FAILURE -> "the database refuses connections, the growth is taken back";
                case MANUAL -> "asked for";
                case SIZING -> "the sizing controller decided it";
            };
            return pool + ": lease limit " + from + " -> " + to + ": " + why;
        }
    }

    /**
     * A connection is out for longer than {@code leak.threshold}. Told once for each lease.
     *
     * @param pool the pool's name
     * @param lease who has it, since when, and from where if that was captured
     * @param state the pool at that time
     */
    record LeakSuspected(String pool, OpenLease lease, PoolState state) implements PoolEvent {
        @Override
        public String describe() {
            return pool + ": a connection may have leaked: " + lease.describe() + "; " + state.describe();
        }
    }

    /**
     * A lease that was suspected to be a leak has ended.
     *
     * @param pool the pool's name
     * @param heldNanos how long it was out, nanoseconds
     * @param callSite where it was asked for; null if that was not captured
     * @param reclaimed whether flexpool took it back ({@code leak.reclaim-after}); false if the application gave it back
     */
    record LeakResolved(
            String pool, long heldNanos, @Nullable String callSite, boolean reclaimed) implements PoolEvent {
        @Override
        public String describe() {
            String where = callSite == null ? "" : " of " + callSite;
            return pool + ": the suspected leak" + where
                    + (reclaimed ? " was taken back by flexpool after " : " came back after ") + heldNanos / 1_000_000
                    + " ms";
        }
    }

    /**
     * A thread that holds a connection asked for another one of the same pool while the pool had hardly any left: if
     * enough threads do so at once, each waits for what the others hold.
     *
     * @param pool the pool's name
     * @param thread the thread's name
     * @param callSite where it asked
     * @param callSiteOfHeld where it had asked for the connection that it holds; null if that was not captured
     * @param state the pool at that time
     */
    record NestedAcquisition(
            String pool,
            String thread,
            @Nullable String callSite,
            @Nullable String callSiteOfHeld,
            PoolState state) implements PoolEvent {
        @Override
        public String describe() {
            return pool + ": " + thread + " asks for a second connection"
                    + (callSite == null ? "" : " at " + callSite) + " while it holds one"
                    + (callSiteOfHeld == null ? "" : " from " + callSiteOfHeld)
                    + ", and hardly any is left; enough of these at once wait for each other: " + state.describe();
        }
    }

    /**
     * The sizing controller decided something about the lease limit, or, where it only observes, would have.
     *
     * @param pool the pool's name
     * @param decision what and why
     * @param state the pool at that time
     */
    record SizingDecided(String pool, Decision decision, PoolState state) implements PoolEvent {
        @Override
        public String describe() {
            return pool + ": " + decision.explanation();
        }
    }
}
