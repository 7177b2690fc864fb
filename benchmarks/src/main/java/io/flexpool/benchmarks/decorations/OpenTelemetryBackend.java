// SPDX-License-Identifier: Apache-2.0
package io.flexpool.benchmarks.decorations;

import io.flexpool.metrics.opentelemetry.OpenTelemetryMetrics;
import io.flexpool.metrics.opentelemetry.PoolMetricProducer;
import io.flexpool.monitoring.MetricsBinder;
import io.opentelemetry.sdk.OpenTelemetrySdk;
import io.opentelemetry.sdk.common.CompletableResultCode;
import io.opentelemetry.sdk.metrics.InstrumentType;
import io.opentelemetry.sdk.metrics.SdkMeterProvider;
import io.opentelemetry.sdk.metrics.data.AggregationTemporality;
import io.opentelemetry.sdk.metrics.export.CollectionRegistration;
import io.opentelemetry.sdk.metrics.export.MetricReader;

/** flexpool's figures in OpenTelemetry's SDK. */
public final class OpenTelemetryBackend {
    private OpenTelemetryBackend() {}

    /**
     * The SDK reads the pool when it collects.
     *
     * @return the backend, with its own SDK
     */
    public static Backend pull() {
        Collector collector = new Collector();
        PoolMetricProducer pools = PoolMetricProducer.create();
        SdkMeterProvider meters = SdkMeterProvider.builder()
                .registerMetricReader(collector)
                .registerMetricProducer(pools)
                .build();
        return backend(pools, collector, meters);
    }

    /**
     * Through the API, whose histograms observe every call.
     *
     * @return the backend, with its own SDK
     */
    public static Backend push() {
        Collector collector = new Collector();
        SdkMeterProvider meters =
                SdkMeterProvider.builder().registerMetricReader(collector).build();
        OpenTelemetrySdk sdk =
                OpenTelemetrySdk.builder().setMeterProvider(meters).build();
        return backend(OpenTelemetryMetrics.into(sdk), collector, meters);
    }

    private static Backend backend(MetricsBinder binder, Collector collector, SdkMeterProvider meters) {
        return new Backend(binder, collector::collect, meters);
    }

    /** Collects when it is asked. */
    private static final class Collector implements MetricReader {
        private volatile CollectionRegistration registration = CollectionRegistration.noop();

        int collect() {
            return registration.collectAllMetrics().size();
        }

        @Override
        public void register(CollectionRegistration given) {
            registration = given;
        }

        @Override
        public CompletableResultCode forceFlush() {
            return CompletableResultCode.ofSuccess();
        }

        @Override
        public CompletableResultCode shutdown() {
            return CompletableResultCode.ofSuccess();
        }

        @Override
        public AggregationTemporality getAggregationTemporality(InstrumentType type) {
            return AggregationTemporality.CUMULATIVE;
        }
    }
}
