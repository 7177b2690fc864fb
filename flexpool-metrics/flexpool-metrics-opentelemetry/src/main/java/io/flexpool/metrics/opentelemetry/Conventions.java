// SPDX-License-Identifier: Apache-2.0
package io.flexpool.metrics.opentelemetry;

import io.flexpool.monitoring.PoolMetric;
import io.flexpool.monitoring.PoolMetric.Unit;
import io.flexpool.pool.AcquisitionOutcome;
import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.api.common.Attributes;
import io.opentelemetry.api.common.AttributesBuilder;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanContext;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * How OpenTelemetry's semantic conventions for database clients (1.27 to 1.43, part "Connection pools") want a figure:
 * instrument, description, attributes. Names and units stand in {@link PoolMetric}.
 */
final class Conventions {
    /** The name of meter and tracer. */
    static final String SCOPE = "io.flexpool";

    static final AttributeKey<String> POOL_NAME = AttributeKey.stringKey("db.client.connection.pool.name");
    static final AttributeKey<String> STATE = AttributeKey.stringKey("db.client.connection.state");
    /** How the conventions tell failed operations from others: a successful one has no such attribute. */
    static final AttributeKey<String> ERROR_TYPE = AttributeKey.stringKey("error.type");

    static final AttributeKey<String> OUTCOME = AttributeKey.stringKey("flexpool.outcome");

    /**
     * What the conventions advise for the duration of database operations, seconds; for connection pools they advise
     * nothing.
     */
    static final List<Double> ADVISED_BUCKETS = List.of(0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1.0, 5.0, 10.0);

    /** An instrument. */
    enum Form {
        UP_DOWN_COUNTER,
        COUNTER,
        GAUGE,
        HISTOGRAM
    }

    private Conventions() {}

    static Form form(PoolMetric metric) {
        return switch (metric.kind()) {
            case TIMER, DISTRIBUTION -> Form.HISTOGRAM;
            case COUNTER -> Form.COUNTER;
            // What may be summed over pools is an up-down counter.
            case GAUGE -> isFraction(metric) ? Form.GAUGE : Form.UP_DOWN_COUNTER;
        };
    }

    /** Whether a gauge is more than a whole number: a mean, or seconds. */
    private static boolean isFraction(PoolMetric metric) {
        return metric == PoolMetric.ACTIVE_MEAN || metric.unit() == Unit.NANOSECONDS;
    }

    /** A value in the unit that is shown: seconds for nanoseconds. */
    static double shown(PoolMetric metric, double value) {
        return metric.unit() == Unit.NANOSECONDS ? seconds(value) : value;
    }

    static double seconds(long nanos) {
        return seconds((double) nanos);
    }

    static double seconds(double nanos) {
        return nanos / 1e9;
    }

    /** Two figures of one name are told apart by an attribute, so they have one description. */
    static String description(PoolMetric metric) {
        return switch (metric) {
            case ACTIVE, IDLE -> "Connections in the state that the attribute says.";
            default -> metric.meaning();
        };
    }

    static Attributes attributes(String pool, PoolMetric metric, AcquisitionOutcome outcome) {
        AttributesBuilder attributes = Attributes.builder().put(POOL_NAME, pool);
        switch (metric) {
            case ACTIVE -> attributes.put(STATE, "used");
            case IDLE -> attributes.put(STATE, "idle");
            case ACQUISITION -> putOutcome(attributes, outcome);
            default -> {
                // The pool's name says it all.
            }
        }
        return attributes.build();
    }

    static void putOutcome(AttributesBuilder attributes, AcquisitionOutcome outcome) {
        attributes.put(OUTCOME, outcome.label());
        if (outcome != AcquisitionOutcome.OK) {
            attributes.put(ERROR_TYPE, outcome.label());
        }
    }

    /** The outcomes by which a figure is told apart; of all but acquisitions one that is not looked at. */
    static List<AcquisitionOutcome> outcomes(PoolMetric metric) {
        return metric == PoolMetric.ACQUISITION ? List.of(AcquisitionOutcome.values()) : List.of(AcquisitionOutcome.OK);
    }

    /** The trace that the calling thread is in. */
    static @Nullable String traceId() {
        SpanContext current = Span.current().getSpanContext();
        return current.isValid() ? current.getTraceId() : null;
    }
}
