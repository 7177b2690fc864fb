// SPDX-License-Identifier: Apache-2.0
package io.flexpool.spring;

import io.flexpool.metrics.opentelemetry.OpenTelemetryMetrics;
import io.flexpool.metrics.opentelemetry.OpenTelemetryProvider;
import io.flexpool.monitoring.ConfigKey;
import io.flexpool.monitoring.MetricsBinder;
import io.flexpool.monitoring.MetricsProvider;
import io.opentelemetry.api.OpenTelemetry;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.ObjectProvider;

/** {@code flexpool.metrics = opentelemetry}, into the application's own OpenTelemetry. */
final class OpenTelemetryBackend implements MetricsProvider {
    static final String NAME = "opentelemetry";

    private final MetricsProvider global = new OpenTelemetryProvider();
    private final OnlyBean<OpenTelemetry> openTelemetry;
    private final AfterStart start;

    OpenTelemetryBackend(ObjectProvider<OpenTelemetry> openTelemetry, AfterStart start) {
        this.openTelemetry = new OnlyBean<>(openTelemetry, OpenTelemetry.class, start);
        this.start = start;
    }

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public List<ConfigKey> keys() {
        return global.keys();
    }

    @Override
    public MetricsBinder create(ConfigKey.Values values) {
        boolean histograms = values.flag("histograms").orElse(true);
        Duration spansAbove = values.duration("spans-above").orElse(null);
        // Build it now, so that a value out of range is refused at once.
        metrics(OpenTelemetry.noop(), histograms, spansAbove);
        return new LateBackend(
                start,
                () -> openTelemetry.get().map(into -> metrics(into, histograms, spansAbove)),
                histograms || spansAbove != null);
    }

    private static OpenTelemetryMetrics metrics(OpenTelemetry into, boolean histograms, @Nullable Duration spansAbove) {
        OpenTelemetryMetrics metrics = OpenTelemetryMetrics.into(into);
        if (!histograms) {
            metrics = metrics.withoutHistograms();
        }
        return spansAbove == null ? metrics : metrics.spansAbove(spansAbove);
    }
}
