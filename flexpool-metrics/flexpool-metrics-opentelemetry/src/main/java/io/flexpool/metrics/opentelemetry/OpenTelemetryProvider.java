// SPDX-License-Identifier: Apache-2.0
package io.flexpool.metrics.opentelemetry;

import io.flexpool.monitoring.ConfigKey;
import io.flexpool.monitoring.ConfigKey.Kind;
import io.flexpool.monitoring.MetricsBinder;
import io.flexpool.monitoring.MetricsProvider;
import io.opentelemetry.api.OpenTelemetry;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** {@code flexpool.metrics = opentelemetry}: through the API, into the globally registered OpenTelemetry. */
public final class OpenTelemetryProvider implements MetricsProvider {
    private static final ConfigKey HISTOGRAMS = new ConfigKey(
            "histograms",
            Kind.FLAG,
            "true",
            "true or false",
            "Records each call's wait_time and use_time; if off, a connection costs nothing extra.");
    private static final ConfigKey REPEAT_AGENT = new ConfigKey(
            "repeat-agent",
            Kind.FLAG,
            "false",
            "true or false",
            "Also exports the pool metrics that OpenTelemetry's Java agent exports.");
    private static final ConfigKey CONNECTION_MAX = new ConfigKey(
            "connection-max",
            Kind.FLAG,
            "false",
            "true or false",
            "Also exports db.client.connection.max, the former name of db.client.connection.limit.");
    private static final ConfigKey SPANS_ABOVE = new ConfigKey(
            "spans-above",
            Kind.DURATION,
            "no spans",
            "from PT0S to PT24H",
            "Creates a span connection.acquire for each request of at least this duration, with links to the spans of"
                    + " the holders.");

    /** Null for the global one. A supplier, so that the class can be read without the library. */
    private final @Nullable Supplier<? extends OpenTelemetry> openTelemetry;

    /** Called by the service loader. */
    public OpenTelemetryProvider() {
        this(null);
    }

    private OpenTelemetryProvider(@Nullable Supplier<? extends OpenTelemetry> openTelemetry) {
        this.openTelemetry = openTelemetry;
    }

    /**
     * The same into an OpenTelemetry of the application, for frameworks.
     *
     * @param openTelemetry requested when a pool is built
     * @return a provider with the same keys
     */
    public static MetricsProvider into(Supplier<? extends OpenTelemetry> openTelemetry) {
        Objects.requireNonNull(openTelemetry, "openTelemetry is null");
        return new OpenTelemetryProvider(openTelemetry);
    }

    @Override
    public String name() {
        return "opentelemetry";
    }

    @Override
    public List<ConfigKey> keys() {
        return List.of(CONNECTION_MAX, HISTOGRAMS, REPEAT_AGENT, SPANS_ABOVE);
    }

    @Override
    public MetricsBinder create(ConfigKey.Values values) {
        OpenTelemetryMetrics made =
                openTelemetry == null ? OpenTelemetryMetrics.global() : OpenTelemetryMetrics.into(openTelemetry.get());
        if (!values.flag(HISTOGRAMS.name()).orElse(true)) {
            made = made.withoutHistograms();
        }
        if (values.flag(REPEAT_AGENT.name()).orElse(false)) {
            made = made.repeatingAgent();
        }
        if (values.flag(CONNECTION_MAX.name()).orElse(false)) {
            made = made.withConnectionMax();
        }
        Optional<Duration> above = values.duration(SPANS_ABOVE.name());
        return above.isPresent() ? made.spansAbove(above.get()) : made;
    }
}
