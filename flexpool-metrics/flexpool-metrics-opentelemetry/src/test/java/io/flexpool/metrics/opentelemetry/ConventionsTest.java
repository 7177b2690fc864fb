// SPDX-License-Identifier: Apache-2.0
package io.flexpool.metrics.opentelemetry;

import static io.opentelemetry.semconv.incubating.DbIncubatingMetrics.DB_CLIENT_CONNECTION_COUNT_NAME;
import static io.opentelemetry.semconv.incubating.DbIncubatingMetrics.DB_CLIENT_CONNECTION_COUNT_UNIT;
import static io.opentelemetry.semconv.incubating.DbIncubatingMetrics.DB_CLIENT_CONNECTION_CREATE_TIME_NAME;
import static io.opentelemetry.semconv.incubating.DbIncubatingMetrics.DB_CLIENT_CONNECTION_CREATE_TIME_UNIT;
import static io.opentelemetry.semconv.incubating.DbIncubatingMetrics.DB_CLIENT_CONNECTION_IDLE_MAX_NAME;
import static io.opentelemetry.semconv.incubating.DbIncubatingMetrics.DB_CLIENT_CONNECTION_IDLE_MIN_NAME;
import static io.opentelemetry.semconv.incubating.DbIncubatingMetrics.DB_CLIENT_CONNECTION_IDLE_MIN_UNIT;
import static io.opentelemetry.semconv.incubating.DbIncubatingMetrics.DB_CLIENT_CONNECTION_LIMIT_NAME;
import static io.opentelemetry.semconv.incubating.DbIncubatingMetrics.DB_CLIENT_CONNECTION_LIMIT_UNIT;
import static io.opentelemetry.semconv.incubating.DbIncubatingMetrics.DB_CLIENT_CONNECTION_PENDING_REQUESTS_NAME;
import static io.opentelemetry.semconv.incubating.DbIncubatingMetrics.DB_CLIENT_CONNECTION_PENDING_REQUESTS_UNIT;
import static io.opentelemetry.semconv.incubating.DbIncubatingMetrics.DB_CLIENT_CONNECTION_TIMEOUTS_NAME;
import static io.opentelemetry.semconv.incubating.DbIncubatingMetrics.DB_CLIENT_CONNECTION_TIMEOUTS_UNIT;
import static io.opentelemetry.semconv.incubating.DbIncubatingMetrics.DB_CLIENT_CONNECTION_USE_TIME_NAME;
import static io.opentelemetry.semconv.incubating.DbIncubatingMetrics.DB_CLIENT_CONNECTION_USE_TIME_UNIT;
import static io.opentelemetry.semconv.incubating.DbIncubatingMetrics.DB_CLIENT_CONNECTION_WAIT_TIME_NAME;
import static io.opentelemetry.semconv.incubating.DbIncubatingMetrics.DB_CLIENT_CONNECTION_WAIT_TIME_UNIT;
import static org.assertj.core.api.Assertions.assertThat;

