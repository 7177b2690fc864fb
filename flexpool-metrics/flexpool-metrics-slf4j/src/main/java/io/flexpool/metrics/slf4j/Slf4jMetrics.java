// SPDX-License-Identifier: Apache-2.0
package io.flexpool.metrics.slf4j;

import io.flexpool.monitoring.MetricsBinder;
import io.flexpool.monitoring.PoolView;
import io.flexpool.pool.RefusedValueException;
import java.time.Duration;
import java.util.Objects;

/**
 * Logs pools: a summary line each period, a line for each slow acquisition and each long lease, as configured by the
 * builder's {@code slowAcquisition} and {@code longLease}.
 *
 * <pre>{@code
 * FlexPool.wrap(hikari).name("orders").longLease(Duration.ofSeconds(30)).metrics(Slf4jMetrics.create()).build();
 * }</pre>
 *
 * <p>Summaries go to the logger {@code io.flexpool.summary} at INFO, a line of {@code key=value} parts in a stable
 * format; events to {@code io.flexpool.events} at WARN. Of each kind of event at most {@link #lines} a period have a
 * line of their own; the others are summed up when it ends. What flexpool itself logs (timeouts, connect failures,
 * rejections, resizes, the circuit) is not repeated: of the first three, of which flexpool logs one a second, the
 * number is logged at the end of each period that had any.
 *
 * <p>One daemon thread serves all pools and ends with the last. A second pool of one name is logged as {@code
 * <name>#2}, which is logged once. No cost per call. Immutable and thread-safe; one instance may serve many pools.
 */
public final class Slf4jMetrics implements MetricsBinder {
    private static final Duration SHORTEST_PERIOD = Duration.ofMillis(100);
    private static final Duration LONGEST_PERIOD = Duration.ofDays(1);
    private static final int MOST_LINES = 1000;

    static final Duration PERIOD = Duration.ofMinutes(1);
    static final int LINES = 5;
    static final String LOGGER = "io.flexpool";

    private final Duration period;
    private final int lines;
    private final String logger;

    Slf4jMetrics(Duration period, int lines, String logger) {
        this.period = period;
        this.lines = lines;
        this.logger = logger;
    }

    /**
     * Logs pools once a minute, with at most five lines a minute for each kind of event.
     *
     * @return a binder for any number of pools
     */
    public static Slf4jMetrics create() {
        return new Slf4jMetrics(PERIOD, LINES, LOGGER);
    }

    /**
     * Sets the period.
     *
     * @param newPeriod the time between two summaries, 100 milliseconds to one day
     * @return the same binder with that period
     * @throws IllegalArgumentException if the period is out of range
     */
    public Slf4jMetrics every(Duration newPeriod) {
        if (newPeriod.compareTo(SHORTEST_PERIOD) < 0 || newPeriod.compareTo(LONGEST_PERIOD) > 0) {
            throw new RefusedValueException(
                    "period", newPeriod, "must be from " + SHORTEST_PERIOD + " to " + LONGEST_PERIOD);
        }
        return new Slf4jMetrics(newPeriod, lines, logger);
    }

    /**
     * Sets the number of lines.
     *
     * @param most how many events of one kind have a line of their own in one period, 0 to 1,000
     * @return the same binder with that number
     * @throws IllegalArgumentException if the number is out of range
     */
    public Slf4jMetrics lines(int most) {
        if (most < 0 || most > MOST_LINES) {
            throw new RefusedValueException("lines", most, "must be from 0 to " + MOST_LINES);
        }
        return new Slf4jMetrics(period, most, logger);
    }

    /**
     * Sets the loggers.
     *
     * @param prefix {@code .summary} and {@code .events} are added
     * @return the same binder with those loggers
     * @throws IllegalArgumentException if the prefix is blank
     */
    public Slf4jMetrics logger(String prefix) {
        if (Objects.requireNonNull(prefix, "logger").isBlank()) {
            throw new RefusedValueException("logger", prefix, "must not be blank");
        }
        return new Slf4jMetrics(period, lines, prefix);
    }

    /**
     * Starts to log a pool. Thread-safe.
     *
     * @param pool the pool to read and to listen to
     * @return ends it, after logging what has been counted and not yet logged; further calls have no effect
     */
    @Override
    public Binding bind(PoolView pool) {
        return LoggedPool.begin(pool, period, lines, logger);
    }
}
