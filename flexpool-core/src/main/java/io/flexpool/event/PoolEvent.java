// SPDX-License-Identifier: Apache-2.0
package io.flexpool.event;

import io.flexpool.diagnostics.Decision;
import io.flexpool.diagnostics.Decision.RefusedGrowth;
import io.flexpool.diagnostics.Explanation;
import io.flexpool.diagnostics.OpenLease;
import io.flexpool.internal.shared.PlainText;
import io.flexpool.internal.shared.Words;
import io.flexpool.pool.PoolState;
import java.time.Duration;
import java.time.Instant;
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
        LIFECYCLE;

        /** {@return the kind as reports and endpoints write it, for example {@code slow-acquisition}; never changed} */
        public String word() {
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
        /** The sizing controller decided it; its decision says why. */
        SIZING,
        /** A part caps the limit at more or less; the decision has the numbers. */
        CAP
    }

    /** An event that always has the state of the pool. */
    interface WithState extends PoolEvent {
        @Override
        PoolState state();
    }

    /** A request failed, although the database gives connections; the failure has a report. */
    interface RequestFailed extends WithState {
        /** {@return the paragraph that the caller's exception carries too} */
        String report();

        @Override
        Duration duration();

        @Override
        default String describe() {
            return report();
        }
    }

    /** A request got no connection within its deadline because all were leased. */
    interface AcquisitionTimedOut extends RequestFailed {
        @Override
        default Kind kind() {
            return Kind.TIMEOUT;
        }

        /** {@return the number of attempts of the request} */
        int attempts();

        /** {@return the trace that the request was part of; null if there is none, or no backend that knows it} */
        @Nullable
        String traceId();
    }

    /** A strategy rejected a request, or the request was shed, before the pool was called for it. */
    interface AcquisitionRejected extends RequestFailed {
        /** {@return how long to wait before the next request, if this one was shed; null if a strategy rejected it} */
        default @Nullable Duration retryAfter() {
            return null;
        }

        @Override
        default Kind kind() {
            return Kind.REJECTED;
        }
    }

    /** The circuit opened, half opened or closed. */
    interface CircuitChanged extends WithState {
        @Override
        default Kind kind() {
            return Kind.CIRCUIT;
        }

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

        @Override
        default String describe() {
            return pool()
                    + switch (phase()) {
                        case OPEN ->
                            ": the circuit is open for " + openFor().toMillis() + " ms after " + connectFailures()
                                    + " connect failures in a row, and requests are rejected; last: " + reason();
                        case HALF_OPEN -> ": the circuit is half open: one probe request tests the database";
                        case CLOSED -> ": the circuit is closed again";
                    };
        }
    }

    /** A request was answered, but later than the configured threshold. */
    interface AcquisitionSlow extends WithState {
        @Override
        default Kind kind() {
            return Kind.SLOW_ACQUISITION;
        }

        @Override
        Duration duration();

        @Override
        default String describe() {
            return pool() + ": an acquisition took " + duration().toMillis() + " ms: " + state().describe();
        }
    }

    /** A connection came back after a lease longer than the configured threshold. */
    interface LeaseLong extends PoolEvent {
        @Override
        default Kind kind() {
            return Kind.LONG_LEASE;
        }

        @Override
        Duration duration();

        @Override
        default String describe() {
            return pool() + ": a lease lasted " + duration().toMillis() + " ms";
        }
    }

    /** A request failed because the database could not be reached or refused the connection. */
    interface ConnectFailed extends WithState {
        @Override
        default Kind kind() {
            return Kind.CONNECT_FAILURE;
        }

        /** {@return the driver's SQLState, null if it gave none} */
        @Nullable
        String sqlState();

        /** {@return the type of the driver's exception and its message's first line} */
        String reason();

        @Override
        Duration duration();

        @Override
        default String describe() {
            Explanation why = explanation();
            if (why != null) {
                return why.text();
            }
            String withState = sqlState() == null ? "" : " (SQLState " + sqlState() + ")";
            return pool() + ": the database refuses connections or cannot be reached" + withState + ": "
                    + Words.clause(reason()) + "; " + state().describe();
        }
    }

    /** The lease limit moved. The state is the one just before. */
    interface Resized extends WithState {
        @Override
        default Kind kind() {
            return Kind.RESIZED;
        }

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
        default String causeWord() {
            return Words.word(cause());
        }

        @Override
        default String describe() {
            String why = switch (cause()) {
                case DEMAND ->
                    Words.count(state().pending(), "request") + (state().pending() == 1 ? " waits" : " wait")
                            + ", all connections are in use";
                case CALM -> "shrinking: no request waits";
                case CONNECT_FAILURE -> "the database refuses connections, shrinking to the base";
                case MANUAL -> "set manually";
                case SIZING -> "the sizing controller decided it";
                case CAP -> "the " + causeWord() + " granted another number";
            };
            return pool() + ": lease limit " + from() + " -> " + to() + ": " + why;
        }
    }

    /** Requests wait and the pool does not grow for them. Reported once a minute at most for each reason. */
    interface GrowthRefused extends WithState {
        @Override
        default Kind kind() {
            return Kind.GROWTH_REFUSED;
        }

        /** {@return why, and how often so far} */
        RefusedGrowth refused();

        @Override
        default String describe() {
            boolean ceiling = refused().reason() == RefusedGrowth.Reason.CEILING && state().bound();
            String key = refused().key();
            int waits = state().pending();
            return pool() + ": not growing while " + Words.count(waits, "request")
                    + (waits == 1 ? " waits: " : " wait: ")
                    + (ceiling
                            ? "the ceiling of " + state().ceiling() + " is reached"
                            : refused().words())
                    + (key == null ? "" : " (" + key + ")");
        }
    }

    /** A connection is leased for longer than {@code leak.threshold}. Reported once for each lease. */
    interface LeakSuspected extends WithState {
        @Override
        default Kind kind() {
            return Kind.LEAK_SUSPECTED;
        }

        /** {@return who has it, since when, and from where if that was captured} */
        OpenLease lease();

        @Override
        default Duration duration() {
            return lease().age();
        }

        @Override
        default String describe() {
            return pool() + ": a connection may have leaked: " + lease().describe() + "; " + state().describe();
        }
    }

    /** A lease that was suspected to be a leak has ended. */
    interface LeakResolved extends PoolEvent {
        @Override
        default Kind kind() {
            return Kind.LEAK_RESOLVED;
        }

        /** {@return where it was requested; null if that was not captured} */
        @Nullable
        String callSite();

        /** {@return whether it was taken back, by flexpool ({@code leak.reclaim-after}) or by the pool; false if the application closed it} */
        boolean reclaimed();

        @Override
        Duration duration();

        @Override
        default String describe() {
            String where = callSite() == null ? "" : " of " + callSite();
            return pool() + ": the suspected leak" + where
                    + (reclaimed() ? " was taken back after " : " came back after ")
                    + duration().toMillis()
                    + " ms";
        }
    }

    /**
     * A thread that holds a connection requested another one of the same pool while the pool had hardly any left: if
     * enough threads do so at once, each waits for what the others hold.
     */
    interface NestedAcquisition extends WithState {
        @Override
        default Kind kind() {
            return Kind.NESTED_ACQUISITION;
        }

        /** {@return the thread's name, or that of the {@link io.flexpool.OwnerToken} that it carries} */
        String thread();

        /** {@return where it made the request; null if that is unknown} */
        @Nullable
        String callSite();

        /** {@return where it had requested the connection that it holds; null if that was not captured} */
        @Nullable
        String callSiteOfHeld();

        @Override
        default String describe() {
            return pool() + ": " + thread() + " requests a second connection"
                    + (callSite() == null ? "" : " at " + callSite()) + " while it holds one"
                    + (callSiteOfHeld() == null ? "" : " from " + callSiteOfHeld())
                    + ", and few connections are left. Several such threads can deadlock: " + state().describe();
        }
    }

    /** The pool was warmed up, paused, resumed, evicted or drained: by its owner, or evicted by flexpool itself. */
    interface LifecycleChanged extends WithState {
        @Override
        default Kind kind() {
            return Kind.LIFECYCLE;
        }

        /** {@return what was done} */
        LifecycleAction action();

        /** {@return what came of it, or why it was done, a clause without the pool's name} */
        String reason();

        @Override
        default String describe() {
            return pool() + ": "
                    + switch (action()) {
                        case WARMED_UP -> "warmed up, ";
                        case PAUSED -> "paused, ";
                        case RESUMED -> "resumed, ";
                        case EVICTED -> "all connections are evicted: ";
                        case DRAINING -> "drains, ";
                        case DRAINED -> "drained, ";
                    }
                    + reason();
        }
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
        public String word() {
            return Words.word(this);
        }
    }

    /** The sizing controller decided something about the lease limit, or recommends it. */
    interface SizingDecided extends WithState {
        @Override
        default Kind kind() {
            return Kind.SIZING_DECIDED;
        }

        /** {@return what and why} */
        Decision decision();

        @Override
        default String describe() {
            return pool() + ": " + decision().explanation();
        }
    }

    /**
     * An event as a pool remembers it: failures of one kind and reason that came within a second are one, with their
     * number. Immutable. Made by flexpool alone; minor releases add methods.
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

        /** {@return what kind of event it was} */
        default Kind kind() {
            return event().kind();
        }

        /**
         * The event in one line.
         *
         * @return for example {@code 2026-11-21T22:17:35.123Z timeout (12 times): …}
         */
        default String describe() {
            return first() + " " + kind().word() + (count() > 1 ? " (" + count() + " times)" : "") + ": "
                    + PlainText.line(event().describe());
        }
    }
}
