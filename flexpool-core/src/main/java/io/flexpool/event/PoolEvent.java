// SPDX-License-Identifier: Apache-2.0
package io.flexpool.event;

import io.flexpool.diagnostics.Decision;
import io.flexpool.diagnostics.Decision.RefusedGrowth;
import io.flexpool.diagnostics.Explanation;
import io.flexpool.diagnostics.OpenLease;
import io.flexpool.internal.shared.Words;
import io.flexpool.pool.PoolState;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Something that happened to a pool. Immutable; holds no password. Made by flexpool alone; minor releases add kinds,
 * and methods to a kind: code that distinguishes kinds needs a default branch.
 */
public interface PoolEvent {
    /** {@return the name of the event's pool, as given to the builder} */
    String pool();

    /** {@return the kind of the event} */
    Kind kind();

    /** {@return the event in one sentence, for a log} */
    String describe();

    /** {@return the length of the wait or lease; null if the event concerns neither} */
    default @Nullable Duration duration() {
        return null;
    }

    /** {@return the pool's state at the event; null if it was not read} */
    default @Nullable PoolState state() {
        return null;
    }

    /**
     * Why a request failed, with evidence and holders.
     *
     * @return null if no request failed, or if another failure of the same second was explained
     */
    default @Nullable Explanation explanation() {
        return null;
    }

    /** Kinds of events. Minor releases add more. */
    enum Kind {
        /** A request got no connection in time. */
        TIMEOUT,
        /** A request was served late. */
        SLOW_ACQUISITION,
        /** A connection was leased for long. */
        LONG_LEASE,
        /** The database refused a connection, or could not be reached. */
        CONNECT_FAILURE,
        /** A strategy rejected a request, or an overloaded pool shed it. */
        REJECTED,
        /** The circuit opened or closed. */
        CIRCUIT,
        /** The limit moved. */
        RESIZED,
        /** Requests wait and the limit stays. */
        GROWTH_REFUSED,
        /** The sizing controller decided, or judged an earlier decision. */
        SIZING_DECIDED,
        /** A connection is leased for longer than the leak threshold. */
        LEAK_SUSPECTED,
        /** A suspected lease ended. */
        LEAK_RESOLVED,
        /** A thread that holds a connection requested a second one. */
        NESTED_ACQUISITION,
        /** The pool was warmed up, paused, resumed, evicted or drained. */
        LIFECYCLE,
        /** A part of the pool reported an event. */
        PART;

        /** {@return the kind as reports and endpoints write it, for example {@code slow-acquisition}; never changed} */
        @Override
        public String toString() {
            return Words.word(this);
        }
    }

    /** Whether requests may go to the pool. */
    enum CircuitPhase {
        /** All requests may go to the pool: the normal state. */
        CLOSED,
        /** No request may go to the pool for some time. */
        OPEN,
        /** One request may go to the pool, to check whether the database is back. */
        HALF_OPEN
    }

    /** Why a limit moved. */
    enum ResizeCause {
        /** Requests waited and every connection was leased. */
        DEMAND,
        /** No request waits: the growth is not needed any longer. */
        CALM,
        /** The database refused connections after a growth: the growth is taken back. */
        CONNECT_FAILURE,
        /** Set manually. */
        MANUAL,
        /** The sizing controller moved the limit; its decision has the reason. */
        SIZING,
        /** A part raised or lowered its cap on the limit; the decision has the numbers. */
        CAP
    }

    /** A request got no connection within its deadline because all connections were leased. */
    interface AcquisitionTimedOut extends PoolEvent {
        @Override
        PoolState state();

        @Override
        Duration duration();

        /** {@return the number of attempts of the request} */
        int attempts();

        /** {@return the id of the request's trace; null if there is no trace, or no backend reports it} */
        @Nullable
        String traceId();
    }

    /** A strategy rejected a request, or the request was shed, before the pool was called for it. */
    interface AcquisitionRejected extends PoolEvent {
        @Override
        PoolState state();

        @Override
        Duration duration();

        /** {@return the wait before the next request, if this request was shed; null if a strategy rejected it} */
        @Nullable
        Duration retryAfter();
    }

    /** The circuit opened, half opened or closed. */
    interface CircuitChanged extends PoolEvent {
        @Override
        PoolState state();

        /** {@return the time of the change} */
        Instant time();

        /** {@return the new phase} */
        CircuitPhase phase();

        /** {@return how long the circuit stays open; zero if it is not open} */
        Duration openFor();

        /** {@return connect failures in a row so far} */
        int connectFailures();

        /** {@return type, SQLState and first message line of the last connect failure; empty without a failure} */
        String reason();
    }

    /** A request was served, but later than the configured threshold. */
    interface AcquisitionSlow extends PoolEvent {
        @Override
        PoolState state();

        @Override
        Duration duration();
    }

