// SPDX-License-Identifier: Apache-2.0
package io.flexpool.monitoring;

import io.flexpool.diagnostics.CallSiteStatistics;
import io.flexpool.diagnostics.Decision;
import io.flexpool.diagnostics.Decision.RefusedGrowth;
import io.flexpool.diagnostics.Explanation;
import io.flexpool.event.PoolEvent;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The reason of a pool's size, the controllers of the size, the pool's events, and the state of its database and
 * monitoring. Reading is thread-safe and never blocks the pool. Made by flexpool alone; minor releases add methods.
 */
public interface PoolDiagnosis {
    /** The diagnosis of a disabled pool: without controllers and records. */
    PoolDiagnosis NONE = new PoolDiagnosis() {};

    /**
     * The controllers that change the pool's size or reject requests: first the sizing controller, by the
     * {@linkplain PoolView#mode() mode}, then each strategy.
     *
     * @return a sentence without a full stop for each controller; empty without controllers
     */
    default List<String> controllers() {
        return List.of();
    }

    /**
     * Growth that was refused since the start, by reason.
     *
     * @return one entry for each reason; a snapshot, immutable; empty if no growth was refused
     */
    default List<RefusedGrowth> refusedGrowths() {
        return List.of();
    }

    /**
     * Whether more instances of the application would serve requests that wait for this pool: for an autoscaler, in
     * addition to the pool's demand.
     *
     * @return false if requests wait, or failed within the last minute, for a reason that more connections do not
     *     remove: a slow, busy or unreachable database, locks, the database's knee, connections that are held idle or
     *     have leaked, a paused pool; true if they wait for too few connections, if no request waits, and if the reason
     *     is unknown
     */
    default boolean scaleOutHelps() {
        return true;
    }

    /**
     * The last change of the circuit, even if newer events have displaced it from {@link #recentEvents()}.
     *
     * @return the change; null if the circuit never changed, or without a circuit
     */
    default PoolEvent.@Nullable CircuitChanged circuit() {
        return null;
    }

    /**
     * The number of failed connects since the last request that got a connection: it shows an outage even if the last
     * request was long ago.
     *
     * @return the number; 0 if the last request that needed a connection got it, or without requests
     */
    default int connectFailuresInARow() {
        return 0;
    }

    /** {@return the explanation of the last fully explained failure; null without one} */
    default @Nullable Explanation lastExplanation() {
        return null;
    }

    /**
     * The recent decisions of the sizing controller.
     *
     * @return at most 1,000 decisions, oldest first; a snapshot, immutable; empty without decisions
     */
    default List<Decision> decisions() {
        return List.of();
    }

    /**
     * The lease statistics of the application's call sites.
     *
     * @return the call sites, the longest total lease time first; a snapshot, immutable; at most 257, the last may be
     *     {@link CallSiteStatistics#OTHER}; empty if no call site is captured
     */
    default List<CallSiteStatistics> callSites() {
        return List.of();
    }

    /**
     * The last events.
     *
     * @return at most 100 events, oldest first; a snapshot, immutable; empty if none are stored
     */
    default List<PoolEvent.Recent> recentEvents() {
        return List.of();
    }

    /**
     * The state of flexpool's monitoring of the pool. Never blocks, even if the pool hangs.
     *
     * @return a fresh state
     */
    default Housekeeping housekeeping() {
        return Housekeeping.NONE;
    }

    /**
     * The state of flexpool's own monitoring of a pool: whether its ticks run, on which samples, leak alarms and sizing
     * decisions depend. Immutable.
     */
    final class Housekeeping {
        /** The age of the last tick from which the monitoring counts as stalled. */
        public static final Duration STALLED = Duration.ofSeconds(2);

        /** The state without monitoring: of a disabled or closed pool. */
        public static final Housekeeping NONE = new Housekeeping(Duration.ZERO, 0, List.of());

        private final Duration tickAge;
        private final long droppedEvents;
        private final List<String> troubles;

        /**
         * A state; each parameter is the value of the method of its name.
         *
         * @param tickAge not negative
         * @param droppedEvents not negative
         * @param troubles copied
         */
        public Housekeeping(Duration tickAge, long droppedEvents, List<String> troubles) {
            Objects.requireNonNull(troubles, "troubles is null");
            this.tickAge = tickAge;
            this.droppedEvents = droppedEvents;
            this.troubles = List.copyOf(troubles);
        }

        /** {@return the time since the last tick ended, usually less than 250 ms; zero without monitoring} */
        public Duration tickAge() {
            return tickAge;
        }

        /** {@return the number of events not delivered since the start, because a listener blocked for too long} */
        public long droppedEvents() {
            return droppedEvents;
        }

        /** {@return the problems, such as a hanging part, as sentences without a password; empty without problems} */
        public List<String> troubles() {
            return troubles;
        }

        /** {@return whether no tick ended for {@link #STALLED}: no samples, alarms and decisions are made} */
        public boolean stalled() {
            return tickAge.compareTo(STALLED) >= 0;
        }

        /**
         * The state in one line, as the report shows it.
         *
         * @return for example {@code last tick 120 ms ago, 0 events dropped}, followed by the troubles
         */
        public String describe() {
            StringBuilder line = new StringBuilder("last tick " + tickAge.toMillis() + " ms ago, ");
            line.append(droppedEvents).append(" events dropped");
            troubles.forEach(trouble -> line.append("; ").append(trouble));
            return line.toString();
        }
    }
}
