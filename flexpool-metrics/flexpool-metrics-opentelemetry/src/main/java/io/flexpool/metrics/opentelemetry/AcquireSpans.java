// SPDX-License-Identifier: Apache-2.0
package io.flexpool.metrics.opentelemetry;

import io.flexpool.diagnostics.OpenLease;
import io.flexpool.monitoring.LeaseObserver;
import io.flexpool.monitoring.PoolView;
import io.flexpool.pool.AcquisitionOutcome;
import io.flexpool.pool.PoolSnapshot;
import io.flexpool.pool.PoolState;
import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.api.common.Attributes;
import io.opentelemetry.api.common.AttributesBuilder;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanBuilder;
import io.opentelemetry.api.trace.SpanContext;
import io.opentelemetry.api.trace.StatusCode;
import io.opentelemetry.api.trace.Tracer;
import java.time.Clock;
import java.time.Instant;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * A span of each request that took at least a threshold, created when the request has ended, with links to the spans
 * in which the connections were leased meanwhile. A request served at once costs one subtraction and four writes.
 * Thread-safe.
 */
final class AcquireSpans implements LeaseObserver {
    /** Some backends show few links. */
    private static final int LINKS = 8;

    private static final AttributeKey<String> CAUSE = AttributeKey.stringKey("flexpool.cause");
    private static final AttributeKey<Long> LEASED = AttributeKey.longKey("flexpool.leased");
    private static final AttributeKey<Long> LIMIT = AttributeKey.longKey("flexpool.limit");
    private static final AttributeKey<Long> PENDING = AttributeKey.longKey("flexpool.pending");
    private static final AttributeKey<Double> HELD = AttributeKey.doubleKey("flexpool.held_seconds");
    private static final AttributeKey<String> CALL_SITE = AttributeKey.stringKey("flexpool.call_site");

    private final Tracer tracer;
    private final PoolView pool;
    private final long thresholdNanos;
    private final Clock clock;
    private final Holders<SpanContext> holders = new Holders<>();
    private final Map<AcquisitionOutcome, Attributes> attributes = new EnumMap<>(AcquisitionOutcome.class);

    AcquireSpans(Tracer tracer, PoolView pool, String shownAs, long thresholdNanos, Clock clock) {
        this.tracer = tracer;
        this.pool = pool;
        this.thresholdNanos = thresholdNanos;
        this.clock = clock;
        for (AcquisitionOutcome outcome : AcquisitionOutcome.values()) {
            AttributesBuilder builder = Attributes.builder().put(Conventions.POOL_NAME, shownAs);
            Conventions.putOutcome(builder, outcome);
            attributes.put(outcome, builder.build());
        }
    }

    @Override
    public void acquired(long requestedNanos, long endedNanos, AcquisitionOutcome outcome) {
        if (endedNanos - requestedNanos >= thresholdNanos) {
            record(requestedNanos, endedNanos, outcome);
        }
        if (outcome == AcquisitionOutcome.OK) {
            SpanContext span = Span.current().getSpanContext();
            // What is not sampled is not exported: a link would lead nowhere.
            holders.acquired(endedNanos, span.isValid() && span.isSampled() ? span : null);
        }
    }

    @Override
    public void released(long acquiredNanos, long releasedNanos) {
        holders.released(acquiredNanos, releasedNanos);
    }

    /** The ticker's origin is arbitrary: the request ended just now and began that long before. */
    private void record(long requestedNanos, long endedNanos, AcquisitionOutcome outcome) {
        Instant now = clock.instant();
        long end = TimeUnit.SECONDS.toNanos(now.getEpochSecond()) + now.getNano();
        // Its parent is the calling thread's span.
        SpanBuilder builder = tracer.spanBuilder("connection.acquire")
                .setStartTimestamp(end - (endedNanos - requestedNanos), TimeUnit.NANOSECONDS)
                .setAllAttributes(attributes.getOrDefault(outcome, Attributes.empty()));
        addFigures(builder);
        List<OpenLease> open = pool.openLeases();
        for (Holders.Holder<SpanContext> each : holders.during(requestedNanos, endedNanos, open, LINKS)) {
            AttributesBuilder link = Attributes.builder().put(HELD, Conventions.seconds(each.heldNanos()));
            if (each.callSite() != null) {
                link.put(CALL_SITE, each.callSite());
            }
            builder.addLink(each.span(), link.build());
        }
        Span span = builder.startSpan();
        if (outcome != AcquisitionOutcome.OK) {
            span.setStatus(StatusCode.ERROR, outcome.label());
        }
        span.end(end, TimeUnit.NANOSECONDS);
    }

    private void addFigures(SpanBuilder span) {
        PoolState state = pool.state();
        int max = state.bound() ? state.limit() : state.pool().max();
        span.setAttribute(LEASED, leased(state));
        span.setAttribute(PENDING, (long) state.pending());
        if (max != PoolSnapshot.UNKNOWN) {
            span.setAttribute(LIMIT, (long) max);
        }
        span.setAttribute(CAUSE, cause(state, max));
    }

    /** A pool hands a connection over before flexpool has counted its return: both leases are counted for a moment. */
    private static long leased(PoolState state) {
        int max = state.pool().max();
        return max > 0 ? Math.min(state.leased(), max) : state.leased();
    }

    /** Why the request took long, as far as the figures at its end show it: one that succeeded is leased already. */
    private String cause(PoolState state, int max) {
        if (pool.diagnosis().connectFailuresInARow() > 0) {
            return "connect failures";
        }
        int used = state.leased() + state.foreign();
        // Between two leases a connection is in neither of them; the next request is already served or waits.
        boolean handedOver = state.leased() > 0
                && state.pool().total() >= max
                && state.pending() > 0
                && used + state.entering() >= max;
        return max > 0 && (used >= max || handedOver) ? "exhausted" : "unknown";
    }
}
