// SPDX-License-Identifier: Apache-2.0
package io.flexpool.metrics.opentelemetry;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.flexpool.metrics.tck.ScriptedPool;
import io.flexpool.monitoring.HistogramSnapshot;
import io.flexpool.monitoring.MetricsBinder.Binding;
import io.flexpool.monitoring.PoolMetric;
import io.flexpool.monitoring.PoolReading;
import io.flexpool.pool.AcquisitionOutcome;
import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.api.common.Attributes;
import io.opentelemetry.sdk.metrics.data.AggregationTemporality;
import io.opentelemetry.sdk.metrics.data.ExponentialHistogramPointData;
import io.opentelemetry.sdk.metrics.data.HistogramPointData;
import io.opentelemetry.sdk.metrics.data.MetricData;
import io.opentelemetry.sdk.metrics.data.PointData;
import io.opentelemetry.sdk.resources.Resource;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import org.junit.jupiter.api.Test;

class PoolMetricProducerTest {
    private static final Resource RESOURCE =
            Resource.create(Attributes.of(AttributeKey.stringKey("service.name"), "shop"));
    private static final Instant START = Instant.parse("2026-01-01T00:00:00.000000007Z");

    private final ScriptedPool pool = new ScriptedPool("orders");

    @Test
    void exponentialHistogramsAreCopies() {
        PoolMetricProducer producer = PoolMetricProducer.create();
        producer.bind(pool);
        HistogramSnapshot leases = pool.statistics().total().leases();
        ExponentialHistogramPointData point = (ExponentialHistogramPointData) point(producer, "use_time");
        assertThat(point.getScale()).isEqualTo(HistogramSnapshot.SCALE);
        assertThat(point.getPositiveBuckets().getScale()).isEqualTo(HistogramSnapshot.SCALE);
        assertThat(point.getPositiveBuckets().getOffset()).isEqualTo(leases.offset());
        assertThat(point.getPositiveBuckets().getBucketCounts())
                .containsExactlyElementsOf(
                        Arrays.stream(leases.counts()).boxed().toList());
        assertThat(point.getPositiveBuckets().getTotalCount()).isEqualTo(leases.count());
        assertThat(point.getNegativeBuckets().getTotalCount()).isZero();
        assertThat(point.getZeroCount()).isZero();
        assertThat(point.hasMin()).isFalse();
        assertThat(point.hasMax()).isTrue();
        assertThat(point.getMax()).isEqualTo(leases.maxNanos() / 1e9);
        // The conventions' inverse: the lower bound of a bucket is 2^(index / 2^scale).
        double lowest = Math.pow(2, point.getPositiveBuckets().getOffset() / 8.0);
        assertThat(lowest).isBetween(0.030 * 0.91, 0.030);
    }

    @Test
    void explicitBucketsAreExactAtTheirOwnBounds() {
        PoolMetricProducer producer = PoolMetricProducer.explicitBuckets();
        producer.bind(pool);
        HistogramPointData point = (HistogramPointData) point(producer, "use_time");
        assertThat(point.getBoundaries())
                .hasSize(27)
                .startsWith(Math.pow(2, -20))
                .endsWith(64.0);
        assertThat(point.getCounts()).hasSize(28);
        // Ten each of 1, 2 … 100 times 30 ms.
        assertThat(atMost(point, 0.03125)).isEqualTo(10);
        assertThat(atMost(point, 0.0625)).isEqualTo(20);
        assertThat(atMost(point, 1.0)).isEqualTo(330);
        assertThat(atMost(point, 64.0)).isEqualTo(point.getCount()).isEqualTo(1000);
    }

    @Test
    void customBoundsAreRightExceptForNeighbours() {
        PoolMetricProducer producer = PoolMetricProducer.explicitBuckets(List.of(0.1, 1.0, 2.0));
        producer.bind(pool);
        HistogramPointData point = (HistogramPointData) point(producer, "use_time");
        assertThat(point.getBoundaries()).containsExactly(0.1, 1.0, 2.0);
        assertThat(point.getCounts().get(3)).isEqualTo(1000 - atMost(point, 2.0));
        // 3 × 30 ms are within 9 % of the bound.
        assertThat((double) atMost(point, 0.1)).isCloseTo(30, within(10.0));
        assertThat(atMost(point, 2.0)).isEqualTo(660);
    }

    @Test
    void wholeNumbersHaveBucketsOfTheirOwn() {
        PoolMetricProducer producer = PoolMetricProducer.create();
        producer.bind(pool);
        HistogramPointData point = (HistogramPointData) only(producer.produce(RESOURCE), "flexpool.active_sampled")
                .getData()
                .getPoints()
                .iterator()
                .next();
        assertThat(point.getBoundaries()).startsWith(0.0, 1.0, 2.0, 5.0).endsWith(1000.0);
        // Ten each of 1 to 100.
        assertThat(point.getCounts()).containsExactly(0L, 10L, 10L, 30L, 50L, 100L, 300L, 500L, 0L, 0L, 0L, 0L);
        assertThat(point.getMax()).isEqualTo(100);
    }

