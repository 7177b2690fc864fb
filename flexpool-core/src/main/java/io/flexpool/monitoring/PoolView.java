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
 * What may be read of one pool: the only thing a metrics backend sees. Reading is thread-safe, takes no lock on the
 * acquisition path, borrows no connection and never stops the pool.
 */
public interface PoolView {
    /**
     * The name given to the builder: the value of the attribute {@code db.client.connection.pool.name}.
     *
     * @return never empty
     */
    String name();

    /**
     * What kind of pool is behind.
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
     * Whether a figure can be had of this pool at all. Asked when a backend begins to show it.
     *
     * @param metric which
     * @return false if it would stay empty for ever, because the pool does not tell
     */
    default boolean tells(PoolMetric metric) {
        return true;
    }

    /**
     * What has happened so far.
     *
     * @return fresh figures, since start and over the last minute
     */
    PoolStatistics statistics();

    /**
     * How flexpool's own watch over the pool goes. Never blocks, whatever the pool does.
     *
     * @return a fresh state; {@link WatchState#NONE} where nothing watches
     */
    default WatchState watch() {
        return WatchState.NONE;
    }

    /**
     * The connections that are out now.
     *
     * @return oldest first; a snapshot, immutable; empty where nothing is recorded of leases
     */
    default List<OpenLease> openLeases() {
        return List.of();
    }

    /**
     * What the places of the application that ask for connections did with them.
     *
     * @return those first for which connections were out longest, all their leases together; a snapshot, immutable; at most
     *     257 places, the last of which may be {@link CallSiteStatistics#OTHER}; empty where no call site is captured
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
     * All of it at one moment, in lines of plain text, for people. Only reads: no request waits for it. Thread names, call
     * sites and statements are the application's own words, without control characters and without what looks like a
     * password; to be shown as text and nothing else.
     *
     * @return at most the 50 oldest open leases, the 50 first call sites and the 20 last decisions, and all events; ends
     *     with a line break
     */
    default String report() {
        return new ReportText(this).toString();
    }

    /**
     * What flexpool does by itself about the pool's size.
     *
     * @return the mode now
     */
    default PoolMode mode() {
        return PoolMode.MONITOR;
    }

    /**
     * What the sizing controller decided lately.
     *
     * @return at most 1,000, oldest first; a snapshot, immutable; empty where nothing was decided
     */
    default List<Decision> decisions() {
        return List.of();
    }
}