import io.flexpool.metrics.tck.ScriptedPool;
import io.flexpool.monitoring.MetricsBinder;
import io.flexpool.monitoring.PoolMetric;
import io.flexpool.pool.AcquisitionOutcome;
import io.opentelemetry.api.common.Attributes;
import io.opentelemetry.sdk.OpenTelemetrySdk;
import io.opentelemetry.sdk.metrics.InstrumentType;
import io.opentelemetry.sdk.metrics.SdkMeterProvider;
import io.opentelemetry.sdk.metrics.data.AggregationTemporality;
import io.opentelemetry.sdk.metrics.data.LongPointData;
import io.opentelemetry.sdk.metrics.data.MetricData;
import io.opentelemetry.sdk.metrics.data.MetricDataType;
import io.opentelemetry.sdk.metrics.data.PointData;
import io.opentelemetry.sdk.testing.exporter.InMemoryMetricReader;
import io.opentelemetry.semconv.ErrorAttributes;
import io.opentelemetry.semconv.incubating.DbIncubatingAttributes;
import io.opentelemetry.semconv.incubating.DbIncubatingAttributes.DbClientConnectionStateIncubatingValues;
import io.opentelemetry.semconv.incubating.DbIncubatingMetrics;
import java.lang.reflect.Field;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** Compares both forms with OpenTelemetry's published constants. Another test compares them with its Java agent. */
class ConventionsTest {
    private static final String POOL = DbIncubatingAttributes.DB_CLIENT_CONNECTION_POOL_NAME.getKey();
    private static final String STATE = DbIncubatingAttributes.DB_CLIENT_CONNECTION_STATE.getKey();
    private static final String ERROR = ErrorAttributes.ERROR_TYPE.getKey();
    private static final String OUTCOME = "flexpool.outcome";
    /** Repeats the instrument kinds: the constants do not contain them. */
    private static final Set<String> BY_THE_CONVENTIONS = new TreeSet<>(Set.of(
            instrument(DB_CLIENT_CONNECTION_COUNT_NAME, DB_CLIENT_CONNECTION_COUNT_UNIT, "up-down", POOL, STATE),
            instrument(DB_CLIENT_CONNECTION_IDLE_MIN_NAME, DB_CLIENT_CONNECTION_IDLE_MIN_UNIT, "up-down", POOL),
            instrument(DB_CLIENT_CONNECTION_LIMIT_NAME, DB_CLIENT_CONNECTION_LIMIT_UNIT, "up-down", POOL),
            instrument(
                    DB_CLIENT_CONNECTION_PENDING_REQUESTS_NAME,
                    DB_CLIENT_CONNECTION_PENDING_REQUESTS_UNIT,
                    "up-down",
                    POOL),
            instrument(DB_CLIENT_CONNECTION_TIMEOUTS_NAME, DB_CLIENT_CONNECTION_TIMEOUTS_UNIT, "counter", POOL),
            instrument(DB_CLIENT_CONNECTION_CREATE_TIME_NAME, DB_CLIENT_CONNECTION_CREATE_TIME_UNIT, "histogram", POOL),
            instrument(DB_CLIENT_CONNECTION_USE_TIME_NAME, DB_CLIENT_CONNECTION_USE_TIME_UNIT, "histogram", POOL),
            instrument(
                    DB_CLIENT_CONNECTION_WAIT_TIME_NAME,
                    DB_CLIENT_CONNECTION_WAIT_TIME_UNIT,
                    "histogram",
                    POOL,
                    OUTCOME),
            instrument(
                    DB_CLIENT_CONNECTION_WAIT_TIME_NAME,
                    DB_CLIENT_CONNECTION_WAIT_TIME_UNIT,
                    "histogram",
                    POOL,
                    ERROR,
                    OUTCOME)));

    private final InMemoryMetricReader reader = InMemoryMetricReader.create();

    /** Detects new or renamed conventions. */
    @Test
    void allConventionsButOneAreShown() throws IllegalAccessException {
        Set<String> names = new TreeSet<>();
        for (Field field : DbIncubatingMetrics.class.getFields()) {
            if (field.getName().matches("DB_CLIENT_CONNECTION_.*_NAME")
                    && !field.isAnnotationPresent(Deprecated.class)) {
                names.add((String) field.get(null));
            }
        }
        Set<String> shown = new TreeSet<>(Set.of(DB_CLIENT_CONNECTION_IDLE_MAX_NAME));
        for (PoolMetric metric : PoolMetric.values()) {
            if (metric.conventionName().startsWith("db.")) {
                shown.add(metric.conventionName());
            }
        }
        assertThat(shown).isEqualTo(names);
    }

