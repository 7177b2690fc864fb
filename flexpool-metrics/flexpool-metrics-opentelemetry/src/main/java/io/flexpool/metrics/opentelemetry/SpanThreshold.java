// SPDX-License-Identifier: Apache-2.0
package io.flexpool.metrics.opentelemetry;

import io.flexpool.monitoring.PoolView;
import io.flexpool.pool.RefusedValueException;
import io.opentelemetry.api.OpenTelemetry;
import java.time.Clock;
import java.time.Duration;

/** The shortest request with a span. Immutable. */
record SpanThreshold(long nanos) {
    private static final Duration LONGEST = Duration.ofDays(1);

    static SpanThreshold of(Duration threshold) {
        if (threshold.isNegative() || threshold.compareTo(LONGEST) > 0) {
            throw new RefusedValueException(
                    "spans-above", threshold, "must be from " + Duration.ZERO + " to " + LONGEST);
        }
        return new SpanThreshold(threshold.toNanos());
    }

    AcquireSpans spans(OpenTelemetry openTelemetry, PoolView pool, String shownAs) {
        return new AcquireSpans(openTelemetry.getTracer(Conventions.SCOPE), pool, shownAs, nanos, Clock.systemUTC());
    }
}
