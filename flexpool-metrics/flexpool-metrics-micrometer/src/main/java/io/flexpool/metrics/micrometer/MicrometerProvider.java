// SPDX-License-Identifier: Apache-2.0
package io.flexpool.metrics.micrometer;

import io.flexpool.monitoring.ConfigKey;
import io.flexpool.monitoring.ConfigKey.Kind;
import io.flexpool.monitoring.MetricsBinder;
import io.flexpool.monitoring.MetricsProvider;
import io.flexpool.monitoring.MetricsProvider.MetricLevel;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Metrics;
import java.util.List;
import java.util.Objects;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** {@code flexpool.metrics = micrometer}: into {@link Metrics#globalRegistry}. */
public final class MicrometerProvider implements MetricsProvider {
    private static final ConfigKey HISTOGRAM = new ConfigKey(
            "histogram",
            Kind.FLAG,
            "false",
            "true or false",
            "Records acquisition and lease times in Micrometer timers, so that percentiles, histograms and SLOs work.");

    /** Null for the global registry. A supplier, so that the class can be read without the library. */
    private final @Nullable Supplier<? extends MeterRegistry> registry;

    /** Called by the service loader. */
    public MicrometerProvider() {
        this(null);
    }

    private MicrometerProvider(@Nullable Supplier<? extends MeterRegistry> registry) {
        this.registry = registry;
    }

    /**
     * The same into a registry of the application, for frameworks.
     *
     * @param registry requested when a pool is built
     * @return a provider with the same keys
     */
    public static MetricsProvider into(Supplier<? extends MeterRegistry> registry) {
        Objects.requireNonNull(registry, "registry is null");
        return new MicrometerProvider(registry);
    }

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
        MicrometerMetrics made = (registry == null
                        ? MicrometerMetrics.global()
                        : MicrometerMetrics.into(registry.get()))
                .level(MetricLevel.of(values));
        return values.flag(HISTOGRAM.name()).orElse(false) ? made.histogram() : made;
    }
}
