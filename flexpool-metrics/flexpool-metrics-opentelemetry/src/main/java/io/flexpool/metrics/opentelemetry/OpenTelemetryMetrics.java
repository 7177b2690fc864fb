// SPDX-License-Identifier: Apache-2.0
package io.flexpool.metrics.opentelemetry;

import io.flexpool.monitoring.MetricsBinder;
import io.flexpool.monitoring.PoolView;
import io.opentelemetry.api.GlobalOpenTelemetry;
import io.opentelemetry.api.OpenTelemetry;
import io.opentelemetry.api.metrics.MeterProvider;
import java.time.Duration;
import java.util.Objects;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Shows pools through OpenTelemetry's API, whoever owns the SDK: the Java agent, a framework, the application. Who builds
 * the SDK uses {@link PoolMetricProducer} instead, which costs nothing per connection and shows more.
 *
 * <pre>{@code
 * FlexPool.wrap(hikari).name("orders").metrics(OpenTelemetryMetrics.into(openTelemetry)).build();
 * }</pre>
 *
 * <p>Names, units, instruments and attributes are those of {@link PoolMetricProducer}. Gauges and counters are read when
 * the SDK collects. {@code wait_time} and {@code use_time} are histograms that hear each call, on the thread that makes
 * it, and cost what the SDK's histograms cost; {@link #withoutHistograms()} leaves them out. {@code create_time} is
 * filled when the SDK collects: count and sum are exact, buckets as good as flexpool's (9 %). Not shown this way:
 * {@code flexpool.attempt_time} and the sampled distributions.
 *
 * <p>When the pool is closed its gauges and counters end. What the SDK has recorded in histograms stays: the API knows
 * no way to remove it, and a new pool of that name goes on counting there.
 *
 * <p>Immutable and thread-safe; one instance may serve many pools. Two pools of one name are shown as {@code name} and
 * {@code name#2}, which the log says once.
 */
public final class OpenTelemetryMetrics implements MetricsBinder {
    private static final Logger LOG = LoggerFactory.getLogger("io.flexpool.metrics");

    private final Supplier<OpenTelemetry> openTelemetry;
    private final boolean histograms;
    private final @Nullable SpanThreshold spans;

    private OpenTelemetryMetrics(
            Supplier<OpenTelemetry> openTelemetry, boolean histograms, @Nullable SpanThreshold spans) {
        this.openTelemetry = openTelemetry;
        this.histograms = histograms;
        this.spans = spans;
    }

    /**
     * Shows pools in the application's own OpenTelemetry.
     *
     * @param openTelemetry where meters are made
     * @return a binder for any number of pools
     */
    public static OpenTelemetryMetrics into(OpenTelemetry openTelemetry) {
        Objects.requireNonNull(openTelemetry, "openTelemetry");
        return new OpenTelemetryMetrics(() -> openTelemetry, true, null);
    }

    /**
     * Shows pools in {@link GlobalOpenTelemetry}, as it is when the pool is built. Asking for it fixes it: an SDK must be
     * registered before. If there is none the log says so, and nothing is shown.
     *
     * @return a binder for any number of pools
     */
    public static OpenTelemetryMetrics global() {
        return new OpenTelemetryMetrics(GlobalOpenTelemetry::get, true, null);
    }

    /**
     * Hears no call: without {@code wait_time}, {@code use_time} and {@code create_time}, and at no cost per connection.
     *
     * @return the same binder without histograms
     */
    public OpenTelemetryMetrics withoutHistograms() {
        return new OpenTelemetryMetrics(openTelemetry, false, spans);
    }

    /**
     * Also makes spans of long waits, as {@link OpenTelemetryTracing} does.
     *
     * @param threshold how long a request has to take for a span, zero to one day
     * @return the same binder with spans
     * @throws IllegalArgumentException if the threshold is out of range
     */
    public OpenTelemetryMetrics spansAbove(Duration threshold) {
        return new OpenTelemetryMetrics(openTelemetry, histograms, SpanThreshold.of(threshold));
    }

    /**
     * Begins to show a pool. Thread-safe.
     *
     * @param pool what to read
     * @return ends it; may be called again without effect
     */
    @Override
    public Binding bind(PoolView pool) {
        OpenTelemetry bound = openTelemetry.get();
        MeterProvider meters = bound.getMeterProvider();
        if (meters == MeterProvider.noop()) {
            LOG.warn(
                    "pool {}: no OpenTelemetry SDK was registered before the pool was built, its metrics are not shown",
                    pool.name());
        }
        ShownNames names = ShownNames.of(meters);
        String shownAs = names.take(pool.name());
        try {
            AcquireSpans tracing = spans == null ? null : spans.spans(bound, shownAs);
            PushedPool pushed = new PushedPool(pool, shownAs, meters.get(Conventions.SCOPE), histograms, tracing);
            return pushed.binding(() -> names.free(shownAs));
        } catch (RuntimeException | Error e) {
            names.free(shownAs);
            throw e;
        }
    }
}
