// SPDX-License-Identifier: Apache-2.0
package io.flexpool.metrics.opentelemetry;

import io.flexpool.monitoring.ConfigKey;
import io.flexpool.monitoring.ConfigKey.Kind;
import io.flexpool.monitoring.MetricsBinder;
import io.flexpool.monitoring.MetricsProvider;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** {@code flexpool.metrics = opentelemetry}: through the API, into the globally registered OpenTelemetry. */
public final class OpenTelemetryProvider implements MetricsProvider {
    private static final ConfigKey HISTOGRAMS = new ConfigKey(
            "histograms",
            Kind.FLAG,
            "true",
            "true or false",
            "Records each call's wait_time and use_time; without, there is no cost per connection.");
    private static final ConfigKey SPANS_ABOVE = new ConfigKey(
            "spans-above",
            Kind.DURATION,
            "no spans",
            "from PT0S to PT24H",
            "Creates a span connection.acquire for each request that took longer.");

    /** Called by the service loader. */
    public OpenTelemetryProvider() {}

    @Override
    public String name() {
        return "opentelemetry";
    }

    @Override
    public List<ConfigKey> keys() {
        return List.of(HISTOGRAMS, SPANS_ABOVE);
    }

    @Override
    public MetricsBinder create(ConfigKey.Values values) {
        OpenTelemetryMetrics metrics = OpenTelemetryMetrics.global();
        if (!values.flag(HISTOGRAMS.name()).orElse(true)) {
            metrics = metrics.withoutHistograms();
        }
        Optional<Duration> above = values.duration(SPANS_ABOVE.name());
        return above.isPresent() ? metrics.spansAbove(above.get()) : metrics;
    }
}
