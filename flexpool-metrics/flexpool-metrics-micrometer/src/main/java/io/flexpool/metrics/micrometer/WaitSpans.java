// SPDX-License-Identifier: Apache-2.0
package io.flexpool.metrics.micrometer;

import io.flexpool.diagnostics.OpenLease;
import io.flexpool.monitoring.LeaseObserver;
import io.flexpool.monitoring.PoolView;
import io.flexpool.pool.AcquisitionOutcome;
import io.flexpool.pool.PoolSnapshot;
import io.flexpool.pool.PoolState;
import io.micrometer.tracing.Link;
import io.micrometer.tracing.Span;
import io.micrometer.tracing.TraceContext;
import io.micrometer.tracing.Tracer;
import java.time.Clock;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A span of each request that took at least a threshold, created when the request has ended, with links to the spans in
 * which the connections were leased meanwhile. Thread-safe.
 */
final class WaitSpans implements LeaseObserver {
    /** Some backends show few links. */
    private static final int LINKS = 8;

    private static final double NANOS_PER_SECOND = TimeUnit.SECONDS.toNanos(1);

    private final Tracer tracer;
    private final PoolView pool;
    private final long thresholdNanos;
    private final Clock clock;
    private final Holders<TraceContext> holders = new Holders<>();
    private volatile boolean ended;

    WaitSpans(Tracer tracer, PoolView pool, long thresholdNanos, Clock clock) {
        this.tracer = tracer;
        this.pool = pool;
        this.thresholdNanos = thresholdNanos;
        this.clock = clock;
    }

    @Override
    public void acquired(long requestedNanos, long endedNanos, AcquisitionOutcome outcome) {
        if (ended) {
            return;
        }
        if (endedNanos - requestedNanos >= thresholdNanos) {
            record(requestedNanos, endedNanos, outcome);
        }
        if (outcome == AcquisitionOutcome.OK) {
            TraceContext context = tracer.currentTraceContext().context();
            // What is not sampled is not exported: a link would lead nowhere.
            boolean linked = context != null && !Boolean.FALSE.equals(context.sampled());
            holders.acquired(endedNanos, linked ? context : null);
        }
    }

    @Override
    public void released(long acquiredNanos, long releasedNanos) {
        holders.released(acquiredNanos, releasedNanos);
    }

    void end() {
        ended = true;
    }

    /** The ticker's origin is arbitrary: the request ended just now and began that long before. */
    private void record(long requestedNanos, long endedNanos, AcquisitionOutcome outcome) {
        Span current = tracer.currentSpan();
        if (current == null || current.isNoop()) {
            return;
        }
        long end = micros(clock.instant());
        Span.Builder span = tracer.spanBuilder()
                .name("connection.acquire")
                .setParent(current.context())
                .tag("db.client.connection.pool.name", pool.name())
                .tag("outcome", outcome.label())
                .startTimestamp(
                        end - TimeUnit.NANOSECONDS.toMicros(endedNanos - requestedNanos), TimeUnit.MICROSECONDS);
        addFigures(span);
        List<OpenLease> open = pool.openLeases();
        for (Holders.Holder<TraceContext> each : holders.during(requestedNanos, endedNanos, open, LINKS)) {
            Map<String, Object> tags = new HashMap<>();
            tags.put("flexpool.held_seconds", each.heldNanos() / NANOS_PER_SECOND);
            if (each.callSite() != null) {
                tags.put("flexpool.call_site", each.callSite());
            }
            span.addLink(new Link(each.span(), tags));
        }
        span.start().end(end, TimeUnit.MICROSECONDS);
    }

    private static long micros(Instant instant) {
        return TimeUnit.SECONDS.toMicros(instant.getEpochSecond()) + TimeUnit.NANOSECONDS.toMicros(instant.getNano());
    }

    private void addFigures(Span.Builder span) {
        PoolState state = pool.state();
        int max = state.bound() ? state.limit() : state.pool().max();
        span.tag("flexpool.leased", leased(state));
        span.tag("flexpool.pending", state.pending());
        if (max != PoolSnapshot.UNKNOWN) {
            span.tag("flexpool.limit", max);
        }
        span.tag("flexpool.cause", cause(state, max));
    }

    /** A pool hands a connection over before flexpool has counted its return: both leases are counted for a moment. */
    private static int leased(PoolState state) {
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

    /** The trace of the calling thread; null outside of one. */
    static @Nullable String traceId(Tracer tracer) {
        Span current = tracer.currentSpan();
        if (current == null) {
            return null;
        }
        String trace = current.context().traceId();
        return trace == null || trace.isEmpty() ? null : trace;
    }
}
