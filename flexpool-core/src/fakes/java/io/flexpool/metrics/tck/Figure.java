// SPDX-License-Identifier: Apache-2.0
package io.flexpool.metrics.tck;

import io.flexpool.monitoring.CountDistribution;
import io.flexpool.monitoring.HistogramSnapshot;
import io.flexpool.monitoring.PoolMetric;
import io.flexpool.monitoring.PoolReading;
import io.flexpool.monitoring.PoolStatistics;
import io.flexpool.monitoring.PoolStatistics.Figures;
import io.flexpool.monitoring.RequestClass;
import io.flexpool.pool.AcquisitionOutcome;

/**
 * One number that a backend may show.
 *
 * @param metric the metric
 * @param outcome the outcome, for {@link PoolMetric#ACQUISITION}; otherwise {@code OK}
 * @param part the part of the metric
 * @param requestClass the name of the class, of a metric {@linkplain PoolMetric#perClass() of classes}; else empty
 */
public record Figure(PoolMetric metric, AcquisitionOutcome outcome, Part part, String requestClass) {
    private static final double SECOND = 1e9;

    /**
     * One of the whole pool.
     *
     * @param metric the metric
     * @param outcome the outcome, for {@link PoolMetric#ACQUISITION}; otherwise {@code OK}
     * @param part the part of the metric
     */
    public Figure(PoolMetric metric, AcquisitionOutcome outcome, Part part) {
        this(metric, outcome, part, "");
    }

    /** The expected value: directly from a reading, in base units. */
    double expected(PoolReading reading) {
        if (metric.perClass()) {
            return reading.classes().stream()
                    .filter(figures -> figures.name().equals(requestClass))
                    .findFirst()
                    .map(this::expected)
                    .orElse(Double.NaN);
        }
        PoolStatistics statistics = reading.statistics();
        return switch (metric.kind()) {
            case GAUGE -> seconds(reading.gauge(metric));
            case COUNTER -> reading.counter(metric);
            case TIMER -> ofDurations(statistics);
            case DISTRIBUTION -> ofNumbers(statistics);
        };
    }

    private double expected(RequestClass figures) {
        return switch (metric.kind()) {
            case GAUGE -> figures.gauge(metric);
            case COUNTER -> figures.counter(metric);
            case TIMER -> ofDurations(figures.waits(), figures.recentWaits());
            case DISTRIBUTION ->
                throw new IllegalArgumentException(this + ": there is no distribution for request classes");
        };
    }

    private double ofDurations(PoolStatistics statistics) {
        return ofDurations(durations(statistics.total()), durations(statistics.recent()));
    }

    private double ofDurations(HistogramSnapshot total, HistogramSnapshot recent) {
        return switch (part) {
            case VALUE -> throw new IllegalArgumentException(this + ": a timer has no value");
            case COUNT -> total.count();
            case SUM -> total.sumSeconds();
            case RECENT_MEAN -> recent.meanNanos() / SECOND;
            case RECENT_MAX -> recent.maxNanos() / SECOND;
            case RECENT_P50 -> recent.percentileNanos(0.5) / SECOND;
            case RECENT_P95 -> recent.percentileNanos(0.95) / SECOND;
            case RECENT_P99 -> recent.percentileNanos(0.99) / SECOND;
        };
    }

    private double ofNumbers(PoolStatistics statistics) {
        CountDistribution total = statistics.total().numbers(metric);
        CountDistribution recent = statistics.recent().numbers(metric);
        return switch (part) {
            case VALUE -> throw new IllegalArgumentException(this + ": a distribution has no value");
            case COUNT -> total.count();
            case SUM -> total.sum();
            case RECENT_MEAN -> recent.mean();
            case RECENT_MAX -> recent.max();
            case RECENT_P50 -> recent.percentile(0.5);
            case RECENT_P95 -> recent.percentile(0.95);
            case RECENT_P99 -> recent.percentile(0.99);
        };
    }

    private HistogramSnapshot durations(Figures figures) {
        return figures.durations(metric, outcome);
    }

    private double seconds(double value) {
        return metric.unit() == PoolMetric.Unit.NANOSECONDS ? value / SECOND : value;
    }
}
