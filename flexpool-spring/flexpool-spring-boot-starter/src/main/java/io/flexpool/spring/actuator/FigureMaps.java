// SPDX-License-Identifier: Apache-2.0
package io.flexpool.spring.actuator;

import io.flexpool.monitoring.CountDistribution;
import io.flexpool.monitoring.HistogramSnapshot;
import io.flexpool.monitoring.PoolMetric;
import io.flexpool.monitoring.PoolStatistics;
import io.flexpool.monitoring.PoolStatistics.Figures;
import io.flexpool.monitoring.PoolStatistics.Rates;
import io.flexpool.monitoring.PoolView;
import io.flexpool.pool.AcquisitionOutcome;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;

/** Converts statistics to plain maps, with the unit in the name of each figure. */
final class FigureMaps {
    private FigureMaps() {}

    static Map<String, Object> statistics(PoolView pool, PoolStatistics statistics) {
        Map<String, Object> shown = new LinkedHashMap<>();
        shown.put("recentWindowSeconds", round(statistics.window().toNanos() / 1e9));
        shown.put("acquisitionsPerSecond", rates(statistics.acquisitionRates()));
        shown.put("leasesPerSecond", rates(statistics.leaseRates()));
        shown.put("recent", figures(pool, statistics.recent()));
        shown.put("total", figures(pool, statistics.total()));
        return shown;
    }

    private static Map<String, Object> figures(PoolView pool, Figures figures) {
        Map<String, Object> shown = new LinkedHashMap<>();
        Map<String, Object> acquisitions = new LinkedHashMap<>();
        for (AcquisitionOutcome outcome : AcquisitionOutcome.values()) {
            acquisitions.put(outcome.label(), durations(figures.acquisition(outcome)));
        }
        shown.put("acquisition", acquisitions);
        shown.put("attempt", durations(figures.durations(PoolMetric.ATTEMPT, AcquisitionOutcome.OK)));
        shown.put("lease", durations(figures.leases()));
        if (pool.supports(PoolMetric.CONNECT)) {
            shown.put("connect", durations(figures.durations(PoolMetric.CONNECT, AcquisitionOutcome.OK)));
        }
        shown.put("activeSampled", numbers(figures.numbers(PoolMetric.ACTIVE_SAMPLED)));
        shown.put("pendingSampled", numbers(figures.numbers(PoolMetric.PENDING_SAMPLED)));
        shown.put("limitSampled", numbers(figures.numbers(PoolMetric.LIMIT_SAMPLED)));
        shown.put("grownBySampled", numbers(figures.numbers(PoolMetric.GROWN_BY_SAMPLED)));
        shown.put("retries", numbers(figures.numbers(PoolMetric.RETRIES)));
        shown.put("counters", counters(figures));
        return shown;
    }

    static Map<String, Object> counters(Figures figures) {
        Map<String, Object> shown = new LinkedHashMap<>();
        shown.put("timeouts", figures.acquisition(AcquisitionOutcome.TIMEOUT).count());
        shown.put("growths", figures.counter(PoolMetric.GROWTHS));
        shown.put("shrinks", figures.counter(PoolMetric.SHRINKS));
        shown.put("refusedGrowths", figures.counter(PoolMetric.REFUSED_GROWTHS));
        shown.put("connectFailures", figures.counter(PoolMetric.CONNECT_FAILURES));
        shown.put("leaksSuspected", figures.counter(PoolMetric.LEAKS_SUSPECTED));
        shown.put("nestedAcquisitions", figures.counter(PoolMetric.NESTED_ACQUISITIONS));
        shown.put("listenerErrors", figures.counter(PoolMetric.LISTENER_ERRORS));
        return shown;
    }

    /** Omits percentiles if there are no values, because they are not zero. */
    private static Map<String, Object> durations(HistogramSnapshot counted) {
        Map<String, Object> shown = new LinkedHashMap<>();
        shown.put("count", counted.count());
        if (counted.count() > 0) {
            shown.put("meanMillis", millis(counted.meanNanos()));
            shown.put("p50Millis", millis(counted.percentileNanos(0.5)));
            shown.put("p95Millis", millis(counted.percentileNanos(0.95)));
            shown.put("p99Millis", millis(counted.percentileNanos(0.99)));
            shown.put("maxMillis", millis(counted.maxNanos()));
        }
        return shown;
    }

    private static Map<String, Object> numbers(CountDistribution seen) {
        Map<String, Object> shown = new LinkedHashMap<>();
        shown.put("count", seen.count());
        if (seen.count() > 0) {
            shown.put("mean", round(seen.mean()));
            shown.put("p50", seen.percentile(0.5));
            shown.put("p95", seen.percentile(0.95));
            shown.put("p99", seen.percentile(0.99));
            shown.put("max", seen.max());
        }
        return shown;
    }

    private static Map<String, Object> rates(Rates rates) {
        Map<String, Object> shown = new LinkedHashMap<>();
        shown.put("mean", round(rates.mean()));
        shown.put("oneMinute", round(rates.oneMinute()));
        shown.put("fiveMinutes", round(rates.fiveMinutes()));
        shown.put("fifteenMinutes", round(rates.fifteenMinutes()));
        return shown;
    }

    /** Milliseconds, rounded to microseconds. */
    static double millis(double nanos) {
        return round(nanos / 1e6);
    }

    static double millis(Duration duration) {
        return millis(duration.toNanos());
    }

    /** Milliseconds, rounded to microseconds. */
    static double millis(long nanos) {
        return round(nanos / 1e6);
    }

    static double round(double figure) {
        return Math.round(figure * 1e3) / 1e3;
    }
}
