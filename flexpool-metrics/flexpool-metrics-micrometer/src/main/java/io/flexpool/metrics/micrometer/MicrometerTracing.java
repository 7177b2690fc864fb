// SPDX-License-Identifier: Apache-2.0
package io.flexpool.metrics.micrometer;

import io.flexpool.monitoring.LeaseObserver;
import io.flexpool.monitoring.MetricsBinder;
import io.flexpool.monitoring.PoolView;
import io.flexpool.pool.AcquisitionOutcome;
import io.micrometer.tracing.Span;
import io.micrometer.tracing.Tracer;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Shows a request that waited for its connection as a span {@code connection.acquire} in the current trace, and adds
 * the trace id to the report of a failed request. Needs {@code io.micrometer:micrometer-tracing}.
 *
 * <pre>{@code
 * FlexPool.wrap(hikari).name("orders").metrics(MicrometerTracing.with(tracer, Duration.ofMillis(20))).build();
 * }</pre>
 *
 * <p>The span has the tags {@code db.client.connection.pool.name} and {@code outcome}, and is a child of the span that
 * is current when the request ends; outside of a trace there is none. It is created afterwards with a start in the
 * past, so a request that is served at once costs one comparison. An {@code ObservationRegistry} alone cannot do this:
 * an observation starts when it is started.
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
        return new Traced(tracer, threshold.toNanos(), clock, pool.name());
    }

    private static final class Traced implements Binding, LeaseObserver {
        private final Tracer tracer;
        private final long thresholdNanos;
        private final Clock clock;
        private final String pool;
        private volatile boolean unbound;

        Traced(Tracer tracer, long thresholdNanos, Clock clock, String pool) {
            this.tracer = tracer;
            this.thresholdNanos = thresholdNanos;
            this.clock = clock;
            this.pool = pool;
        }

        @Override
        public LeaseObserver observer() {
            return this;
        }

        @Override
        public void acquired(long requestedNanos, long endedNanos, AcquisitionOutcome outcome) {
            long waited = endedNanos - requestedNanos;
            if (waited >= thresholdNanos && !unbound) {
                show(waited, outcome);
            }
        }

        private void show(long waitedNanos, AcquisitionOutcome outcome) {
            Span current = tracer.currentSpan();
            if (current == null || current.isNoop()) {
                return;
            }
            long ended = micros(clock.instant());
            tracer.spanBuilder()
                    .name("connection.acquire")
                    .setParent(current.context())
                    .tag("db.client.connection.pool.name", pool)
                    .tag("outcome", outcome.label())
                    .startTimestamp(ended - TimeUnit.NANOSECONDS.toMicros(waitedNanos), TimeUnit.MICROSECONDS)
                    .start()
                    .end(ended, TimeUnit.MICROSECONDS);
        }

        private static long micros(Instant instant) {
            return TimeUnit.SECONDS.toMicros(instant.getEpochSecond())
                    + TimeUnit.NANOSECONDS.toMicros(instant.getNano());
        }

        @Override
        public void released(long acquiredNanos, long releasedNanos) {
            // A lease is not a wait.
        }

        @Override
        public @Nullable String traceId() {
            Span current = tracer.currentSpan();
            if (current == null) {
                return null;
            }
            String trace = current.context().traceId();
            return trace == null || trace.isEmpty() ? null : trace;
        }

        @Override
        public void unbind() {
            unbound = true;
        }
    }
}
