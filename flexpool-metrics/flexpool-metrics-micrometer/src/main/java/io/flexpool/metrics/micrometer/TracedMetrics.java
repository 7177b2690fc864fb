// SPDX-License-Identifier: Apache-2.0
package io.flexpool.metrics.micrometer;

import io.flexpool.event.PoolListener;
import io.flexpool.monitoring.LeaseObserver;
import io.flexpool.monitoring.MetricsBinder;
import io.flexpool.monitoring.PoolView;
import io.flexpool.pool.AcquisitionOutcome;
import io.flexpool.pool.RefusedValueException;
import io.micrometer.tracing.Tracer;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** Meters, the trace id of a failed request and, if wanted, spans of long waits. Immutable and thread-safe. */
final class TracedMetrics implements MetricsBinder {
    private final MicrometerMetrics metrics;
    private final Tracer tracer;
    private final @Nullable MicrometerTracing tracing;

    private TracedMetrics(MicrometerMetrics metrics, Tracer tracer, @Nullable MicrometerTracing tracing) {
        this.metrics = metrics;
        this.tracer = tracer;
        this.tracing = tracing;
    }

    /**
     * @param tracer Micrometer's {@code Tracer}; an Object, because the caller must load without Micrometer Tracing
     * @param above the shortest wait with a span; null for no spans
     */
    static MetricsBinder of(MicrometerMetrics metrics, Object tracer, @Nullable Duration above) {
        Tracer used = (Tracer) tracer;
        if (above == null) {
            return new TracedMetrics(metrics, used, null);
        }
        try {
            return new TracedMetrics(metrics, used, MicrometerTracing.with(used, above));
        } catch (IllegalArgumentException e) {
            throw new RefusedValueException("spans-above", above, "must be from PT0S to PT24H");
        }
    }

    @Override
    public Binding bind(PoolView pool) {
        Binding meters = metrics.bind(pool);
        Binding spans = tracing == null ? null : tracing.bind(pool);
        LeaseObserver observer = spans == null ? meters.observer() : both(meters.observer(), spans.observer());
        return new Binding() {
            @Override
            public LeaseObserver observer() {
                return observer;
            }

            @Override
            public @Nullable PoolListener listener() {
                return meters.listener();
            }

            @Override
            public @Nullable String traceId() {
                return WaitSpans.traceId(tracer);
            }

            @Override
            public void unbind() {
                if (spans != null) {
                    spans.unbind();
                }
                meters.unbind();
            }
        };
    }

    private static LeaseObserver both(LeaseObserver meters, LeaseObserver spans) {
        if (meters == LeaseObserver.NONE) {
            return spans;
        }
        return new LeaseObserver() {
            @Override
            public void acquired(long requestedNanos, long endedNanos, AcquisitionOutcome outcome) {
                meters.acquired(requestedNanos, endedNanos, outcome);
                spans.acquired(requestedNanos, endedNanos, outcome);
            }

            @Override
            public void released(long acquiredNanos, long releasedNanos) {
                meters.released(acquiredNanos, releasedNanos);
                spans.released(acquiredNanos, releasedNanos);
            }
        };
    }
}
