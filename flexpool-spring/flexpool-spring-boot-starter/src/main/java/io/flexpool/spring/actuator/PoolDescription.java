// SPDX-License-Identifier: Apache-2.0
package io.flexpool.spring.actuator;

import io.flexpool.FlexPoolDataSource;
import io.flexpool.advice.PoolHistory;
import io.flexpool.diagnostics.Decision.RefusedGrowth;
import io.flexpool.diagnostics.Explanation;
import io.flexpool.diagnostics.OpenLease;
import io.flexpool.event.PoolEvent;
import io.flexpool.monitoring.PoolDiagnosis;
import io.flexpool.monitoring.PoolMetric;
import io.flexpool.monitoring.PoolReading;
import io.flexpool.spi.Texts;
import io.flexpool.strategy.AcquisitionStrategy;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Converts a pool to plain maps, because the two generations of Spring Boot use different JSON libraries. Omits figures
 * that the pool does not report.
 */
final class PoolDescription {
    private PoolDescription() {}

    /** The summary of a pool. */
    static Map<String, Object> inShort(FlexPoolDataSource pool) {
        PoolReading reading = PoolReading.of(pool);
        Map<String, Object> shown = head(pool);
        shown.put("limits", limits(reading));
        shown.put("state", state(reading));
        shown.put("counters", FigureMaps.counters(reading.statistics().total()));
        return shown;
    }

    /** All details; with the history from a time, if given. */
    static Map<String, Object> inFull(
            FlexPoolDataSource pool, long nowMillis, int decisions, @Nullable Duration historySince) {
        PoolReading reading = PoolReading.of(pool);
        PoolDiagnosis diagnosis = pool.diagnosis();
        Map<String, Object> shown = head(pool);
        shown.put("timeEpochMillis", nowMillis);
        shown.put("limits", limits(reading));
        shown.put("state", state(reading));
        shown.put("strategies", strategies(pool.strategies()));
        shown.put("actors", diagnosis.controllers());
        shown.put(
                "capabilities",
                pool.capabilities().stream().map(Texts::word).sorted().toList());
        shown.put("statistics", FigureMaps.statistics(pool, reading.statistics()));
        shown.put(
                "growthsRefused",
                diagnosis.refusedGrowths().stream()
                        .map(PoolDescription::refused)
                        .toList());
        ClassMaps.add(shown, pool);
        addLeases(shown, pool, reading);
        DecisionMaps.add(shown, diagnosis.decisions(), decisions);
        pool.parts().forEach(part -> shown.putAll(part.fields()));
        addEvents(shown, diagnosis);
        if (historySince != null) {
            shown.put("history", HistoryMaps.of(pool.view(PoolHistory.class), historySince, nowMillis));
        }
        return shown;
    }

    private static void addLeases(Map<String, Object> shown, FlexPoolDataSource pool, PoolReading reading) {
        List<OpenLease> open = pool.openLeases();
        shown.put("openLeases", open.size());
        shown.put("holders", LeaseMaps.holders(open));
        shown.put("leaks", LeaseMaps.leaks(open, reading.statistics().total().counter(PoolMetric.LEAKS_SUSPECTED)));
        shown.put("callSites", LeaseMaps.callSites(pool.diagnosis().callSites()));
    }

    private static void addEvents(Map<String, Object> shown, PoolDiagnosis diagnosis) {
        PoolEvent.CircuitChanged circuit = diagnosis.circuit();
        if (circuit != null) {
            shown.put("circuit", EventMaps.circuit(circuit));
        }
        shown.put("connectFailuresInARow", diagnosis.connectFailuresInARow());
        Explanation last = diagnosis.lastExplanation();
        if (last != null) {
            shown.put("lastTimeout", LeaseMaps.explanation(last));
        }
        List<PoolEvent.Recent> recent = diagnosis.recentEvents();
        shown.put("events", recent.stream().map(EventMaps::of).toList());
        shown.put("eventsForgotten", recent.isEmpty() ? 0 : recent.get(0).number());
    }

    private static Map<String, Object> refused(RefusedGrowth growth) {
        Map<String, Object> shown = new LinkedHashMap<>();
        shown.put("reason", growth.word());
        shown.put("words", growth.words());
        if (growth.key() != null) {
            shown.put("key", growth.key());
        }
        shown.put("count", growth.count());
        shown.put("lastEpochMillis", growth.last().toEpochMilli());
        return shown;
    }

    private static Map<String, Object> head(FlexPoolDataSource pool) {
        Map<String, Object> shown = new LinkedHashMap<>();
        shown.put("name", pool.name());
        if (!pool.otherNames().isEmpty()) {
            shown.put("otherNames", pool.otherNames());
        }
        shown.put("type", pool.type());
        shown.put("enabled", pool.enabled());
        shown.put("mode", pool.mode().toString());
        shown.put("phase", pool.phase().toString());
        return shown;
    }

    private static Map<String, Object> limits(PoolReading reading) {
        Map<String, Object> shown = new LinkedHashMap<>();
        shown.put("limited", reading.state().bound());
        putIfKnown(shown, "limit", reading.gauge(PoolMetric.LIMIT));
        if (reading.state().bound()) {
            shown.put("base", reading.state().base());
            shown.put("ceiling", reading.state().ceiling());
        }
        putIfKnown(shown, "max", reading.gauge(PoolMetric.MAX));
        putIfKnown(shown, "minIdle", reading.gauge(PoolMetric.MIN_IDLE));
        return shown;
    }

    private static Map<String, Object> state(PoolReading reading) {
        Map<String, Object> shown = new LinkedHashMap<>();
        shown.put("description", reading.state().describe());
        putIfKnown(shown, "active", reading.gauge(PoolMetric.ACTIVE));
        putIfKnown(shown, "idle", reading.gauge(PoolMetric.IDLE));
        putIfKnown(shown, "total", reading.state().pool().total());
        putIfKnown(shown, "pending", reading.gauge(PoolMetric.PENDING));
        putIfKnown(shown, "entering", reading.state().entering());
        putIfKnown(shown, "waiting", reading.state().waiting());
        putIfKnown(shown, "foreign", reading.gauge(PoolMetric.FOREIGN));
        shown.put("oldestWaitMillis", FigureMaps.millis(reading.gauge(PoolMetric.OLDEST_WAIT)));
        putIfKnown(shown, "activePeak", reading.gauge(PoolMetric.ACTIVE_PEAK));
        putIfKnown(shown, "pendingPeak", reading.gauge(PoolMetric.PENDING_PEAK));
        double saturation = reading.gauge(PoolMetric.SATURATION);
        if (!Double.isNaN(saturation)) {
            shown.put("saturation", FigureMaps.round(saturation));
        }
        shown.put("scaleOutHelps", reading.gauge(PoolMetric.SCALE_OUT_HELPS) != 0);
        return shown;
    }

    /** Adds a figure unless it is unknown: NaN, or -1 among the pool's own figures. */
    private static void putIfKnown(Map<String, Object> shown, String key, double figure) {
        if (figure >= 0) {
            shown.put(key, (long) figure);
        }
    }

    private static List<String> strategies(List<AcquisitionStrategy> strategies) {
        // A third-party strategy may return any text.
        return strategies.stream()
                .map(AcquisitionStrategy::toString)
                .map(Texts::masked)
                .toList();
    }
}
