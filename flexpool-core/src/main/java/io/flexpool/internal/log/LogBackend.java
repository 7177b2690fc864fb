// SPDX-License-Identifier: Apache-2.0
package io.flexpool.internal.log;

import io.flexpool.monitoring.ConfigKey;
import io.flexpool.monitoring.ConfigKey.Kind;
import io.flexpool.monitoring.MetricsBinder;
import io.flexpool.monitoring.MetricsProvider;
import io.flexpool.pool.RefusedValueException;
import java.time.Duration;
import java.util.List;

/**
 * {@code flexpool.metrics = slf4j}: logs pools. Summaries go to the logger {@code io.flexpool.summary} at INFO, a line of
 * {@code key=value} parts in a stable format; events to {@code io.flexpool.events} at WARN. Of each kind of event the first
 * few of a period have a line each; the others are summed up when the period ends.
 *
 * <p>One daemon thread serves all pools and ends with the last. A second pool of one name is logged as {@code <name>#2}.
 */
public final class LogBackend implements MetricsProvider {
    private static final Duration SHORTEST_PERIOD = Duration.ofMillis(100);
    private static final Duration LONGEST_PERIOD = Duration.ofDays(1);
    private static final int MAX_LINES = 1000;
    private static final ConfigKey PERIOD = new ConfigKey(
            "period",
            Kind.DURATION,
            "1m",
            "from " + SHORTEST_PERIOD + " to " + LONGEST_PERIOD,
            "The time between two summary lines of a pool.");
    private static final ConfigKey LINES = new ConfigKey(
            "lines",
            Kind.COUNT,
            "5",
            "from 0 to " + MAX_LINES,
            "How many events of one kind have a line of their own in one period; the others are summed up.");
    private static final ConfigKey LOGGER = new ConfigKey(
            "logger",
            Kind.TEXT,
            "io.flexpool",
            "a logger's name, not blank",
            "Where the lines go: .summary and .events are added.");

    /** Called by the service loader. */
    public LogBackend() {}

    @Override
    public String name() {
        return "slf4j";
    }

    @Override
    public List<ConfigKey> keys() {
        return List.of(PERIOD, LINES, LOGGER);
    }

    @Override
    public MetricsBinder create(ConfigKey.Values values) {
        Duration period = values.duration(PERIOD.name()).orElse(Duration.ofMinutes(1));
        if (period.compareTo(SHORTEST_PERIOD) < 0 || period.compareTo(LONGEST_PERIOD) > 0) {
            throw new RefusedValueException(PERIOD.name(), period, "must be " + PERIOD.allowed());
        }
        int lines = values.byName().get(LINES.name()) instanceof Integer given ? given : 5;
        if (lines < 0 || lines > MAX_LINES) {
            throw new RefusedValueException(LINES.name(), lines, "must be " + LINES.allowed());
        }
        String logger = values.byName().get(LOGGER.name()) instanceof String given ? given : LOGGER.fallback();
        if (logger.isBlank()) {
            throw new RefusedValueException(LOGGER.name(), logger, "must not be blank");
        }
        return pool -> LoggedPool.begin(pool, period, lines, logger);
    }
}
