// SPDX-License-Identifier: Apache-2.0
package io.flexpool.metrics.opentelemetry;

import io.flexpool.monitoring.PartView.PartMetric;
import io.flexpool.monitoring.PoolMetric;
import io.flexpool.monitoring.PoolMetric.Unit;
import io.flexpool.monitoring.RequestClass;
import io.flexpool.pool.AcquisitionOutcome;
import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.api.common.Attributes;
import io.opentelemetry.api.common.AttributesBuilder;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanContext;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The form of a figure by OpenTelemetry's semantic conventions for database clients (1.45, part "Connection pools"): instrument, description, attributes. Names and units are in {@link PoolMetric}.
 */
final class Conventions {
    /** The name of the meter and the tracer. */
    static final String SCOPE = "io.flexpool";

    /** The name of {@link PoolMetric#MAX} in the conventions 1.27 to 1.44. */
    static final String MAX_BEFORE = "db.client.connection.max";

    static final AttributeKey<String> POOL_NAME = AttributeKey.stringKey("db.client.connection.pool.name");
    static final AttributeKey<String> STATE = AttributeKey.stringKey("db.client.connection.state");
    /** The attribute that marks failed operations in the conventions: a successful one does not have it. */
    static final AttributeKey<String> ERROR_TYPE = AttributeKey.stringKey("error.type");

    static final AttributeKey<String> OUTCOME = AttributeKey.stringKey("flexpool.outcome");

    static final AttributeKey<String> CLASS = AttributeKey.stringKey("flexpool.class");

    /**
     * The conventions' advice for the duration of database operations, seconds; for connection pools there is none.
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
            // A gauge that may be summed over pools is an up-down counter.
            case GAUGE -> isFraction(metric) || isPeak(metric) ? Form.GAUGE : Form.UP_DOWN_COUNTER;
        };
    }

    static Form form(PartMetric metric) {
        if (metric.kind() == PoolMetric.Kind.COUNTER) {
            return Form.COUNTER;
        }
        boolean whole = metric.unit().startsWith("{");
        return whole && metric.additive() ? Form.UP_DOWN_COUNTER : Form.GAUGE;
    }

    /** Whether a gauge is a maximum over time: the maxima of two pools may be from different moments. */
    private static boolean isPeak(PoolMetric metric) {
        return metric == PoolMetric.ACTIVE_PEAK || metric == PoolMetric.PENDING_PEAK;
    }

    /** Whether a gauge has fractions: a mean, a ratio, or seconds. */
    private static boolean isFraction(PoolMetric metric) {
        return metric == PoolMetric.ACTIVE_MEAN || metric.unit() == Unit.RATIO || metric.unit() == Unit.NANOSECONDS;
    }

    /** A value in the unit shown: seconds for nanoseconds. */
    static double shown(PoolMetric metric, double value) {
        return metric.unit() == Unit.NANOSECONDS ? seconds(value) : value;
    }

    static double seconds(long nanos) {
        return seconds((double) nanos);
    }

    static double seconds(double nanos) {
        return nanos / 1e9;
    }

    /** Two figures of one name are distinguished by an attribute, so they share a description. */
    static String description(PoolMetric metric) {
        return switch (metric) {
            case ACTIVE, IDLE -> "Connections by state.";
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
                // The pool's name is enough.
            }
        }
        return attributes.build();
    }

    /** The attributes of a part's metric. */
    static Attributes attributes(String pool) {
        return Attributes.of(POOL_NAME, pool);
    }

    /** The attributes of a class's metric. */
    static Attributes attributes(String pool, RequestClass figures) {
        return Attributes.of(POOL_NAME, pool, CLASS, figures.name());
    }

    static void putOutcome(AttributesBuilder attributes, AcquisitionOutcome outcome) {
        attributes.put(OUTCOME, outcome.label());
        if (outcome != AcquisitionOutcome.OK) {
            attributes.put(ERROR_TYPE, outcome.label());
        }
    }

    /** The outcomes of a figure: all for acquisitions, otherwise one that is ignored. */
    static List<AcquisitionOutcome> outcomes(PoolMetric metric) {
        return metric == PoolMetric.ACQUISITION ? List.of(AcquisitionOutcome.values()) : List.of(AcquisitionOutcome.OK);
    }

    /** The trace of the calling thread. */
    static @Nullable String traceId() {
        SpanContext current = Span.current().getSpanContext();
        return current.isValid() ? current.getTraceId() : null;
    }
}