    @Test
    void pointsHaveStartAndResource() {
        Clock[] now = {Clock.fixed(START, ZoneOffset.UTC)};
        PoolMetricProducer producer = new PoolMetricProducer(null, new Clock() {
            @Override
            public java.time.ZoneId getZone() {
                return ZoneOffset.UTC;
            }

            @Override
            public Clock withZone(java.time.ZoneId zone) {
                return this;
            }

            @Override
            public Instant instant() {
                return now[0].instant();
            }
        });
        producer.bind(pool);
        now[0] = Clock.fixed(START.plusSeconds(10), ZoneOffset.UTC);
        Collection<MetricData> metrics = producer.produce(RESOURCE);
        assertThat(metrics).isNotEmpty().allSatisfy(metric -> {
            assertThat(metric.getResource()).isEqualTo(RESOURCE);
            assertThat(metric.getInstrumentationScopeInfo().getName()).isEqualTo("io.flexpool");
            assertThat(metric.getDescription()).isNotBlank();
            assertThat(metric.getData().getPoints()).isNotEmpty().allSatisfy(point -> {
                assertThat(point.getStartEpochNanos()).isEqualTo(1_767_225_600_000_000_007L);
                assertThat(point.getEpochNanos()).isEqualTo(1_767_225_610_000_000_007L);
            });
        });
        assertThat(only(metrics, "db.client.connection.timeouts")
                        .getLongSumData()
                        .getAggregationTemporality())
                .isEqualTo(AggregationTemporality.CUMULATIVE);
        assertThat(only(metrics, "db.client.connection.use_time")
                        .getExponentialHistogramData()
                        .getAggregationTemporality())
                .isEqualTo(AggregationTemporality.CUMULATIVE);
    }

    @Test
    void poolsShareEachMetric() {
        PoolMetricProducer producer = PoolMetricProducer.create();
        ScriptedPool other = new ScriptedPool("stock");
        Binding binding = producer.bind(pool);
        producer.bind(other);
        Collection<MetricData> metrics = producer.produce(RESOURCE);
        assertThat(metrics)
                .extracting(MetricData::getName)
                .doesNotHaveDuplicates()
                .hasSize(39);
        assertThat(only(metrics, "db.client.connection.count").getData().getPoints())
                .hasSize(4);
        assertThat(pool.readings()).isEqualTo(1);
        assertThat(other.readings()).isEqualTo(1);
        binding.unbind();
        assertThat(only(producer.produce(RESOURCE), "db.client.connection.count")
                        .getData()
                        .getPoints())
                .hasSize(2);
        assertThat(pool.readings()).isEqualTo(1);
    }

    @Test
    void anUnreadablePoolIsOmitted() {
        PoolMetricProducer producer = PoolMetricProducer.create();
        producer.bind(pool);
        pool.breaks();
        assertThat(producer.produce(RESOURCE)).isEmpty();
    }

    @Test
    void anOutcomeThatNeverHappenedIsShownAsZero() {
        PoolMetricProducer producer = PoolMetricProducer.create();
        pool.times(0);
        producer.bind(pool);
        ExponentialHistogramPointData never = (ExponentialHistogramPointData)
                only(producer.produce(RESOURCE), PoolMetric.ACQUISITION.conventionName())
                        .getData()
                        .getPoints()
                        .iterator()
                        .next();
        assertThat(PoolReading.of(pool)
                        .statistics()
                        .total()
                        .acquisition(AcquisitionOutcome.OK)
                        .count())
                .isZero();
        assertThat(never.getCount()).isZero();
        assertThat(never.hasMax()).isFalse();
        assertThat(never.getPositiveBuckets().getBucketCounts()).isEmpty();
    }

    @Test
    void refusesBoundsThatAreNone() {
        for (List<Double> bounds : List.of(
                List.<Double>of(),
                List.of(0.0),
                List.of(-1.0),
                List.of(Double.NaN),
                List.of(Double.POSITIVE_INFINITY),
                List.of(1.0, 1.0),
                List.of(2.0, 1.0))) {
            assertThatThrownBy(() -> PoolMetricProducer.explicitBuckets(bounds))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageStartingWith("buckets = " + bounds + ": must be 1 to 200 bounds in seconds, above 0");
        }
    }

    private static long atMost(HistogramPointData point, double bound) {
        int at = point.getBoundaries().indexOf(bound);
        assertThat(at).isNotNegative();
        return point.getCounts().subList(0, at + 1).stream()
                .mapToLong(Long::longValue)
                .sum();
    }

    private static PointData point(PoolMetricProducer producer, String name) {
        return only(producer.produce(RESOURCE), "db.client.connection." + name)
                .getData()
                .getPoints()
                .iterator()
                .next();
    }

    private static MetricData only(Collection<MetricData> metrics, String name) {
        List<MetricData> found =
                metrics.stream().filter(metric -> metric.getName().equals(name)).toList();
        assertThat(found).hasSize(1);
        return found.get(0);
    }
}
