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
 * Makes a span {@code connection.acquire} of each request that took longer than a threshold, as a child of the calling
 * thread's span, with the attributes {@code db.client.connection.pool.name}, {@code flexpool.outcome} and, if it failed,
 * {@code error.type} and the status ERROR. Beside any metrics backend; {@link OpenTelemetryMetrics#spansAbove} does the
 * same for those who use that one.
 *
 * <pre>{@code
 * FlexPool.wrap(hikari).name("orders").metrics(OpenTelemetryTracing.above(openTelemetry, Duration.ofMillis(50))).build();
 * }</pre>
 *
 * <p>Reports and events of failed requests carry the calling thread's trace id, as with all of this module's binders.
 * Needs the API only. A span is made when the request has ended, so spans that the pool or the driver makes meanwhile are
 * no children of it. A request that is served at once pays a subtraction.
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
     * Spans of long waits.
     *
     * @param openTelemetry where the tracer is made
     * @param threshold how long a request has to take for a span, zero to one day
     * @return a binder for any number of pools
     * @throws IllegalArgumentException if the threshold is out of range
     */
    public static OpenTelemetryTracing above(OpenTelemetry openTelemetry, Duration threshold) {
        return new OpenTelemetryTracing(
                Objects.requireNonNull(openTelemetry, "openTelemetry"), SpanThreshold.of(threshold));
    }

    /**
     * Begins to hear a pool.
     *
     * @param pool which
     * @return leaves nothing behind
     */
    @Override
    public Binding bind(PoolView pool) {
        AcquireSpans spans = threshold.spans(openTelemetry, pool.name());
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
