// SPDX-License-Identifier: Apache-2.0
package io.flexpool.monitoring;

import java.util.Objects;
import java.util.OptionalInt;

/**
 * One class of a pool's requests at one moment: its leases, the waits of its requests, and the value of each metric
 * {@linkplain PoolMetric#perClass() of classes}. Immutable. Made by flexpool alone; minor releases add methods.
 */
public interface RequestClass {
    /** {@return the configured name of the class} */
    String name();

    /** {@return the connections guaranteed to the class, a part of the limit, rounded up; 0 without a guarantee} */
    int guaranteed();

    /** {@return the maximum number of connections; empty without a configured maximum} */
    OptionalInt max();

    /** {@return the number of connections in use by the class, including connections being acquired from the pool} */
    int leased();

    /** {@return the number of requests of the class that wait for a permit} */
    int waiting();

    /**
     * The waits of the class's requests that got a connection, since the pool was wrapped. A request that was served at
     * once counts as 1 ns and adds nothing to the sum; other waits last from the request to the connection.
     *
     * @return never null
     */
    HistogramSnapshot waits();

    /** {@return the waits of the last 55 to 60 seconds; of less time just after the start} */
    HistogramSnapshot recentWaits();

    /** {@return the class's acquisition timeouts with all connections in use, since the pool was wrapped} */
    long timeouts();

    /**
     * The number of requests that were shed because the class was overloaded, since the pool was wrapped. They are not
     * counted as {@linkplain #timeouts() timeouts}.
     *
     * @return the number, never negative; 0 for a pool that does not shed
     */
    long shed();

    /**
     * A gauge of classes.
     *
     * @param metric of the kind {@link PoolMetric.Kind#GAUGE}
     * @return the value in the metric's unit; NaN if the class has no such figure
     * @throws IllegalArgumentException if the metric is no gauge of classes
     */
    default double gauge(PoolMetric metric) {
        Objects.requireNonNull(metric, "metric is null");
        return switch (metric) {
            case CLASS_USED -> leased();
            case CLASS_WAITING -> waiting();
            case CLASS_GUARANTEED -> guaranteed();
            case CLASS_MAX -> max().isPresent() ? max().getAsInt() : Double.NaN;
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

    /**
     * Describes the leases and the waiters of the class in one clause.
     *
     * @return for example {@code batch holds 8 of 8 and 32 wait, 5 guaranteed}, or
     *     {@code interactive holds 4 and no request waits}
     */
    default String describe() {
        String max = max().isPresent() ? " of " + max().getAsInt() : "";
        String waits = waiting() == 0 ? " and no request waits" : " and " + waiting() + " wait";
        return name() + " holds " + leased() + max + waits
                + (guaranteed() == 0 ? "" : ", " + guaranteed() + " guaranteed");
    }
}
