// SPDX-License-Identifier: Apache-2.0
package io.flexpool.monitoring;

import io.flexpool.diagnostics.CallSiteStatistics;
import io.flexpool.diagnostics.Decision;
import io.flexpool.diagnostics.Explanation;
import io.flexpool.diagnostics.OpenLease;
import io.flexpool.event.PoolEvent;
import io.flexpool.pool.PoolClassState;
import io.flexpool.pool.PoolMode;
import io.flexpool.pool.PoolPhase;
import io.flexpool.pool.PoolState;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The readable side of one pool: all that a metrics backend sees. Reading is thread-safe, takes no lock of the
 * acquisition path, borrows no connection and never blocks the pool.
 */
public interface PoolView {
    /** {@return the name given to the builder: the attribute {@code db.client.connection.pool.name}; never empty} */
    String name();

    /**
     * What else the application calls this pool: the name that the pool has itself, or that of its bean, wherever it is
     * not {@link #name()}. Other metrics know it by these.
     *
     * @return without duplicates, unmodifiable; empty if there is no other name
     */
    default List<String> otherNames() {
        return List.of();
    }

    /** {@return the type of the wrapped pool, for example {@code HikariCP}} */
    String type();

    /** {@return a fresh state of the pool} */
    PoolState state();

    /**
     * Whether this pool supports a metric at all. Called when a backend starts to export it.
     *
     * @param metric the metric
     * @return false if it would always be empty, because the pool never reports it; true also if it is empty until the
     *     pool is used for the first time
     */
    default boolean supports(PoolMetric metric) {
        return true;
    }

    /** {@return fresh statistics, since the start and over the last minute} */
    PoolStatistics statistics();

    /**
     * The state of flexpool's monitoring of the pool. Never blocks, even if the pool hangs.
     *
     * @return a fresh state; {@link WatchState#NONE} if disabled
     */
    default WatchState watch() {
        return WatchState.NONE;
    }

    /**
     * The open leases now.
     *
     * @return oldest first; a snapshot, immutable; empty where nothing is recorded of leases
     */
    default List<OpenLease> openLeases() {
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

    /** {@return the last failure that was explained in full; null if there was none} */
    default @Nullable Explanation lastExplanation() {
        return null;
    }

    /**
     * A complete report in lines of plain text. Only reads: no request waits for it. Thread names, call sites and
     * statements come from the application, without control characters and without what resembles a password; to be
     * shown as plain text only.
     *
     * @return at most the 50 oldest open leases, the 50 first call sites and the 20 last decisions, and all events;
     *     ends with a line break
     */
    default String report() {
        return new ReportText(this).toString();
    }

    /**
     * The classes of the pool's requests.
     *
     * @return in their order; empty if there is one class for all
     */
    default List<PoolClassState> classes() {
        return List.of();
    }

    /**
     * What the requests of each class did.
     *
     * @return in the order of {@link #classes()}; empty if there is one class for all
     */
    default List<ClassFigures> classFigures() {
        return List.of();
    }

    /**
     * What the parts of flexpool show of this pool: features in modules of their own, such as the advisor.
     *
     * @return in the order of the parts; empty without any
     */
    default List<PartView> parts() {
        return List.of();
    }

    /**
     * What a part shows of this pool to code that knows the part.
     *
     * @param type the type that the part's module names, for example that of its status
     * @param <T> the same
     * @return empty if no part has it: its module is not on the class path, it is off, or it has nothing yet
     */
    default <T> Optional<T> view(Class<T> type) {
        return Optional.empty();
    }

    /** {@return where the pool is in its life; {@link PoolPhase#OPEN} where that is not known} */
    default PoolPhase phase() {
        return PoolPhase.OPEN;
    }

    /** {@return the current mode} */
    default PoolMode mode() {
        return PoolMode.MONITOR;
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
     * The state of flexpool's own monitoring of a pool: whether the ticks come from which samples, leak alarms and
     * sizing decisions follow. Immutable.
     */
    final class WatchState {
        /** From this age of the last tick on the monitoring counts as stalled. */
        public static final Duration STALLED = Duration.ofSeconds(2);

        /** Of a pool that nothing monitors: disabled, or closed. */
        public static final WatchState NONE = new WatchState(Duration.ZERO, 0, List.of());

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
        public WatchState(Duration tickAge, long droppedEvents, List<String> troubles) {
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
