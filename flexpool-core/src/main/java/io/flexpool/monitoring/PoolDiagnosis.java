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
 * Why a pool has the size it has, what acts on it, what happened to it, and whether its database answers and its monitoring
 * works. Reading is thread-safe and never blocks the pool. Made by flexpool alone; minor releases add methods.
 */
public interface PoolDiagnosis {
    /** Of a disabled pool: nothing acts on it, nothing is recorded. */
    PoolDiagnosis NONE = new PoolDiagnosis() {};

    /**
     * The controllers that change the pool's size or reject requests: first the sizing controller, as the {@linkplain
     * PoolView#mode() mode} says, then each strategy.
     *
     * @return a sentence without a full stop each; empty if nothing does
     */
    default List<String> controllers() {
        return List.of();
    }

    /**
     * Growth that was refused since the start, by reason.
     *
     * @return one entry for each reason that there was; a snapshot, immutable; empty where nothing was refused
     */
    default List<RefusedGrowth> refusedGrowths() {
        return List.of();
    }

    /**
     * Whether more instances of the application would serve requests that this pool lets wait: for an autoscaler, beside the
     * pool's demand.
     *
     * @return false if requests wait, or failed within the last minute, for a reason that more connections do not remove: a slow,
     *     busy or unreachable database, locks, its learnt knee, connections that are held idle or have leaked, a pool that is paused; true if they wait
     *     for too few connections, if none waits, and if the reason is unknown
     */
    default boolean scaleOutHelps() {
        return true;
    }

    /**
     * The last change of the circuit, also if newer events have displaced it from {@link #recentEvents()}.
     *
     * @return null if it never changed, or if there is none
     */
    default PoolEvent.@Nullable CircuitChanged circuit() {
        return null;
    }

    /**
     * How many connects have failed since the last request that got a connection: an outage that lasts, however long ago the
     * last request came.
     *
     * @return 0 if the last request that needed a connection got one, or if there was none
     */
    default int connectFailuresInARow() {
        return 0;
    }

    /** {@return the last failure that was explained in full; null if there was none} */
    default @Nullable Explanation lastExplanation() {
        return null;
    }

    /**
     * The recent decisions of the sizing controller.
     *
     * @return at most 1,000, oldest first; a snapshot, immutable; empty where nothing was decided
     */
    default List<Decision> decisions() {
        return List.of();
    }

    /**
     * The lease statistics of the application's call sites.
     *
     * @return those with the longest total lease time first; a snapshot, immutable; at most 257, the last of which may
     *     be {@link CallSiteStatistics#OTHER}; empty where no call site is captured
     */
    default List<CallSiteStatistics> callSites() {
        return List.of();
    }

    /**
     * The last events.
     *
     * @return at most 100, oldest first; a snapshot, immutable; empty where none are remembered
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
     * The state of flexpool's own monitoring of a pool: whether the ticks come from which samples, leak alarms and
     * sizing decisions follow. Immutable.
     */
    final class Housekeeping {
        /** From this age of the last tick on the monitoring counts as stalled. */
        public static final Duration STALLED = Duration.ofSeconds(2);

        /** Of a pool that nothing monitors: disabled, or closed. */
        public static final Housekeeping NONE = new Housekeeping(Duration.ZERO, 0, List.of());

        private final Duration tickAge;
        private final long droppedEvents;
        private final List<String> troubles;

        /**
         * A state; each parameter is what the method of its name returns.
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

        /** {@return how long ago the last tick ended, less than 250 ms as a rule; zero where nothing ticks} */
        public Duration tickAge() {
            return tickAge;
        }

        /** {@return events that were not delivered because a listener blocked for too long, since the start} */
        public long droppedEvents() {
            return droppedEvents;
        }

        /** {@return what hangs, fails or is off after a failure, a sentence each, without a password; empty if all works} */
        public List<String> troubles() {
            return troubles;
        }

        /** {@return whether no tick ended for {@link #STALLED}: samples, alarms and decisions stand still} */
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
