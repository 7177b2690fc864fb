// SPDX-License-Identifier: Apache-2.0
package io.flexpool.metrics.jdk;

import io.flexpool.monitoring.CountDistribution;
import io.flexpool.monitoring.HistogramSnapshot;
import io.flexpool.monitoring.PoolMetric;
import io.flexpool.monitoring.PoolStatistics;
import io.flexpool.monitoring.RequestClass;
import org.jspecify.annotations.Nullable;

/** flexpool's figures in the form of JMX attributes. */
final class ShownFigures {
    private static final double MILLISECOND = 1e6;

    private ShownFigures() {}

    static double millis(long nanos) {
        return nanos / MILLISECOND;
    }

    static double millis(double nanos) {
        return nanos / MILLISECOND;
    }

    record Durations(HistogramSnapshot total, HistogramSnapshot recent) implements PoolMXBean.Durations {
        @Override
        public long getCount() {
            return total.count();
        }

        @Override
        public double getSumMillis() {
            return total.sumSeconds() * 1_000;
        }

        @Override
        public double getMeanMillis() {
            return millis(total.meanNanos());
        }

        @Override
        public double getP50Millis() {
            return millis(total.percentileNanos(0.5));
        }

        @Override
        public double getP95Millis() {
            return millis(total.percentileNanos(0.95));
        }

        @Override
        public double getP99Millis() {
            return millis(total.percentileNanos(0.99));
        }

        @Override
        public double getMaxMillis() {
            return millis(total.maxNanos());
        }

        @Override
        public long getRecentCount() {
            return recent.count();
        }

        @Override
        public double getRecentMeanMillis() {
            return millis(recent.meanNanos());
        }

        @Override
        public double getRecentP50Millis() {
            return millis(recent.percentileNanos(0.5));
        }

        @Override
        public double getRecentP95Millis() {
            return millis(recent.percentileNanos(0.95));
        }

        @Override
        public double getRecentP99Millis() {
            return millis(recent.percentileNanos(0.99));
        }

        @Override
        public double getRecentMaxMillis() {
            return millis(recent.maxNanos());
        }
    }

    record OfClass(RequestClass figures) implements ClassAttributes {
        @Override
        public String getName() {
            return figures.name();
        }

        @Override
        public int getUsed() {
            return (int) figures.gauge(PoolMetric.CLASS_USED);
        }

        @Override
        public int getWaiting() {
            return (int) figures.gauge(PoolMetric.CLASS_WAITING);
        }

        @Override
        public int getGuaranteed() {
            return (int) figures.gauge(PoolMetric.CLASS_GUARANTEED);
        }

        @Override
        public @Nullable Integer getMax() {
            return figures.max().isPresent() ? (Integer) figures.max().getAsInt() : null;
        }

        @Override
        public PoolMXBean.Durations getWait() {
            return new Durations(figures.waits(), figures.recentWaits());
        }

        @Override
        public long getTimeouts() {
            return figures.counter(PoolMetric.CLASS_TIMEOUTS);
        }

        @Override
        public long getShed() {
            return figures.counter(PoolMetric.CLASS_SHED);
        }
    }

    record Numbers(CountDistribution total, CountDistribution recent) implements PoolMXBean.Numbers {
        @Override
        public long getCount() {
            return total.count();
        }

        @Override
        public long getSum() {
            return total.sum();
        }

        @Override
        public long getRecentCount() {
            return recent.count();
        }

        @Override
        public double getRecentMean() {
            return recent.mean();
        }

        @Override
        public int getRecentP50() {
            return recent.percentile(0.5);
        }

        @Override
        public int getRecentP95() {
            return recent.percentile(0.95);
        }

        @Override
        public int getRecentP99() {
            return recent.percentile(0.99);
        }

        @Override
        public int getRecentMax() {
            return recent.max();
        }
    }

    record Rates(PoolStatistics.Rates rates) implements PoolMXBean.Rates {
        @Override
        public double getMean() {
            return rates.mean();
        }

        @Override
        public double getOneMinute() {
            return rates.oneMinute();
        }

        @Override
        public double getFiveMinutes() {
            return rates.fiveMinutes();
        }

        @Override
        public double getFifteenMinutes() {
            return rates.fifteenMinutes();
        }
    }
}
