// SPDX-License-Identifier: Apache-2.0
package io.flexpool.monitoring;

import io.flexpool.diagnostics.CallSiteStatistics;
import io.flexpool.diagnostics.Decision;
import io.flexpool.diagnostics.Explanation;
import io.flexpool.diagnostics.OpenLease;
import io.flexpool.event.PoolEvent;
import io.flexpool.event.RecentEvent;
import io.flexpool.pool.PoolMode;
import io.flexpool.pool.PoolState;
import io.flexpool.pool.WatchState;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The readable side of one pool: all that a metrics backend sees. Reading is thread-safe, takes no lock of the
 * acquisition path, borrows no connection and never blocks the pool.
 */
public interface PoolView {
    /**
     * The name given to the builder: the value of the attribute {@code db.client.connection.pool.name}.
     *
     * @return never empty
     */
    String name();

    /**
     * The type of the wrapped pool.
     *
     * @return for example {@code HikariCP}
     */
    String type();

    /**
     * The pool now.
     *
     * @return a fresh state
     */
    PoolState state();

    /**
     * Whether this pool supports a metric at all. Called when a backend starts to export it.
     *
     * @param metric the metric
     * @return false if it would always be empty, because the pool does not report it
     */
    default boolean supports(PoolMetric metric) {
        return true;
    }

    /**
     * The statistics so far.
     *
     * @return fresh statistics, since the start and over the last minute
     */
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
     * @return those with the longest total lease time first; a snapshot, immutable; at most
     *     257 call sites, the last of which may be {@link CallSiteStatistics#OTHER}; empty where no call site is
     *     captured
     */
    default List<CallSiteStatistics> callSites() {
        return List.of();
    }

    /**
     * The last events.
     *
     * @return at most 100, oldest first; a snapshot, immutable; empty where none are remembered
     */
    default List<RecentEvent> recentEvents() {
        return List.of();
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
     * The last failure that was explained in full.
     *
     * @return null if there was none
     */
    default @Nullable Explanation lastExplanation() {
        return null;
    }

    /**
     * A complete report in lines of plain text. Only reads: no request waits for it. Thread names, call
     * sites and statements come from the application, without control characters and without what looks like a
     * password; to be shown as plain text only.
     *
     * @return at most the 50 oldest open leases, the 50 first call sites and the 20 last decisions, and all events;
     *     ends with a line break
     */
    default String report() {
        return new ReportText(this).toString();
    }

    /**
     * The pool's mode.
     *
     * @return the current mode
     */
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
}
