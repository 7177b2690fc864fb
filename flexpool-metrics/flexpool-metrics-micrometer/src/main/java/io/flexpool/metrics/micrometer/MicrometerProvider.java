// SPDX-License-Identifier: Apache-2.0
package io.flexpool.metrics.micrometer;

import io.flexpool.monitoring.ConfigKey;
import io.flexpool.monitoring.ConfigKey.Kind;
import io.flexpool.monitoring.MetricsBinder;
import io.flexpool.monitoring.MetricsProvider;
import io.flexpool.monitoring.MetricsProvider.MetricLevel;
import io.flexpool.pool.RefusedValueException;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Metrics;
import io.micrometer.tracing.Tracer;
import java.time.Duration;
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
    private static final ConfigKey SPANS_ABOVE = new ConfigKey(
            "spans-above",
            Kind.DURATION,
            "no spans",
            "from PT0S to PT24H",
            "Creates a span connection.acquire for each request of at least this duration, with links to the spans of the"
                    + " holders. Requires a Tracer of Micrometer Tracing.");

    /** Null for the global registry. A supplier, so that the class can be read without the library. */
    private final @Nullable Supplier<? extends MeterRegistry> registry;

    /** Null without a tracer. Untyped, so that the class can be loaded without Micrometer Tracing. */
    private final @Nullable Supplier<?> tracer;

    /** Called by the service loader. */
    public MicrometerProvider() {
        this(null, null);
    }

    private MicrometerProvider(@Nullable Supplier<? extends MeterRegistry> registry, @Nullable Supplier<?> tracer) {
        this.registry = registry;
        this.tracer = tracer;
    }

    /**
     * A provider for a registry of the application, for frameworks.
     *
     * @param registry requested when a pool is built
     * @return a provider with the same keys
     */
    public static MetricsProvider into(Supplier<? extends MeterRegistry> registry) {
        Objects.requireNonNull(registry, "registry is null");
        return new MicrometerProvider(registry, null);
    }

    /**
     * A provider with the application's registry and tracer: the report of a failed request has its trace id, and the
     * key {@code spans-above} works.
     *
     * @param registry requested when a pool is built
     * @param tracer requested when a pool is built
     * @return a provider with the same keys
     */
    public static MetricsProvider into(Supplier<? extends MeterRegistry> registry, Supplier<? extends Tracer> tracer) {
        Objects.requireNonNull(registry, "registry is null");
        return new MicrometerProvider(registry, Objects.requireNonNull(tracer, "tracer is null"));
    }

    @Override
    public String name() {
        return "micrometer";
    }

    @Override
    public List<ConfigKey> keys() {
        return List.of(HISTOGRAM, MetricLevel.KEY, SPANS_ABOVE);
    }

    @Override
    public MetricsBinder create(ConfigKey.Values values) {
        MicrometerMetrics made = (registry == null
                        ? MicrometerMetrics.global()
                        : MicrometerMetrics.into(registry.get()))
                .level(MetricLevel.of(values));
        made = values.flag(HISTOGRAM.name()).orElse(false) ? made.histogram() : made;
        Duration above = values.duration(SPANS_ABOVE.name()).orElse(null);
        if (tracer != null) {
            return TracedMetrics.of(made, tracer.get(), above);
        }
        if (above != null) {
            throw new RefusedValueException(
                    SPANS_ABOVE.name(), above, "must not be set without a Tracer of Micrometer Tracing");
        }
        return made;
    }
}
