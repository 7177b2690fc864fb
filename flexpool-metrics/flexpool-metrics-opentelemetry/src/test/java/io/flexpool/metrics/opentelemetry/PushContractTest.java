// SPDX-License-Identifier: Apache-2.0
package io.flexpool.metrics.opentelemetry;

import io.flexpool.metrics.tck.Figure;
import io.flexpool.metrics.tck.MetricsContract;
import io.flexpool.metrics.tck.Part;
import io.flexpool.monitoring.MetricsBinder;
import io.flexpool.monitoring.PartView.PartMetric;
import io.flexpool.monitoring.PoolMetric;
import io.flexpool.monitoring.PoolMetric.Kind;
import io.opentelemetry.api.OpenTelemetry;
import io.opentelemetry.sdk.OpenTelemetrySdk;
import io.opentelemetry.sdk.metrics.SdkMeterProvider;
import io.opentelemetry.sdk.testing.exporter.InMemoryMetricReader;
import java.util.EnumSet;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;

class PushContractTest extends MetricsContract {
    private final InMemoryMetricReader reader = InMemoryMetricReader.create();
    private final SdkMeterProvider sdk =
            SdkMeterProvider.builder().registerMetricReader(reader).build();
    private final OpenTelemetry openTelemetry =
            OpenTelemetrySdk.builder().setMeterProvider(sdk).build();

    @AfterEach
    void close() {
        sdk.close();
    }

    /** A new one each time: pools of one name are distinguished across binders. */
    @Override
    protected MetricsBinder binder() {
        return OpenTelemetryMetrics.into(openTelemetry);
    }

    @Override
    protected Set<Part> shows(PoolMetric metric) {
        return switch (metric.kind()) {
            case GAUGE, COUNTER -> EnumSet.of(Part.VALUE);
            case TIMER ->
                metric == PoolMetric.ATTEMPT || metric.perClass()
                        ? EnumSet.noneOf(Part.class)
                        : EnumSet.of(Part.COUNT, Part.SUM);
            case DISTRIBUTION -> EnumSet.noneOf(Part.class);
        };
    }

    @Override
    protected boolean hearsCalls(PoolMetric metric) {
        return metric.kind() == Kind.TIMER;
    }

    @Override
    protected OptionalDouble shown(String pool, Figure figure) {
        return CollectedMetrics.of(reader).shown(pool, figure);
    }

    @Override
    protected OptionalDouble shown(String pool, PartMetric metric) {
        return CollectedMetrics.of(reader).shown(pool, metric);
    }

    @Override
    protected Set<String> described() {
        return CollectedMetrics.of(reader).described();
    }

    /** Without the histograms, which the SDK keeps: the API cannot remove them. */
    @Override
    protected Set<String> registered() {
        return CollectedMetrics.of(reader).series().stream()
                .filter(series -> !series.matches("db\\.client\\.connection\\.(wait|use|create)_time\\{.*"))
                .collect(Collectors.toSet());
    }
}
