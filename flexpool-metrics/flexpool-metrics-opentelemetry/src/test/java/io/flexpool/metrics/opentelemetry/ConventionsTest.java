// SPDX-License-Identifier: Apache-2.0
package io.flexpool.metrics.opentelemetry;

import static org.assertj.core.api.Assertions.assertThat;

import io.flexpool.metrics.tck.ScriptedPool;
import io.flexpool.pool.AcquisitionOutcome;
import io.flexpool.pool.MetricsBinder;
import io.opentelemetry.sdk.OpenTelemetrySdk;
import io.opentelemetry.sdk.metrics.InstrumentType;
import io.opentelemetry.sdk.metrics.SdkMeterProvider;
import io.opentelemetry.sdk.metrics.data.AggregationTemporality;
import io.opentelemetry.sdk.metrics.data.MetricData;
import io.opentelemetry.sdk.metrics.data.MetricDataType;
import io.opentelemetry.sdk.metrics.data.PointData;
import io.opentelemetry.sdk.testing.exporter.InMemoryMetricReader;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** What the semantic conventions say of connection pools, written out here once more, of both forms. */
class ConventionsTest {
    private static final Set<String> TOLD_AS_CONVENTIONS_SAY = new TreeSet<>(Set.of(
            "db.client.connection.count {connection} up-down {db.client.connection.pool.name, db.client.connection.state}",
            "db.client.connection.idle.min {connection} up-down {db.client.connection.pool.name}",
            "db.client.connection.max {connection} up-down {db.client.connection.pool.name}",
            "db.client.connection.pending_requests {request} up-down {db.client.connection.pool.name}",
            "db.client.connection.timeouts {timeout} counter {db.client.connection.pool.name}",
            "db.client.connection.create_time s histogram {db.client.connection.pool.name}",
            "db.client.connection.use_time s histogram {db.client.connection.pool.name}",
            "db.client.connection.wait_time s histogram {db.client.connection.pool.name, flexpool.outcome}",
            "db.client.connection.wait_time s histogram"
                    + " {db.client.connection.pool.name, error.type, flexpool.outcome}"));

    private final InMemoryMetricReader reader = InMemoryMetricReader.create();

    @Test
    void pulledFiguresAreAsTheConventionsSay() {
        PoolMetricProducer producer = PoolMetricProducer.create();
        try (SdkMeterProvider sdk = SdkMeterProvider.builder()
                .registerMetricReader(reader)
                .registerMetricProducer(producer)
                .build()) {
            assertThat(sdk).isNotNull();
            producer.bind(new ScriptedPool("orders"));
            assertThat(told()).isEqualTo(TOLD_AS_CONVENTIONS_SAY);
            assertThat(reader.getAggregationTemporality(InstrumentType.HISTOGRAM))
                    .isEqualTo(AggregationTemporality.CUMULATIVE);
        }
    }

    @Test
    void pushedFiguresAreAsTheConventionsSay() {
        try (SdkMeterProvider sdk =
                SdkMeterProvider.builder().registerMetricReader(reader).build()) {
            MetricsBinder.Binding binding = OpenTelemetryMetrics.into(
                            OpenTelemetrySdk.builder().setMeterProvider(sdk).build())
                    .bind(new ScriptedPool("orders"));
            for (AcquisitionOutcome outcome : AcquisitionOutcome.values()) {
                binding.observer().acquired(0, 1_000_000, outcome);
            }
            binding.observer().released(0, 1_000_000);
            assertThat(told()).isEqualTo(TOLD_AS_CONVENTIONS_SAY);
            binding.unbind();
        }
    }

    /** Each convention's metric with unit, kind and the attributes of its points. */
    private Set<String> told() {
        Set<String> told = new TreeSet<>();
        for (MetricData metric : CollectedMetrics.of(reader).all()) {
            if (metric.getName().startsWith("db.")) {
                for (PointData point : metric.getData().getPoints()) {
                    Set<String> keys = new TreeSet<>();
                    point.getAttributes().forEach((key, value) -> keys.add(key.getKey()));
                    told.add(metric.getName() + " " + metric.getUnit() + " " + kind(metric) + " {"
                            + String.join(", ", keys) + "}");
                }
            } else {
                assertThat(metric.getName()).startsWith("flexpool.");
            }
        }
        return told;
    }

    private static String kind(MetricData metric) {
        return switch (metric.getType()) {
            case LONG_SUM -> metric.getLongSumData().isMonotonic() ? "counter" : "up-down";
            case HISTOGRAM, EXPONENTIAL_HISTOGRAM -> "histogram";
            default -> metric.getType() == MetricDataType.DOUBLE_GAUGE ? "gauge" : metric.getType().name();
        };
    }
}
