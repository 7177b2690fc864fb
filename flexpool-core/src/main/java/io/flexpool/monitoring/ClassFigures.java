// SPDX-License-Identifier: Apache-2.0
package io.flexpool.monitoring;

import io.flexpool.pool.PoolClassState;
import java.util.Objects;

/**
 * The figures of one class of a pool's requests, as in {@link PoolView#classFigures()}, and the value of each metric
 * {@linkplain PoolMetric#ofClass() of classes} in them. Immutable. Made by flexpool alone; minor releases add methods.
 */
public interface ClassFigures {
    /** {@return what the class holds and how many of its requests wait, at that moment} */
    PoolClassState state();

    /**
     * How long its requests that got a connection waited, since the pool was wrapped. One that was answered at once counts
     * as a nanosecond and adds nothing to the sum; of another one it is the time from the request to the connection.
     *
     * @return never null
     */
    HistogramSnapshot waits();

    /** {@return the same of the last 55 to 60 seconds, less just after the start} */
    HistogramSnapshot recentWaits();

    /** {@return how many of its requests got no connection in time because all were in use, since the pool was wrapped} */
    long timeouts();

    /**
     * How many of its requests were shed because the class was overloaded, since the pool was wrapped. None of them is among the
     * {@linkplain #timeouts() timeouts}.
     *
     * @return never negative; 0 of a pool that does not shed
     */
    long shed();

    /**
     * A gauge of classes.
     *
     * @param metric of the kind {@link PoolMetric.Kind#GAUGE}
     * @return in the metric's unit; NaN if the class has no such figure
     * @throws IllegalArgumentException if the metric is no gauge of classes
     */
    default double gauge(PoolMetric metric) {
        Objects.requireNonNull(metric, "metric is null");
        return switch (metric) {
            case CLASS_USED -> state().held();
            case CLASS_WAITING -> state().waiting();
            case CLASS_GUARANTEED -> state().guaranteed();
            case CLASS_MOST -> state().most().isPresent() ? state().most().getAsInt() : Double.NaN;
            default -> throw metric.mustBe(PoolMetric.Kind.GAUGE);
        };
    }

    /**
     * A counter of classes.
     *
     * @param metric of the kind {@link PoolMetric.Kind#COUNTER}
     * @return never negative
     * @throws IllegalArgumentException if the metric is no counter of classes
     */
    default long counter(PoolMetric metric) {
        Objects.requireNonNull(metric, "metric is null");
        return switch (metric) {
            case CLASS_TIMEOUTS -> timeouts();
            case CLASS_SHED -> shed();
            default -> throw metric.mustBe(PoolMetric.Kind.COUNTER);
        };
    }
}
