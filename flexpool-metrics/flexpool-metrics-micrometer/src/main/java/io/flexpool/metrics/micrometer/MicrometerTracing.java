// SPDX-License-Identifier: Apache-2.0
package io.flexpool.metrics.micrometer;

import io.flexpool.monitoring.LeaseObserver;
import io.flexpool.monitoring.MetricsBinder;
import io.flexpool.monitoring.PoolView;
import io.micrometer.tracing.Tracer;
import java.time.Clock;
import java.time.Duration;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Shows a request that waited for its connection as a span {@code connection.acquire} in the current trace, and adds
 * the trace id to the report of a failed request. Needs {@code io.micrometer:micrometer-tracing}.
 *
 * <pre>{@code
 * FlexPool.wrap(hikari).name("orders").metrics(MicrometerTracing.with(tracer, Duration.ofMillis(20))).build();
 * }</pre>
 *
 * <p>The span is a child of the span that is current when the request ends; outside of a trace there is none. Its tags
 * are {@code db.client.connection.pool.name}, {@code outcome}, {@code flexpool.cause} ({@code exhausted}, {@code connect
 * failures} or {@code unknown}), and the figures when the request ended: {@code flexpool.leased}, {@code
 * flexpool.pending} and {@code flexpool.limit}. It links to the spans in which connections were leased that others held
 * meanwhile: at most 8, the longest overlap first, with {@code flexpool.held_seconds} and, if it was captured, {@code
 * flexpool.call_site}. A holder without a sampled trace is not linked.
 *
 * <p>The span is created afterwards with a start in the past; an {@code ObservationRegistry} alone cannot do this: an
 * observation starts when it is started. A request that is served at once costs four writes and a read of the current
 * trace context, for which the bridges of Brave and OpenTelemetry allocate an object.
 *
 * <p>Immutable and thread-safe; one instance may serve many pools.
 */
public final class MicrometerTracing implements MetricsBinder {
    private static final Duration LONGEST = Duration.ofDays(1);

    private final Tracer tracer;
    private final Duration threshold;
    private final Clock clock;

    private MicrometerTracing(Tracer tracer, Duration threshold, Clock clock) {
        this.tracer = tracer;
        this.threshold = threshold;
        this.clock = clock;
    }

    /**
     * Traces pools.
     *
     * @param tracer the application's tracer
     * @param threshold the shortest wait shown, zero (every request) to one day
     * @return a binder for any number of pools
     * @throws IllegalArgumentException if the threshold is out of range
     */
    public static MicrometerTracing with(Tracer tracer, Duration threshold) {
        return with(tracer, threshold, Clock.systemUTC());
    }

    static MicrometerTracing with(Tracer tracer, Duration threshold, Clock clock) {
        Objects.requireNonNull(tracer, "tracer");
        if (threshold.isNegative() || threshold.compareTo(LONGEST) > 0) {
            throw new IllegalArgumentException(
                    "threshold = " + threshold + ": must be from " + Duration.ZERO + " to " + LONGEST);
        }
        return new MicrometerTracing(tracer, threshold, clock);
    }

    /**
     * Starts to trace a pool.
     *
     * @param pool the pool to trace
     * @return ends it
     */
    @Override
    public Binding bind(PoolView pool) {
        WaitSpans spans = new WaitSpans(tracer, pool, threshold.toNanos(), clock);
        return new Binding() {
            @Override
            public LeaseObserver observer() {
                return spans;
            }

            @Override
            public @Nullable String traceId() {
                return WaitSpans.traceId(tracer);
            }

            @Override
            public void unbind() {
                spans.end();
            }
        };
    }
}
