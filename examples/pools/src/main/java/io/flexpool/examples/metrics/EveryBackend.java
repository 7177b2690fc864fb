// SPDX-License-Identifier: Apache-2.0
package io.flexpool.examples.metrics;

import com.codahale.metrics.MetricRegistry;
import io.flexpool.metrics.dropwizard.DropwizardMetrics;
import io.flexpool.metrics.jdk.JfrEvents;
import io.flexpool.metrics.jdk.JmxMetrics;
import io.flexpool.metrics.micrometer.MicrometerMetrics;
import io.flexpool.metrics.micrometer.MicrometerTracing;
import io.flexpool.metrics.opentelemetry.OpenTelemetryMetrics;
import io.flexpool.metrics.opentelemetry.OpenTelemetryTracing;
import io.flexpool.metrics.opentelemetry.PoolMetricProducer;
import io.flexpool.metrics.prometheus.PrometheusMetrics;
import io.flexpool.monitoring.MetricsBinder;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.tracing.Tracer;
import io.opentelemetry.api.OpenTelemetry;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.time.Duration;

/** What an application gives to {@code FlexPool.wrap(pool).metrics(…)}: the lines of the table in docs/reference/backends.md. */
final class EveryBackend {
    private EveryBackend() {}

    static MetricsBinder dropwizard(MetricRegistry registry) {
        return DropwizardMetrics.into(registry);
    }

    static MetricsBinder micrometer(MeterRegistry registry) {
        return MicrometerMetrics.into(registry);
    }

    static MetricsBinder prometheus(PrometheusRegistry registry) {
        return PrometheusMetrics.into(registry);
    }

    static PoolMetricProducer openTelemetryPull() {
        return PoolMetricProducer.create();
    }

    static MetricsBinder openTelemetryPush(OpenTelemetry openTelemetry) {
        return OpenTelemetryMetrics.into(openTelemetry);
    }

    static MetricsBinder jmx() {
        return JmxMetrics.create();
    }

    static MetricsBinder jfr() {
        return JfrEvents.create();
    }

    static MetricsBinder micrometerTracing(Tracer tracer) {
        return MicrometerTracing.with(tracer, Duration.ofMillis(50));
    }

    static MetricsBinder openTelemetryTracing(OpenTelemetry openTelemetry) {
        return OpenTelemetryTracing.above(openTelemetry, Duration.ofMillis(50));
    }
}
