// SPDX-License-Identifier: Apache-2.0
package io.flexpool.metrics.micrometer;

import io.flexpool.monitoring.ConfigKey;
import io.flexpool.monitoring.ConfigKey.Kind;
import io.flexpool.monitoring.MetricsBinder;
import io.flexpool.monitoring.MetricsProvider;
import io.flexpool.monitoring.MetricsProvider.MetricLevel;
import io.micrometer.core.instrument.Metrics;
import java.util.List;

/** {@code flexpool.metrics = micrometer}: into {@link Metrics#globalRegistry}. */
public final class MicrometerProvider implements MetricsProvider {
    private static final ConfigKey HISTOGRAM = new ConfigKey(
            "histogram",
            Kind.FLAG,
            "false",
            "true or false",
            "Acquisition and lease times are real timers, for filters that ask for percentiles, histograms or SLOs.");

    /** Called by the service loader. */
    public MicrometerProvider() {}

    @Override
    public String name() {
        return "micrometer";
    }

    @Override
    public List<ConfigKey> keys() {
        return List.of(HISTOGRAM, MetricLevel.KEY);
    }

    @Override
    public MetricsBinder create(ConfigKey.Values values) {
        MicrometerMetrics metrics = MicrometerMetrics.global().level(MetricLevel.of(values));
        return values.flag(HISTOGRAM.name()).orElse(false) ? metrics.histogram() : metrics;
    }
}
