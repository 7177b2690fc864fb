// SPDX-License-Identifier: Apache-2.0
package io.flexpool.metrics.opentelemetry;

import io.flexpool.metrics.tck.Figure;
import io.flexpool.metrics.tck.MetricsContract;
import io.flexpool.metrics.tck.Part;
import io.flexpool.monitoring.MetricsBinder;
import io.flexpool.monitoring.PartView.PartMetric;
import io.flexpool.monitoring.PoolMetric;
import io.opentelemetry.sdk.metrics.SdkMeterProvider;
import io.opentelemetry.sdk.testing.exporter.InMemoryMetricReader;
import java.util.EnumSet;
import java.util.OptionalDouble;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;

class PullContractTest extends MetricsContract {
    private final InMemoryMetricReader reader = InMemoryMetricReader.create();
    private final PoolMetricProducer producer = producer();
    private final SdkMeterProvider sdk = SdkMeterProvider.builder()
            .registerMetricReader(reader)
            .registerMetricProducer(producer)
            .build();

    PoolMetricProducer producer() {
        return PoolMetricProducer.create();
    }

    @AfterEach
    void close() {
        sdk.close();
    }

    @Override
    protected MetricsBinder binder() {
        return producer;
    }

    @Override
    protected Set<Part> shows(PoolMetric metric) {
        return switch (metric.kind()) {
            case GAUGE, COUNTER -> EnumSet.of(Part.VALUE);
            case TIMER, DISTRIBUTION -> EnumSet.of(Part.COUNT, Part.SUM);
        };
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

    @Override
    protected Set<String> registered() {
        return CollectedMetrics.of(reader).series();
    }
}
