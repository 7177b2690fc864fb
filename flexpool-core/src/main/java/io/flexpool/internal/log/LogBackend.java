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
 * {@code flexpool.metrics = slf4j}: logs pools. Summaries go to the logger {@code io.flexpool.summary} at INFO, a line
 * of {@code key=value} parts in a stable format; events to {@code io.flexpool.events} at WARN. The first events of each
 * kind in a period have a line each; the others are summed up when the period ends.
 *
 * <p>One daemon thread serves all pools and ends with the last. A second pool with the same name is logged as
 * {@code <name>#2}.
 */
public final class LogBackend implements MetricsProvider {
    private static final Duration SHORTEST_PERIOD = Duration.ofMillis(100);
    private static final Duration LONGEST_PERIOD = Duration.ofDays(1);
    /** The lines per kind of event and period. */
    private static final int LINES = 5;

    private static final String LOGGER = "io.flexpool";
    private static final ConfigKey PERIOD = new ConfigKey(
            "period",
            Kind.DURATION,
            "1m",
            "from " + SHORTEST_PERIOD + " to " + LONGEST_PERIOD,
            "The time between two summary lines of a pool, on the logger io.flexpool.summary. On io.flexpool.events the first"
                    + " 5 events of a kind in that time have a line each; the others are counted in one line.");
    /** Called by the service loader. */
    public LogBackend() {}

    @Override
    public String name() {
        return "slf4j";
    }

    @Override
    public List<ConfigKey> keys() {
        return List.of(PERIOD);
    }

    @Override
    public MetricsBinder create(ConfigKey.Values values) {
        Duration period = values.duration(PERIOD.name()).orElse(Duration.ofMinutes(1));
        if (period.compareTo(SHORTEST_PERIOD) < 0 || period.compareTo(LONGEST_PERIOD) > 0) {
            throw new RefusedValueException(PERIOD.name(), period, "must be " + PERIOD.allowed());
        }
        return pool -> LoggedPool.begin(pool, period, LINES, LOGGER);
    }
}
