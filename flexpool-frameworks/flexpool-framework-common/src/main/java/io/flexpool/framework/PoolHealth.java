// SPDX-License-Identifier: Apache-2.0
package io.flexpool.framework;

import io.flexpool.diagnostics.OpenLease;
import io.flexpool.framework.HealthWindow.Diagnosis;
import io.flexpool.monitoring.MetricsBinder;
import io.flexpool.monitoring.PoolDiagnosis.Housekeeping;
import io.flexpool.monitoring.PoolView;
import io.flexpool.pool.PoolPhase;
import io.flexpool.pool.PoolSnapshot;
import io.flexpool.pool.PoolState;
import io.flexpool.pool.Ticker;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Checks whether pools can serve requests, for the health checks of frameworks. Borrows no connection and sends no
 * statement. Covers the pools to which it is bound: {@link io.flexpool.FlexPoolBuilder#metrics(MetricsBinder)}.
 * Thread-safe.
 */
public final class PoolHealth implements MetricsBinder {
    private static final String UP = "UP";
    private static final String UNKNOWN = "UNKNOWN";
    private static final String OUT_OF_SERVICE = "OUT_OF_SERVICE";
    private static final List<String> BEST_FIRST = List.of(UP, UNKNOWN, OUT_OF_SERVICE, "DOWN");

    private final Map<String, HealthWindow> windows = new ConcurrentHashMap<>();
    private final Ticker ticker;
    /**
     * Whether a pool was ever bound. Before, the health is unknown; afterwards, no open pool means that all were
     * closed.
     */
    private volatile boolean bound;

    /** Uses the system clock. */
    public PoolHealth() {
        this(Ticker.SYSTEM);
    }

    /**
     * Uses another clock, for tests.
     *
     * @param ticker the clock
     */
    public PoolHealth(Ticker ticker) {
        this.ticker = ticker;
    }

    /** The health of the pools. Immutable. */
    public static final class Findings {
        private final String status;
        private final Map<String, Object> pools;

        private Findings(String status, Map<String, Object> pools) {
            this.status = status;
            this.pools = pools;
        }

        /**
         * The worst status.
         *
         * @return {@code DOWN} in an outage; {@code OUT_OF_SERVICE} if a pool is saturated, warming up, paused,
         *     draining or closed; {@code UNKNOWN} if a pool's housekeeping is stuck, or the application has closed all
         *     pools; otherwise {@code UP}
         */
        public String status() {
            return status;
        }

        /**
         * The pools by name.
         *
         * @return for each pool a map of its status, its figures and, if it is not up, the reason or the phase; a
         *     drained pool stays until the application closes it
         */
        public Map<String, Object> pools() {
            return pools;
        }
    }

    @Override
    public Binding bind(PoolView pool) {
        Objects.requireNonNull(pool, "pool is null");
        HealthWindow window = new HealthWindow(pool, ticker, windows);
        windows.put(pool.name(), window);
        bound = true;
        return window;
    }

    /**
     * Checks all pools.
     *
     * @return the findings
     */
    public Findings findings() {
        return findings(List.of());
    }

    /**
     * Checks all bound pools, and the phase of an application's other pools, which it may have closed itself, or
     * wrapped without this health check.
     *
     * @param owned all pools of the application, bound or not
     * @return the findings, without unbound open pools
     */
    public Findings findings(Collection<? extends PoolView> owned) {
        Objects.requireNonNull(owned, "owned is null");
        Map<String, HealthWindow> now = new TreeMap<>(windows);
        String worst = bound && now.isEmpty() ? UNKNOWN : UP;
        Map<String, Object> pools = new LinkedHashMap<>();
        for (Map.Entry<String, HealthWindow> one : now.entrySet()) {
            PoolView pool = one.getValue().pool();
            Housekeeping housekeeping = pool.diagnosis().housekeeping();
            PoolState state = pool.state();
            Optional<Diagnosis> diagnosis = one.getValue().diagnosis(state);
            // Read once, because the phase may change, and status and phase must be consistent.
            PoolPhase phase = pool.phase();
            String otherwise = phase != PoolPhase.OPEN ? OUT_OF_SERVICE : housekeeping.stalled() ? UNKNOWN : UP;
            String status = diagnosis.map(PoolHealth::status).orElse(otherwise);
            if (BEST_FIRST.indexOf(status) > BEST_FIRST.indexOf(worst)) {
                worst = status;
            }
            Map<String, Object> details = details(status, pool, phase, state, diagnosis);
            housekeeping(details, housekeeping);
            pools.put(one.getKey(), details);
        }
        for (PoolView pool : owned) {
            PoolPhase phase = pool.phase();
            if (phase != PoolPhase.OPEN && !pools.containsKey(pool.name())) {
                worst = BEST_FIRST.indexOf(worst) < BEST_FIRST.indexOf(OUT_OF_SERVICE) ? OUT_OF_SERVICE : worst;
                pools.put(pool.name(), Map.of("status", OUT_OF_SERVICE, "phase", phase.toString()));
            }
        }
        return new Findings(worst, pools);
    }

    private static String status(Diagnosis diagnosis) {
        return diagnosis.outage() ? "DOWN" : OUT_OF_SERVICE;
    }

    private static Map<String, Object> details(
            String status, PoolView pool, PoolPhase phase, PoolState state, Optional<Diagnosis> diagnosis) {
        Map<String, Object> details = new LinkedHashMap<>();
        details.put("status", status);
        if (phase != PoolPhase.OPEN) {
            details.put("phase", phase.toString());
        }
        diagnosis.ifPresent(found -> details.put("reason", found.reason()));
        details.put("active", state.leased());
        details.put("pending", state.pending());
        put(details, "idle", state.pool().idle());
        put(details, "limit", state.limit());
        put(details, "max", state.pool().max());
        pool.parts().forEach(part -> details.putAll(part.health()));
        leaks(details, pool);
        return details;
    }

    /**
     * Adds what blocks flexpool's housekeeping. Shown with any status, because the status only shows whether requests
     * are served.
     */
    private static void housekeeping(Map<String, Object> details, Housekeeping housekeeping) {
        details.put("tickAgeMillis", housekeeping.tickAge().toMillis());
        if (!housekeeping.troubles().isEmpty()) {
            details.put("watch", String.join("; ", housekeeping.troubles()));
        }
    }

    /**
     * Adds suspected leaks. They are no failure: requests are still served, and a restart would help only for a while.
     */
    private static void leaks(Map<String, Object> details, PoolView pool) {
        List<OpenLease> suspected =
                pool.openLeases().stream().filter(OpenLease::leakSuspected).toList();
        if (suspected.isEmpty()) {
            return;
        }
        OpenLease oldest = suspected.get(0);
        details.put("suspectedLeaks", suspected.size());
        details.put("oldestLeakMillis", oldest.age().toMillis());
        if (oldest.callSite() != null) {
            details.put("oldestLeakCallSite", oldest.callSite());
        }
    }

    private static void put(Map<String, Object> details, String name, int figure) {
        if (figure != PoolSnapshot.UNKNOWN) {
            details.put(name, figure);
        }
    }
}
