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
 * Shows pools through OpenTelemetry's API, with any SDK: of the Java agent, a framework or the application.
 * Applications that build the SDK themselves should use {@link PoolMetricProducer} instead, which costs nothing per
 * connection and shows more.
 *
 * <pre>{@code
 * FlexPool.wrap(hikari).name("orders").metrics(OpenTelemetryMetrics.into(openTelemetry)).build();
 * }</pre>
 *
 * <p>Names, units, instruments and attributes are those of {@link PoolMetricProducer}. Gauges and counters are read
 * when the SDK collects. {@code wait_time} and {@code use_time} are histograms that record each call, on the calling
 * thread, at the cost of the SDK's histograms; {@link #withoutHistograms()} omits them. {@code create_time} is filled
 * when the SDK collects: count and sum are exact, buckets as precise as flexpool's (9 %). Not available this way:
 * {@code flexpool.attempt_time} and the sampled distributions.
 *
 * <p>OpenTelemetry's Java agent may export the pool too. flexpool then exports what the agent lacks, and its own waits,
 * pending requests and timeouts as {@code flexpool.wait_time}, {@code flexpool.pending_requests} and {@code
 * flexpool.timeouts}: they include the time before the request reaches the pool. {@link #repeatingAgent()} exports
 * everything.
 *
 * <p>When the pool is closed its gauges and counters end. Recorded histograms stay: the API cannot remove them, and a
 * new pool of that name continues them.
 *
 * <p>Immutable and thread-safe; one instance may serve many pools. Two pools of one name are shown as {@code name} and
 * {@code name#2}, which is logged once.
 */
public final class OpenTelemetryMetrics implements MetricsBinder {
    private static final Logger LOG = LoggerFactory.getLogger("io.flexpool.metrics");

    private final Supplier<OpenTelemetry> openTelemetry;
    private final Choice choice;

    private OpenTelemetryMetrics(Supplier<OpenTelemetry> openTelemetry, Choice choice) {
        this.openTelemetry = openTelemetry;
        this.choice = choice;
    }

    /** What is shown. */
    private record Choice(
            boolean histograms,
            boolean repeatsAgent,
            boolean maxBefore,
            @Nullable SpanThreshold spans) {
        static final Choice DEFAULT = new Choice(true, false, false, null);
    }

    /**
     * Shows pools in the application's OpenTelemetry.
     *
     * @param openTelemetry creates the meters
     * @return a binder for any number of pools
     */
    public static OpenTelemetryMetrics into(OpenTelemetry openTelemetry) {
        Objects.requireNonNull(openTelemetry, "openTelemetry");
        return new OpenTelemetryMetrics(() -> openTelemetry, Choice.DEFAULT);
    }

    /**
     * Shows pools in {@link GlobalOpenTelemetry} as it is when the pool is built. Reading it fixes it: an SDK must be
     * registered before. If there is none, this is logged and nothing is shown.
     *
     * @return a binder for any number of pools
     */
    public static OpenTelemetryMetrics global() {
        return new OpenTelemetryMetrics(GlobalOpenTelemetry::get, Choice.DEFAULT);
    }

    /**
     * Records no calls: without {@code wait_time}, {@code use_time} and {@code create_time}, and at no cost per
     * connection.
     *
     * @return the same binder without histograms
     */
    public OpenTelemetryMetrics withoutHistograms() {
        return with(new Choice(false, choice.repeatsAgent, choice.maxBefore, choice.spans));
    }

    /**
     * Also exports what OpenTelemetry's Java agent exports of the pool. By default flexpool leaves these metrics to
     * the agent, because two series of one name count each connection twice.
     *
     * @return the same binder with all metrics
     */
    public OpenTelemetryMetrics repeatingAgent() {
        return with(new Choice(choice.histograms, true, choice.maxBefore, choice.spans));
    }

    /**
     * Also exports {@code db.client.connection.max}, the name of {@code db.client.connection.limit} in the conventions
     * before 1.45. For dashboards that still read it; the next minor version of flexpool will not have it.
     *
     * @return the same binder with both names
     */
    public OpenTelemetryMetrics withConnectionMax() {
        return with(new Choice(choice.histograms, choice.repeatsAgent, true, choice.spans));
    }

    private OpenTelemetryMetrics with(Choice other) {
        return new OpenTelemetryMetrics(openTelemetry, other);
    }

    /**
     * Also creates spans of long waits, as {@link OpenTelemetryTracing} does.
     *
     * @param threshold the shortest request with a span, zero to one day
     * @return the same binder with spans
     * @throws IllegalArgumentException if the threshold is out of range
     */
    public OpenTelemetryMetrics spansAbove(Duration threshold) {
        return with(new Choice(choice.histograms, choice.repeatsAgent, choice.maxBefore, SpanThreshold.of(threshold)));
    }

    /**
     * Starts to show a pool. Thread-safe.
     *
     * @param pool the pool to read
     * @return ends it; further calls have no effect
     */
    @Override
    public Binding bind(PoolView pool) {
        OpenTelemetry bound = openTelemetry.get();
        MeterProvider meters = bound.getMeterProvider();
        if (meters == MeterProvider.noop()) {
            LOG.warn(
                    "{}: no metrics in OpenTelemetry: no SDK was registered when the pool was built. Register it before.",
                    pool.name());
        }
        ShownNames names = ShownNames.of(meters);
        String shownAs = names.take(pool.name());
        try {
            AcquireSpans tracing = choice.spans == null ? null : choice.spans.spans(bound, pool, shownAs);
            PushedPool pushed = new PushedPool(
                    pool,
                    shownAs,
                    meters.get(Conventions.SCOPE),
                    agentSeries(bound, pool),
                    choice.histograms,
                    choice.maxBefore,
                    tracing);
            return pushed.binding(() -> names.free(shownAs));
        } catch (RuntimeException | Error e) {
            names.free(shownAs);
            throw e;
        }
    }

    private AgentSeries agentSeries(OpenTelemetry bound, PoolView pool) {
        AgentSeries agent = choice.repeatsAgent ? AgentSeries.NONE : AgentSeries.of(bound, pool.type());
        if (!agent.isEmpty()) {
            LOG.info(
                    "{}: OpenTelemetry's Java agent exports these metrics of the pool, so flexpool does not: {}."
                            + " To export them twice, set flexpool.metrics.opentelemetry.repeat-agent = true",
                    pool.name(),
                    agent.names());
        }
        return agent;
    }
}
