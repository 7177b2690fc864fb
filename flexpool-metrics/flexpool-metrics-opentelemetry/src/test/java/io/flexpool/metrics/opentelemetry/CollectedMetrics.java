// SPDX-License-Identifier: Apache-2.0
package io.flexpool.metrics.opentelemetry;

import io.flexpool.metrics.tck.Figure;
import io.flexpool.metrics.tck.Part;
import io.flexpool.monitoring.PartView.PartMetric;
import io.flexpool.monitoring.PoolMetric;
import io.flexpool.pool.AcquisitionOutcome;
import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.api.common.Attributes;
import io.opentelemetry.sdk.metrics.data.DoublePointData;
import io.opentelemetry.sdk.metrics.data.ExponentialHistogramPointData;
import io.opentelemetry.sdk.metrics.data.HistogramPointData;
import io.opentelemetry.sdk.metrics.data.LongPointData;
import io.opentelemetry.sdk.metrics.data.MetricData;
import io.opentelemetry.sdk.metrics.data.PointData;
import io.opentelemetry.sdk.metrics.data.SumData;
import io.opentelemetry.sdk.testing.exporter.InMemoryMetricReader;
import java.util.Collection;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The SDK's collected metrics, found by the names of the conventions, which are repeated here. */
final class CollectedMetrics {
    private static final AttributeKey<String> POOL = AttributeKey.stringKey("db.client.connection.pool.name");
    private static final AttributeKey<String> STATE = AttributeKey.stringKey("db.client.connection.state");
    private static final AttributeKey<String> OUTCOME = AttributeKey.stringKey("flexpool.outcome");
    private static final AttributeKey<String> CLASS = AttributeKey.stringKey("flexpool.class");
    private static final AttributeKey<String> ERROR = AttributeKey.stringKey("error.type");

    private final Collection<MetricData> metrics;

    private CollectedMetrics(Collection<MetricData> metrics) {
        this.metrics = metrics;
    }

    static CollectedMetrics of(InMemoryMetricReader reader) {
        return new CollectedMetrics(reader.collectAllMetrics());
    }

    Collection<MetricData> all() {
        return metrics;
    }

    MetricData metric(String name) {
        return metrics.stream()
                .filter(metric -> metric.getName().equals(name))
                .findAny()
                .orElseThrow(() -> new AssertionError(name + " is not among " + names()));
    }

    Set<String> names() {
        return metrics.stream().map(MetricData::getName).collect(Collectors.toSet());
    }

    /** Names with attributes. */
    Set<String> series() {
        return metrics.stream()
                .flatMap(metric ->
                        metric.getData().getPoints().stream().map(point -> metric.getName() + point.getAttributes()))
                .collect(Collectors.toSet());
    }

    /** The point with exactly these attributes; null if there is none. */
    @Nullable
    PointData point(String name, Attributes attributes) {
        return metrics.stream()
                .filter(metric -> metric.getName().equals(name))
                .flatMap(metric -> metric.getData().getPoints().stream())
                .filter(point -> point.getAttributes().equals(attributes))
                .findAny()
                .orElse(null);
    }

    static Attributes attributes(String pool, PoolMetric metric, AcquisitionOutcome outcome) {
        Attributes base = Attributes.of(POOL, pool);
        return switch (metric) {
            case ACTIVE -> base.toBuilder().put(STATE, "used").build();
            case IDLE -> base.toBuilder().put(STATE, "idle").build();
            case ACQUISITION ->
                outcome == AcquisitionOutcome.OK
                        ? base.toBuilder().put(OUTCOME, "ok").build()
                        : base.toBuilder()
                                .put(OUTCOME, outcome.label())
                                .put(ERROR, outcome.label())
                                .build();
            default -> base;
        };
    }

    OptionalDouble shown(String pool, Figure figure) {
        Attributes attributes = figure.metric().perClass()
                ? Attributes.of(POOL, pool, CLASS, figure.requestClass())
                : attributes(pool, figure.metric(), figure.outcome());
        return shown(point(figure.metric().conventionName(), attributes), figure.part());
    }

    OptionalDouble shown(String pool, PartMetric metric) {
        return shown(point(metric.conventionName(), Attributes.of(POOL, pool)), Part.VALUE);
    }

    /** Each point with all that its metric has. */
    Set<String> described() {
        return metrics.stream()
                .flatMap(metric -> metric.getData().getPoints().stream()
                        .map(point -> metric.getName()
                                + point.getAttributes().toString().replace(" ", "") + " "
                                + metric.getType() + " " + metric.getUnit() + " " + metric.getDescription() + " "
                                + (metric.getData() instanceof SumData<?> sum
                                        ? "monotonic=" + sum.isMonotonic() + " "
                                        : "")
                                + shown(point, Part.COUNT)))
                .collect(Collectors.toSet());
    }

    private static OptionalDouble shown(@Nullable PointData point, Part part) {
        if (point instanceof LongPointData whole) {
            return OptionalDouble.of((double) whole.getValue());
        }
        if (point instanceof DoublePointData fraction) {
            return OptionalDouble.of(fraction.getValue());
        }
        if (point instanceof ExponentialHistogramPointData histogram) {
            return OptionalDouble.of(part == Part.COUNT ? (double) histogram.getCount() : histogram.getSum());
        }
        if (point instanceof HistogramPointData histogram) {
            return OptionalDouble.of(part == Part.COUNT ? (double) histogram.getCount() : histogram.getSum());
        }
        return OptionalDouble.empty();
    }
}
