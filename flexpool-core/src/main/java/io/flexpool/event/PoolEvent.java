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
    /** {@return the name of the pool it happened to, as given to the builder} */
    String pool();

    /** {@return what kind of event it is} */
    Kind kind();

    /** {@return the event in one sentence, for a log} */
    String describe();

    /** {@return how long the wait or the lease was; null if the event is about neither} */
    default @Nullable Duration duration() {
        return null;
    }

    /** {@return the pool when it happened; null if that was not read} */
    default @Nullable PoolState state() {
        return null;
    }

    /**
     * Why a request failed, with evidence and holders.
     *
     * @return null if the event is about no failed request, or if another failure of the same second was explained
     */
    default @Nullable Explanation explanation() {
        return null;
    }

    /** Kinds of events. Minor releases add more. */
    enum Kind {
        /** A request got no connection in time. */
        TIMEOUT,
        /** A request was answered late. */
        SLOW_ACQUISITION,
        /** A connection was leased for long. */
        LONG_LEASE,
        /** The database refused, or could not be reached. */
        CONNECT_FAILURE,
        /** A strategy rejected a request, or a pool that is overloaded shed it. */
        REJECTED,
        /** The circuit opened or closed. */
        CIRCUIT,
        /** The limit moved. */
        RESIZED,
        /** Requests wait and the limit stays. */
        GROWTH_REFUSED,
        /** The sizing controller decided, or judged what it had decided. */
        SIZING_DECIDED,
        /** A connection is leased for longer than the leak threshold. */
        LEAK_SUSPECTED,
        /** A suspected lease ended. */
        LEAK_RESOLVED,
        /** A thread that holds a connection requested a second one. */
        NESTED_ACQUISITION,
        /** The pool was warmed up, paused, resumed, evicted or drained. */
        LIFECYCLE,
        /** A part of the pool reported something. */
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
        /** No request waits: the growth is no longer needed. */
        CALM,
        /** The database refused connections after a growth: the growth is taken back. */
        CONNECT_FAILURE,
        /** Set manually. */
        MANUAL,
        /** The sizing controller decided it; its decision has the reason. */
        SIZING,
        /** A part caps the limit at more or less; the decision has the numbers. */
        CAP
    }

    /** A request got no connection within its deadline because all were leased. */
    interface AcquisitionTimedOut extends PoolEvent {
        @Override
        PoolState state();

        @Override
        Duration duration();

        /** {@return the number of attempts of the request} */
        int attempts();

        /** {@return the trace that the request was part of; null if there is none, or no backend that knows it} */
        @Nullable
        String traceId();
    }

    /** A strategy rejected a request, or the request was shed, before the pool was called for it. */
    interface AcquisitionRejected extends PoolEvent {
        @Override
        PoolState state();

        @Override
        Duration duration();

        /** {@return how long to wait before the next request, if this one was shed; null if a strategy rejected it} */
        @Nullable
        Duration retryAfter();
    }

    /** The circuit opened, half opened or closed. */
    interface CircuitChanged extends PoolEvent {
        @Override
        PoolState state();

        /** {@return when it changed} */
        Instant time();

        /** {@return what it is now} */
        CircuitPhase phase();

        /** {@return for how long it stays open; zero if it is not open} */
        Duration openFor();

        /** {@return connect failures in a row so far} */
        int connectFailures();

        /** {@return type, SQLState and first message line of the last connect failure; empty if there was none} */
        String reason();
    }

    /** A request was answered, but later than the configured threshold. */
    interface AcquisitionSlow extends PoolEvent {
        @Override
        PoolState state();

        @Override
        Duration duration();
    }

    /** A connection came back after a lease longer than the configured threshold. */
    interface LeaseLong extends PoolEvent {
        @Override
        Duration duration();
    }

    /** A request failed because the database could not be reached or refused the connection. */
    interface ConnectFailed extends PoolEvent {
        @Override
        PoolState state();

        /** {@return the driver's SQLState, null if it gave none} */
        @Nullable
        String sqlState();

        /** {@return the type of the driver's exception and its message's first line} */
        String reason();

        @Override
        Duration duration();
    }

    /** The lease limit moved. The state is the one just before. */
    interface Resized extends PoolEvent {
        @Override
        PoolState state();

        /** {@return the limit before} */
        int from();

        /** {@return the limit after} */
        int to();

        /** {@return why} */
        ResizeCause cause();

        /**
         * Why, as endpoints write it.
         *
         * @return for example {@code connect-failure}; of {@link ResizeCause#CAP} the name of the part that caps the limit
         */
        String causeWord();
    }

    /** Requests wait and the pool does not grow for them. Reported once a minute at most for each reason. */
    interface GrowthRefused extends PoolEvent {
        @Override
        PoolState state();

        /** {@return why, and how often so far} */
        RefusedGrowth refused();
    }

    /** A connection is leased for longer than {@code leak.threshold}. Reported once for each lease. */
    interface LeakSuspected extends PoolEvent {
        @Override
        PoolState state();

        /** {@return who has it, since when, and from where if that was captured} */
        OpenLease lease();

        @Override
        Duration duration();
    }

    /** A lease that was suspected to be a leak has ended. */
    interface LeakResolved extends PoolEvent {
        /** {@return where it was requested; null if that was not captured} */
        @Nullable
        String callSite();

        /** {@return whether it was taken back, by flexpool or by the pool; false if the application closed it} */
        boolean reclaimed();

        @Override
        Duration duration();
    }

    /**
     * A thread that holds a connection requested another one of the same pool while the pool had hardly any left: if
     * enough threads do so at once, each waits for what the others hold.
     */
    interface NestedAcquisition extends PoolEvent {
        @Override
        PoolState state();

        /** {@return the thread's name, or that of the {@link io.flexpool.OwnerToken} that it carries} */
        String thread();

        /** {@return where it made the request; null if that is unknown} */
        @Nullable
        String callSite();

        /** {@return where it had requested the connection that it holds; null if that was not captured} */
        @Nullable
        String callSiteOfHeld();
    }

    /** The pool was warmed up, paused, resumed, evicted or drained: by its owner, or evicted by flexpool itself. */
    interface LifecycleChanged extends PoolEvent {
        @Override
        PoolState state();

        /** {@return what was done} */
        LifecycleAction action();

        /** {@return the result, or the reason, as a clause without the pool's name} */
        String reason();
    }

    /** What was done to a pool. Minor releases add actions. */
    enum LifecycleAction {
        /** Connections were opened before they were asked for. */
        WARMED_UP,
        /** Requests wait until the pool is resumed. */
        PAUSED,
        /** Requests are answered again. */
        RESUMED,
        /** Idle connections were closed; leased ones are closed when they come back. */
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

    /** The sizing controller decided something about the lease limit, or recommends it. */
    interface SizingDecided extends PoolEvent {
        @Override
        PoolState state();

        /** {@return what and why} */
        Decision decision();
    }

    /** A part of the pool reported something that its module documents. */
    interface PartReported extends PoolEvent {
        /** {@return what it is, lower case with hyphens, for example {@code webhook-failed}; never changed} */
        String name();

        /** {@return the figures and names of the sentence, by name; each part documents its own; unmodifiable} */
        Map<String, String> facts();
    }

    /**
     * An event as a pool remembers it: failures of one kind and reason within a second are one entry with a count.
     * Immutable. Made by flexpool alone; minor releases add methods.
     */
    interface Recent {
        /** {@return its number among what is remembered of a pool, from 0; grows with time} */
        long number();

        /** {@return when the first of them came} */
        Instant first();

        /** {@return when the last of them came} */
        Instant last();

        /** {@return how many they were, at least 1} */
        long count();

        /** {@return the longest of their waits or leases; null for a kind that has none} */
        @Nullable
        Duration longest();

        /** {@return the first of them that is explained, else the first} */
        PoolEvent event();

        /**
         * The event in one line.
         *
         * @return for example {@code 2026-11-21T22:17:35.123Z timeout (12 times): …}
         */
        String describe();
    }
}
