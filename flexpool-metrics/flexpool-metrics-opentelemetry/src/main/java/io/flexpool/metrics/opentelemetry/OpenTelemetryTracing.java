// SPDX-License-Identifier: Apache-2.0
package io.flexpool.metrics.opentelemetry;

import io.flexpool.monitoring.LeaseObserver;
import io.flexpool.monitoring.MetricsBinder;
import io.flexpool.monitoring.PoolView;
import io.opentelemetry.api.OpenTelemetry;
import java.time.Duration;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Creates a span {@code connection.acquire} for each request that took at least a threshold, as a child of the
 * calling thread's span, with the attributes {@code db.client.connection.pool.name}, {@code flexpool.outcome} and, if
 * it failed, {@code error.type} and the status ERROR. {@code flexpool.cause} is {@code exhausted}, {@code connect
 * failures} or {@code unknown}; {@code flexpool.leased}, {@code flexpool.pending} and {@code flexpool.limit} are the
 * figures when the request ended. Works with any metrics backend; {@link OpenTelemetryMetrics#spansAbove} includes it.
 *
 * <p>The span links to the spans in which connections were leased that others held meanwhile: at most 8, the longest
 * overlap first, with {@code flexpool.held_seconds} and, if it was captured, {@code flexpool.call_site}. A holder without a
 * sampled span is not linked.
 *
 * <pre>{@code
 * FlexPool.wrap(hikari).name("orders").metrics(OpenTelemetryTracing.above(openTelemetry, Duration.ofMillis(50))).build();
 * }</pre>
 *
 * <p>Reports and events of failed requests carry the calling thread's trace id, as with all binders of this module.
 * Needs the API only. A span is created when the request has ended, so spans that the pool or the driver created
 * meanwhile are not its children. A request that is served at once costs a look at the current span and five writes.
 *
 * <p>Immutable and thread-safe; one instance may serve many pools.
 */
public final class OpenTelemetryTracing implements MetricsBinder {
    private final OpenTelemetry openTelemetry;
    private final SpanThreshold threshold;

    private OpenTelemetryTracing(OpenTelemetry openTelemetry, SpanThreshold threshold) {
        this.openTelemetry = openTelemetry;
        this.threshold = threshold;
    }

    /**
     * Creates spans of long waits.
     *
     * @param openTelemetry creates the tracer
     * @param threshold the shortest request with a span, zero to one day
     * @return a binder for any number of pools
     * @throws IllegalArgumentException if the threshold is out of range
     */
    public static OpenTelemetryTracing above(OpenTelemetry openTelemetry, Duration threshold) {
        return new OpenTelemetryTracing(
                Objects.requireNonNull(openTelemetry, "openTelemetry"), SpanThreshold.of(threshold));
    }

    /**
     * Starts to observe a pool.
     *
     * @param pool the pool to observe
     * @return nothing to remove
     */
    @Override
    public Binding bind(PoolView pool) {
        AcquireSpans spans = threshold.spans(openTelemetry, pool, pool.name());
        return new Binding() {
            @Override
            public LeaseObserver observer() {
                return spans;
            }

            @Override
            public @Nullable String traceId() {
                return Conventions.traceId();
            }

            @Override
            public void unbind() {
                // Nothing was registered.
            }
        };
    }
}
