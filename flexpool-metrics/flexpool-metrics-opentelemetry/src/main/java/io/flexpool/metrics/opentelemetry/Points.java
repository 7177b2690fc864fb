// SPDX-License-Identifier: Apache-2.0
package io.flexpool.metrics.opentelemetry;

import io.opentelemetry.api.common.Attributes;
import io.opentelemetry.sdk.common.InstrumentationScopeInfo;
import io.opentelemetry.sdk.metrics.data.AggregationTemporality;
import io.opentelemetry.sdk.metrics.data.Data;
import io.opentelemetry.sdk.metrics.data.DoubleExemplarData;
import io.opentelemetry.sdk.metrics.data.DoublePointData;
import io.opentelemetry.sdk.metrics.data.ExponentialHistogramBuckets;
import io.opentelemetry.sdk.metrics.data.ExponentialHistogramData;
import io.opentelemetry.sdk.metrics.data.ExponentialHistogramPointData;
import io.opentelemetry.sdk.metrics.data.GaugeData;
import io.opentelemetry.sdk.metrics.data.HistogramData;
import io.opentelemetry.sdk.metrics.data.HistogramPointData;
import io.opentelemetry.sdk.metrics.data.LongExemplarData;
import io.opentelemetry.sdk.metrics.data.LongPointData;
import io.opentelemetry.sdk.metrics.data.MetricData;
import io.opentelemetry.sdk.metrics.data.MetricDataType;
import io.opentelemetry.sdk.metrics.data.SumData;
import io.opentelemetry.sdk.resources.Resource;
import java.util.Collection;
import java.util.List;

/**
 * The SDK's metric data as records, whose components are named like the interfaces' accessors: the SDK's own classes
 * are internal, or newer than the oldest supported SDK. All sums are cumulative; no figure has exemplars.
 */
final class Points {
    private Points() {}

    record Metric(
            Resource getResource,
            InstrumentationScopeInfo getInstrumentationScopeInfo,
            String getName,
            String getDescription,
            String getUnit,
            MetricDataType getType,
            Data<?> getData)
            implements MetricData {}

    record LongSum(boolean isMonotonic, Collection<LongPointData> getPoints) implements SumData<LongPointData> {
        @Override
        public AggregationTemporality getAggregationTemporality() {
            return AggregationTemporality.CUMULATIVE;
        }
    }

    record DoubleGauge(Collection<DoublePointData> getPoints) implements GaugeData<DoublePointData> {}

    record Exponential(Collection<ExponentialHistogramPointData> getPoints) implements ExponentialHistogramData {
        @Override
        public AggregationTemporality getAggregationTemporality() {
            return AggregationTemporality.CUMULATIVE;
        }
    }

    record Explicit(Collection<HistogramPointData> getPoints) implements HistogramData {
        @Override
        public AggregationTemporality getAggregationTemporality() {
            return AggregationTemporality.CUMULATIVE;
        }
    }

    record LongPoint(long getStartEpochNanos, long getEpochNanos, Attributes getAttributes, long getValue)
            implements LongPointData {
        @Override
        public List<LongExemplarData> getExemplars() {
            return List.of();
        }
    }

    record DoublePoint(long getStartEpochNanos, long getEpochNanos, Attributes getAttributes, double getValue)
            implements DoublePointData {
        @Override
        public List<DoubleExemplarData> getExemplars() {
            return List.of();
        }
    }

    /** The minimum is unknown, and every duration is positive. */
    record ExponentialPoint(
            long getStartEpochNanos,
            long getEpochNanos,
            Attributes getAttributes,
            double getSum,
            long getCount,
            double getMax,
            Buckets getPositiveBuckets)
            implements ExponentialHistogramPointData {
        @Override
        public int getScale() {
            return getPositiveBuckets.getScale();
        }

        @Override
        public long getZeroCount() {
            return 0;
        }

        @Override
        public boolean hasMin() {
            return false;
        }

        @Override
        public double getMin() {
            return 0;
        }

        @Override
        public boolean hasMax() {
            return getCount > 0;
        }

        @Override
        public ExponentialHistogramBuckets getNegativeBuckets() {
            return new Buckets(getScale(), 0, List.of(), 0);
        }

        @Override
        public List<DoubleExemplarData> getExemplars() {
            return List.of();
        }
    }

    record Buckets(int getScale, int getOffset, List<Long> getBucketCounts, long getTotalCount)
            implements ExponentialHistogramBuckets {}

    /** There is one more count than boundaries; each boundary belongs to the bucket below it. */
    record ExplicitPoint(
            long getStartEpochNanos,
            long getEpochNanos,
            Attributes getAttributes,
            double getSum,
            long getCount,
            double getMax,
            List<Double> getBoundaries,
            List<Long> getCounts)
            implements HistogramPointData {
        @Override
        public boolean hasMin() {
            return false;
        }

        @Override
        public double getMin() {
            return 0;
        }

        @Override
        public boolean hasMax() {
            return getCount > 0;
        }

        @Override
        public List<DoubleExemplarData> getExemplars() {
            return List.of();
        }
    }
}