    @Test
    void connectionsAreIdleOrUsed() {
        PoolMetricProducer producer = PoolMetricProducer.create();
        producer.bind(new ScriptedPool("orders"));
        CollectedMetrics collected = collected(producer);
        assertThat(state(collected, DbClientConnectionStateIncubatingValues.USED))
                .isEqualTo(7);
        assertThat(state(collected, DbClientConnectionStateIncubatingValues.IDLE))
                .isEqualTo(5);
        assertThat(collected.metric(DB_CLIENT_CONNECTION_COUNT_NAME).getData().getPoints())
                .hasSize(2);
    }

    private static long state(CollectedMetrics collected, String state) {
        Attributes attributes = Attributes.of(
                DbIncubatingAttributes.DB_CLIENT_CONNECTION_POOL_NAME,
                "orders",
                DbIncubatingAttributes.DB_CLIENT_CONNECTION_STATE,
                state);
        PointData point = collected.point(DB_CLIENT_CONNECTION_COUNT_NAME, attributes);
        assertThat(point).as(state).isInstanceOf(LongPointData.class);
        return ((LongPointData) point).getValue();
    }

    private CollectedMetrics collected(PoolMetricProducer producer) {
        try (SdkMeterProvider sdk = SdkMeterProvider.builder()
                .registerMetricReader(reader)
                .registerMetricProducer(producer)
                .build()) {
            assertThat(sdk).isNotNull();
            return CollectedMetrics.of(reader);
        }
    }

    @Test
    void pulledFiguresFollowTheConventions() {
        PoolMetricProducer producer = PoolMetricProducer.create();
        try (SdkMeterProvider sdk = SdkMeterProvider.builder()
                .registerMetricReader(reader)
                .registerMetricProducer(producer)
                .build()) {
            assertThat(sdk).isNotNull();
            producer.bind(new ScriptedPool("orders"));
            assertThat(instrument()).isEqualTo(BY_THE_CONVENTIONS);
            assertThat(reader.getAggregationTemporality(InstrumentType.HISTOGRAM))
                    .isEqualTo(AggregationTemporality.CUMULATIVE);
        }
    }

    @Test
    void pushedFiguresFollowTheConventions() {
        try (SdkMeterProvider sdk =
                SdkMeterProvider.builder().registerMetricReader(reader).build()) {
            MetricsBinder.Binding binding = OpenTelemetryMetrics.into(
                            OpenTelemetrySdk.builder().setMeterProvider(sdk).build())
                    .bind(new ScriptedPool("orders"));
            for (AcquisitionOutcome outcome : AcquisitionOutcome.values()) {
                binding.observer().acquired(0, 1_000_000, outcome);
            }
            binding.observer().released(0, 1_000_000);
            assertThat(instrument()).isEqualTo(BY_THE_CONVENTIONS);
            binding.unbind();
        }
    }

    private static String instrument(String name, String unit, String kind, String... attributes) {
        return name + " " + unit + " " + kind + " {" + String.join(", ", new TreeSet<>(List.of(attributes))) + "}";
    }

    /** Each convention's metric with unit, kind and the attributes of its points. */
    private Set<String> instrument() {
        Set<String> seen = new TreeSet<>();
        for (MetricData metric : CollectedMetrics.of(reader).all()) {
            if (metric.getName().startsWith("db.")) {
                for (PointData point : metric.getData().getPoints()) {
                    Set<String> keys = new TreeSet<>();
                    point.getAttributes().forEach((key, value) -> keys.add(key.getKey()));
                    seen.add(instrument(metric.getName(), metric.getUnit(), kind(metric), keys.toArray(String[]::new)));
                }
            } else {
                assertThat(metric.getName()).startsWith("flexpool.");
            }
        }
        return seen;
    }

    private static String kind(MetricData metric) {
        return switch (metric.getType()) {
            case LONG_SUM -> metric.getLongSumData().isMonotonic() ? "counter" : "up-down";
            case HISTOGRAM, EXPONENTIAL_HISTOGRAM -> "histogram";
            default ->
                metric.getType() == MetricDataType.DOUBLE_GAUGE
                        ? "gauge"
                        : metric.getType().name();
        };
    }
}
