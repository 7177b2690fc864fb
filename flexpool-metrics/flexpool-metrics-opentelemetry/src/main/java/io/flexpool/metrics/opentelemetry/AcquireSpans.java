// SPDX-License-Identifier: Apache-2.0
package io.flexpool.metrics.opentelemetry;

import io.flexpool.monitoring.LeaseObserver;
import io.flexpool.pool.AcquisitionOutcome;
import io.opentelemetry.api.common.Attributes;
import io.opentelemetry.api.common.AttributesBuilder;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.StatusCode;
import io.opentelemetry.api.trace.Tracer;
import java.time.Clock;
import java.time.Instant;
import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * A span of each request that took longer than a threshold, created when the request has ended: a request served at
 * once costs one subtraction. Thread-safe.
 */
final class AcquireSpans implements LeaseObserver {
    private final Tracer tracer;
    private final long thresholdNanos;
    private final Clock clock;
    private final Map<AcquisitionOutcome, Attributes> attributes = new EnumMap<>(AcquisitionOutcome.class);

    AcquireSpans(Tracer tracer, String pool, long thresholdNanos, Clock clock) {
        this.tracer = tracer;
        this.thresholdNanos = thresholdNanos;
        this.clock = clock;
        for (AcquisitionOutcome outcome : AcquisitionOutcome.values()) {
            AttributesBuilder builder = Attributes.builder().put(Conventions.POOL_NAME, pool);
            Conventions.putOutcome(builder, outcome);
            attributes.put(outcome, builder.build());
        }
    }

    @Override
    public void acquired(long requestedNanos, long endedNanos, AcquisitionOutcome outcome) {
        long waitedNanos = endedNanos - requestedNanos;
        if (waitedNanos > thresholdNanos) {
            record(waitedNanos, outcome);
        }
    }

    /** The ticker's origin is arbitrary: the request ended just now and began that long before. */
    private void record(long waitedNanos, AcquisitionOutcome outcome) {
        Instant now = clock.instant();
        long end = TimeUnit.SECONDS.toNanos(now.getEpochSecond()) + now.getNano();
        // Its parent is the calling thread's span.
        Span span = tracer.spanBuilder("connection.acquire")
                .setStartTimestamp(end - waitedNanos, TimeUnit.NANOSECONDS)
                .setAllAttributes(attributes.getOrDefault(outcome, Attributes.empty()))
                .startSpan();
        if (outcome != AcquisitionOutcome.OK) {
            span.setStatus(StatusCode.ERROR, outcome.label());
        }
        span.end(end, TimeUnit.NANOSECONDS);
    }

    @Override
    public void released(long acquiredNanos, long releasedNanos) {
        // A lease is the application's own time.
    }
}
