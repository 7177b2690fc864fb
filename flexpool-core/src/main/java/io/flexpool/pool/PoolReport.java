// SPDX-License-Identifier: Apache-2.0
package io.flexpool.pool;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * One pool at one moment, for people: its state, what has happened, who holds its connections, what the places of the
 * application did with them, the last explained failure, what was decided about its size, and the last events. Immutable. Made by
 * {@link PoolView#report()}, which only reads: no request waits for it.
 *
 * <p>Thread names, call sites and statements are the application's own words, without control characters and without
 * what looks like a password; to be shown as text and nothing else.
 *
 * @param pool the pool's name
 * @param type what kind of pool is behind
 * @param mode what flexpool does by itself about the pool's size
 * @param state the pool now
 * @param statistics what has happened, since the start and over the last minute
 * @param watch how flexpool's own watch over the pool goes
 * @param holders the connections that are out, oldest first
 * @param callSites the places of the application, those that held connections longest first
 * @param lastExplanation the last full explanation of a failure; null if there was none
 * @param decisions what the sizing controller decided lately, oldest first
 * @param events the last events, oldest first
 */
public record PoolReport(
        String pool,
        String type,
        PoolMode mode,
        PoolState state,
        PoolStatistics statistics,
        WatchState watch,
        List<OpenLease> holders,
        List<CallSiteStatistics> callSites,
        @Nullable Explanation lastExplanation,
        List<Decision> decisions,
        List<RecentEvent> events) {

    /** Copies the lists. */
    public PoolReport {
        holders = List.copyOf(holders);
        callSites = List.copyOf(callSites);
        decisions = List.copyOf(decisions);
        events = List.copyOf(events);
    }

    /**
     * Of a pool.
     *
     * @param pool what to read
     * @return what it is now
     */
    public static PoolReport of(PoolView pool) {
        return new PoolReport(
                pool.name(),
                pool.type(),
                pool.mode(),
                pool.state(),
                pool.statistics(),
                pool.watch(),
                pool.openLeases(),
                pool.callSites(),
                pool.lastExplanation(),
                pool.decisions(),
                pool.recentEvents());
    }

    /**
     * The report as people read it, in lines of plain text.
     *
     * @return at most the 50 oldest holders, the 50 first call sites and the 20 last decisions, and all events; ends with a
     *     line break
     */
    public String text() {
        return new ReportText(this).toString();
    }

    /**
     * The report as plain maps, lists, strings, booleans and numbers, with the unit in the name of each figure: what JSON
     * can hold. What is not known is left out.
     *
     * @return at most the 100 oldest holders and the 100 last decisions, all call sites and events
     */
    public Map<String, Object> asMap() {
        return ReportMaps.of(this);
    }
}
