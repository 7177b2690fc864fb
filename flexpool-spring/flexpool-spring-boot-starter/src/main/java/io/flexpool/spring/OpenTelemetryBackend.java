// SPDX-License-Identifier: Apache-2.0
package io.flexpool.spring;

import io.flexpool.metrics.opentelemetry.OpenTelemetryProvider;
import io.flexpool.monitoring.ConfigKey;
import io.flexpool.monitoring.MetricsBinder;
import io.flexpool.monitoring.MetricsProvider;
import io.opentelemetry.api.OpenTelemetry;
import java.util.List;
import org.springframework.beans.factory.ObjectProvider;

/** {@code flexpool.metrics = opentelemetry}, into the application's own OpenTelemetry. */
final class OpenTelemetryBackend implements MetricsProvider {
    static final String NAME = "opentelemetry";

    private final MetricsProvider global = new OpenTelemetryProvider();
    private final OnlyBean<OpenTelemetry> openTelemetry;
    private final AfterStart start;

    OpenTelemetryBackend(ObjectProvider<OpenTelemetry> openTelemetry, AfterStart start) {
        this.openTelemetry = new OnlyBean<>(openTelemetry, OpenTelemetry.class, "metrics are published", start);
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
        // Created here once, so that a value out of range is refused at once.
        OpenTelemetryProvider.into(OpenTelemetry::noop).create(values);
        boolean perCall = values.flag("histograms").orElse(true)
                || values.duration("spans-above").isPresent();
        return new LateBackend(
                start,
                () -> openTelemetry
                        .get()
                        .map(into -> OpenTelemetryProvider.into(() -> into).create(values)),
                perCall);
    }
}
