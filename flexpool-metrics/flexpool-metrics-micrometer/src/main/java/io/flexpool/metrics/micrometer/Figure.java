// SPDX-License-Identifier: Apache-2.0
package io.flexpool.metrics.micrometer;

import io.flexpool.monitoring.CountDistribution;
import io.flexpool.monitoring.HistogramSnapshot;
import io.flexpool.monitoring.PoolMetric;
import io.flexpool.monitoring.PoolMetric.Kind;
import io.flexpool.monitoring.PoolMetric.Unit;
import io.flexpool.monitoring.PoolReading;
import io.flexpool.monitoring.PoolStatistics;
import io.flexpool.monitoring.RequestClass;
import io.flexpool.pool.AcquisitionOutcome;
import java.util.function.ToDoubleFunction;
import java.util.function.ToLongFunction;

/**
 * One number of a pool, as a meter reads it. Data instead of a lambda for each kind of number: a start would load each
 * lambda as a class, on its main thread.
 *
 * @param metric the metric
 * @param part the part of the metric
 * @param outcome the outcome for acquisitions; {@code OK} for other metrics
 * @param requestClass the index of the request class; {@link #POOL} for the whole pool
 * @param quantile the quantile of a recent figure; {@link #MAX} for the maximum
 */
record Figure(PoolMetric metric, Part part, AcquisitionOutcome outcome, int requestClass, double quantile)
        implements ToDoubleFunction<LateOutcomes>, ToLongFunction<LateOutcomes> {
    static final int POOL = -1;
    static final double MAX = 1;

    private static final double SECOND = 1e9;

    /** The parts of a metric. */
    enum Part {
        /** The value of a gauge or counter. */
        VALUE,
        /** The number of durations or values since the pool was wrapped. */
        COUNT,
        /** The sum; durations in seconds. */
        SUM,
        /** A quantile of the last minute; NaN if there was no event. */
        RECENT
    }

    static Figure of(PoolMetric metric, Part part, AcquisitionOutcome outcome, int requestClass) {
        return new Figure(metric, part, outcome, requestClass, MAX);
    }

    /** The count that belongs to a sum. */
    Figure count() {
        return of(metric, Part.COUNT, outcome, requestClass);
    }

    Figure at(double recentQuantile) {
        return new Figure(metric, Part.RECENT, outcome, requestClass, recentQuantile);
    }

    @Override
    public long applyAsLong(LateOutcomes readings) {
        return (long) applyAsDouble(readings);
    }

    @Override
    public double applyAsDouble(LateOutcomes readings) {
        PoolReading reading = readings.get();
        if (part == Part.VALUE) {
            return value(reading);
        }
        return metric.kind() == Kind.DISTRIBUTION ? number(reading.statistics()) : seconds(reading);
    }

    private double value(PoolReading reading) {
        boolean counts = metric.kind() == Kind.COUNTER;
        if (requestClass != POOL) {
            RequestClass its = reading.classes().get(requestClass);
            return counts ? its.counter(metric) : its.gauge(metric);
        }
        if (counts) {
            return reading.counter(metric);
        }
        return metric.unit() == Unit.NANOSECONDS ? reading.gauge(metric) / SECOND : reading.gauge(metric);
    }

    private double number(PoolStatistics statistics) {
        if (part != Part.RECENT) {
            CountDistribution total = statistics.total().numbers(metric);
            return part == Part.COUNT ? total.count() : total.sum();
        }
        CountDistribution recent = statistics.recent().numbers(metric);
        return recent.count() == 0 ? Double.NaN : recent.percentile(quantile);
    }

    private double seconds(PoolReading reading) {
        HistogramSnapshot durations = durations(reading);
        if (part != Part.RECENT) {
            return part == Part.COUNT ? durations.count() : durations.sumSeconds();
        }
        if (durations.count() == 0) {
            return Double.NaN;
        }
        return (quantile == MAX ? durations.maxNanos() : durations.percentileNanos(quantile)) / SECOND;
    }

    private HistogramSnapshot durations(PoolReading reading) {
        boolean recent = part == Part.RECENT;
        if (requestClass != POOL) {
            RequestClass its = reading.classes().get(requestClass);
            return recent ? its.recentWaits() : its.waits();
        }
        PoolStatistics statistics = reading.statistics();
        return (recent ? statistics.recent() : statistics.total()).durations(metric, outcome);
    }
}
