// SPDX-License-Identifier: Apache-2.0
package io.flexpool.metrics.jdk;

import io.flexpool.monitoring.HistogramSnapshot;
import io.flexpool.monitoring.PoolMetric;
import io.flexpool.monitoring.PoolReading;
import io.flexpool.pool.AcquisitionOutcome;
import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.Period;
import jdk.jfr.StackTrace;
import jdk.jfr.Timespan;
import org.jspecify.annotations.Nullable;

/** The durations of one kind in one pool, recorded periodically. */
@Name(PoolDurations.NAME)
@Label("Pool Durations")
@Category("flexpool")
@Description("Count and sum since the pool was wrapped, percentiles of the last minute (at most 4.5 % off)")
@Period("10 s")
@StackTrace(false)
final class PoolDurations extends Event {
    static final String NAME = "flexpool.PoolDurations";

    @Label("Pool")
    final String pool;

    @Label("Figure")
    @Description("acquisition, attempt, lease, connect, or the wait of a class such as class.batch.wait")
    final String figure;

    @Label("Outcome")
    @Description("Only for acquisitions")
    final @Nullable String outcome;

    @Label("Count")
    final long count;

    @Label("Sum")
    @Timespan
    final long sum;

    @Label("Recent Count")
    final long recentCount;

    @Label("Recent Mean")
    @Timespan
    final long recentMean;

    @Label("Recent Median")
    @Timespan
    final long recentP50;

    @Label("Recent 95 %")
    @Timespan
    final long recentP95;

    @Label("Recent 99 %")
    @Timespan
    final long recentP99;

    @Label("Recent Max")
    @Timespan
    final long recentMax;

    PoolDurations(String pool, PoolMetric metric, AcquisitionOutcome outcome, PoolReading reading) {
        this(
                pool,
                metric.shortName(),
                metric == PoolMetric.ACQUISITION ? outcome.label() : null,
                reading.statistics().total().durations(metric, outcome),
                reading.statistics().recent().durations(metric, outcome));
    }

    PoolDurations(
            String pool, String figure, @Nullable String outcome, HistogramSnapshot total, HistogramSnapshot recent) {
        this.pool = pool;
        this.figure = figure;
        this.outcome = outcome;
        this.count = total.count();
        this.sum = total.sumNanos();
        this.recentCount = recent.count();
        this.recentMean = Math.round(recent.meanNanos());
        this.recentP50 = recent.percentileNanos(0.5);
        this.recentP95 = recent.percentileNanos(0.95);
        this.recentP99 = recent.percentileNanos(0.99);
        this.recentMax = recent.maxNanos();
    }
}