    /** A connection was returned after a lease longer than the configured threshold. */
    interface LeaseLong extends PoolEvent {
        @Override
        Duration duration();
    }

    /** A request failed because the database could not be reached or refused the connection. */
    interface ConnectFailed extends PoolEvent {
        @Override
        PoolState state();

        /** {@return the driver's SQLState; null without one} */
        @Nullable
        String sqlState();

        /** {@return the type of the driver's exception and its message's first line} */
        String reason();

        @Override
        Duration duration();
    }

    /** The lease limit moved. {@link #state()} is the state just before. */
    interface Resized extends PoolEvent {
        @Override
        PoolState state();

        /** {@return the limit before the change} */
        int from();

        /** {@return the limit after the change} */
        int to();

        /** {@return the cause of the change} */
        ResizeCause cause();

        /**
         * The cause as endpoints write it.
         *
         * @return for example {@code connect-failure}; for {@link ResizeCause#CAP} the name of the capping part
         */
        String causeWord();
    }

    /** Requests wait and the pool does not grow. Reported at most once a minute for each reason. */
    interface GrowthRefused extends PoolEvent {
        @Override
        PoolState state();

        /** {@return the reason, and the count so far} */
        RefusedGrowth refused();
    }

    /** A connection is leased for longer than {@code leak.threshold}. Reported once for each lease. */
    interface LeakSuspected extends PoolEvent {
        @Override
        PoolState state();

        /** {@return the lease: its holder, its age, and its call site if captured} */
        OpenLease lease();

        @Override
        Duration duration();
    }

    /** A lease that was suspected to be a leak has ended. */
    interface LeakResolved extends PoolEvent {
        /** {@return where the connection was requested; null if not captured} */
        @Nullable
        String callSite();

        /** {@return whether flexpool or the pool reclaimed the connection; false if the application closed it} */
        boolean reclaimed();

        @Override
        Duration duration();
    }

    /**
     * A thread that holds a connection requested a second one of a nearly exhausted pool: if enough threads do this at
     * once, each waits for the other threads' connections.
     */
    interface NestedAcquisition extends PoolEvent {
        @Override
        PoolState state();

        /** {@return the name of the thread, or of the {@link io.flexpool.OwnerToken} that it carries} */
        String thread();

        /** {@return where the thread made the request; null if unknown} */
        @Nullable
        String callSite();

        /** {@return where the thread requested the connection that it holds; null if not captured} */
        @Nullable
        String callSiteOfHeld();
    }

    /** The pool's owner warmed it up, paused, resumed, evicted or drained it, or flexpool evicted it. */
    interface LifecycleChanged extends PoolEvent {
        @Override
        PoolState state();

        /** {@return the action} */
        LifecycleAction action();

        /** {@return the result, or the reason, as a clause without the pool's name} */
        String reason();
    }

    /** An action on a pool. Minor releases add actions. */
    enum LifecycleAction {
        /** Connections were opened in advance. */
        WARMED_UP,
        /** Requests wait until the pool is resumed. */
        PAUSED,
        /** Requests are served again. */
        RESUMED,
        /** Idle connections were closed; leased connections are closed on return. */
        EVICTED,
        /** New requests are refused, and the pool waits for open leases. */
        DRAINING,
        /** The wait for open leases is over; the pool is closed next. */
        DRAINED;

        /** {@return the action as endpoints write it, for example {@code warmed-up}; never changed} */
        @Override
        public String toString() {
            return Words.word(this);
        }
    }

    /** The sizing controller made or recommends a decision about the lease limit. */
    interface SizingDecided extends PoolEvent {
        @Override
        PoolState state();

        /** {@return the decision with its cause} */
        Decision decision();
    }

    /** A part of the pool reported an event, which its module documents. */
    interface PartReported extends PoolEvent {
        /** {@return the event's name, lower case with hyphens, for example {@code webhook-failed}; never changed} */
        String name();

        /** {@return the figures and names of the event's sentence, by their documented keys; unmodifiable} */
        Map<String, String> facts();
    }

    /**
     * A stored event of a pool: failures of one kind and reason within a second are one entry with a count. Immutable.
     * Made by flexpool alone; minor releases add methods.
     */
    interface Recent {
        /** {@return the number of the entry in its pool, from 0; grows with time} */
        long number();

        /** {@return the time of the first event} */
        Instant first();

        /** {@return the time of the last event} */
        Instant last();

        /** {@return the number of events, at least 1} */
        long count();

        /** {@return the longest wait or lease of the events; null for a kind without durations} */
        @Nullable
        Duration longest();

        /** {@return the first explained event, otherwise the first event} */
        PoolEvent event();

        /**
         * The event in one line.
         *
         * @return for example {@code 2026-11-21T22:17:35.123Z timeout (12 times): …}
         */
        String describe();
    }
}
