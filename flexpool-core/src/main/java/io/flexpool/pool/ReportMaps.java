// SPDX-License-Identifier: Apache-2.0
package io.flexpool.pool;

import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A report as plain maps, lists, strings and numbers. */
final class ReportMaps {
    static final int MOST_HOLDERS = 100;
    private static final int MOST_DECISIONS = 100;

    private ReportMaps() {}

    static Map<String, Object> of(PoolReport report) {
        Map<String, Object> map = new LinkedHashMap<>();
        map.put("pool", report.pool());
        map.put("type", report.type());
        map.put("mode", report.mode().word());
        map.put("state", state(report.state()));
        map.put("statistics", statistics(report));
        map.put("watch", watch(report.watch()));
        map.put("openLeases", report.holders().size());
        map.put(
                "holders",
                report.holders().stream()
                        .limit(MOST_HOLDERS)
                        .map(lease -> lease(lease, lease.activity()))
                        .toList());
        map.put(
                "callSites",
                report.callSites().stream().map(ReportMaps::callSite).toList());
        Explanation last = report.lastExplanation();
        if (last != null) {
            map.put("lastExplanation", last.asMap());
        }
        map.put(
                "decisions",
                report.decisions().stream()
                        .skip(Math.max(0, report.decisions().size() - MOST_DECISIONS))
                        .map(ReportMaps::decision)
                        .toList());
        map.put("events", report.events().stream().map(RecentEvent::asMap).toList());
        return map;
    }

    private static Map<String, Object> state(PoolState state) {
        Map<String, Object> map = new LinkedHashMap<>();
        map.put("text", state.describe());
        map.put("bound", state.bound());
        told(map, "limit", state.limit());
        told(map, "base", state.base());
        told(map, "ceiling", state.ceiling());
        map.put("active", state.leased());
        map.put("foreign", state.foreign());
        map.put("pending", state.pending());
        map.put("oldestWaitMillis", millis(state.oldestWaitNanos()));
        told(map, "max", state.pool().max());
        told(map, "minIdle", state.pool().minIdle());
        told(map, "idle", state.pool().idle());
        told(map, "total", state.pool().total());
        return map;
    }

    private static Map<String, Object> watch(WatchState watch) {
        Map<String, Object> map = new LinkedHashMap<>();
        map.put("tickAgeMillis", millis(watch.tickAgeNanos()));
        map.put("droppedEvents", watch.droppedEvents());
        map.put("troubles", watch.troubles().stream().map(PlainText::line).toList());
        return map;
    }

    private static void told(Map<String, Object> map, String key, int figure) {
        if (figure != PoolSnapshot.UNKNOWN) {
            map.put(key, figure);
        }
    }

    private static Map<String, Object> statistics(PoolReport report) {
        PoolStatistics statistics = report.statistics();
        Map<String, Object> map = new LinkedHashMap<>();
        map.put("recentWindowSeconds", round(statistics.windowNanos() / 1e9));
        map.put("recent", figures(statistics.recent()));
        map.put("total", figures(statistics.total()));
        PoolReading reading = new PoolReading(report.state(), statistics, report.watch());
        Map<String, Object> counters = new LinkedHashMap<>();
        for (PoolMetric metric : PoolMetric.values()) {
            if (metric.kind() == PoolMetric.Kind.COUNTER) {
                counters.put(metric.shortName(), reading.counter(metric));
            }
        }
        map.put("counters", counters);
        return map;
    }

    private static Map<String, Object> figures(PoolStatistics.Figures figures) {
        Map<String, Object> map = new LinkedHashMap<>();
        Map<String, Object> acquisitions = new LinkedHashMap<>();
        for (AcquisitionOutcome outcome : AcquisitionOutcome.values()) {
            acquisitions.put(outcome.label(), durations(figures.acquisition(outcome)));
        }
        map.put("acquisition", acquisitions);
        map.put("lease", durations(figures.leases()));
        map.put("connect", durations(figures.connects()));
        return map;
    }

    /** Percentiles of nothing are not zero: they are left out. */
    private static Map<String, Object> durations(HistogramSnapshot counted) {
        Map<String, Object> map = new LinkedHashMap<>();
        map.put("count", counted.count());
        if (counted.count() > 0) {
            map.put("p50Millis", millis(counted.percentileNanos(0.5)));
            map.put("p99Millis", millis(counted.percentileNanos(0.99)));
            map.put("maxMillis", millis(counted.maxNanos()));
        }
        return map;
    }

    static Map<String, Object> lease(OpenLease lease, OpenLease.Activity activity) {
        Map<String, Object> map = new LinkedHashMap<>();
        map.put("thread", PlainText.line(lease.thread()));
        map.put("threadId", lease.threadId());
        map.put("virtualThread", lease.virtualThread());
        words(map, "callSite", lease.callSite());
        map.put("ageMillis", millis(lease.ageNanos()));
        map.put("activity", PlainText.word(activity));
        if (lease.inDatabaseNanos() >= 0) {
            map.put("inDatabaseMillis", millis(lease.inDatabaseNanos()));
        }
        words(map, "statement", lease.statement());
        map.put("leakSuspected", lease.leakSuspected());
        return map;
    }

    private static Map<String, Object> callSite(CallSiteStatistics site) {
        Map<String, Object> map = new LinkedHashMap<>();
        map.put("callSite", PlainText.line(site.callSite()));
        map.put("count", site.count());
        map.put("heldMillis", millis(site.heldNanos()));
        map.put("acquisitionP50Millis", millis(site.acquisitionP50Nanos()));
        map.put("acquisitionP99Millis", millis(site.acquisitionP99Nanos()));
        map.put("leaseP50Millis", millis(site.leaseP50Nanos()));
        map.put("leaseP99Millis", millis(site.leaseP99Nanos()));
        if (site.idleShare() >= 0) {
            map.put("idleShare", round(site.idleShare()));
        }
        return map;
    }

    private static Map<String, Object> decision(Decision made) {
        Map<String, Object> map = new LinkedHashMap<>();
        map.put("number", made.number());
        map.put("timeEpochMillis", made.time().toEpochMilli());
        map.put("mode", made.mode().word());
        map.put("from", made.from());
        map.put("to", made.to());
        map.put("tried", made.tried());
        map.put("cause", made.cause());
        map.put("verdict", made.verdict());
        map.put("outcome", PlainText.word(made.outcome()));
        Map<String, Object> inputs = new LinkedHashMap<>();
        made.inputs().forEach((name, figure) -> {
            // A load that is too much has no longest wait, and JSON no word for that.
            if (Double.isFinite(figure)) {
                inputs.put(name, figure);
            }
        });
        map.put("inputs", inputs);
        map.put("text", PlainText.line(made.explanation()));
        return map;
    }

    private static void words(Map<String, Object> map, String key, @Nullable String text) {
        if (text != null) {
            map.put(key, PlainText.line(text));
        }
    }

    /** Milliseconds to the microsecond. */
    static double millis(long nanos) {
        return round(nanos / 1e6);
    }

    private static double round(double figure) {
        return Math.round(figure * 1e3) / 1e3;
    }
}
