// SPDX-License-Identifier: Apache-2.0
package io.flexpool.metrics.slf4j;

import io.flexpool.monitoring.ConfigKey;
import io.flexpool.monitoring.ConfigKey.Kind;
import io.flexpool.monitoring.MetricsBinder;
import io.flexpool.monitoring.MetricsProvider;
import java.time.Duration;
import java.util.List;

/** {@code flexpool.metrics = slf4j}: summaries and events in the log. */
public final class Slf4jProvider implements MetricsProvider {
    private static final ConfigKey PERIOD = new ConfigKey(
            "period", Kind.DURATION, "1m", "from PT0.1S to PT24H", "The time between two summary lines of a pool.");
    private static final ConfigKey LINES = new ConfigKey(
            "lines",
            Kind.COUNT,
            "5",
            "from 0 to 1000",
            "How many events of one kind have a line of their own in one period; the others are summed up.");
    private static final ConfigKey LOGGER = new ConfigKey(
            "logger",
            Kind.TEXT,
            "io.flexpool",
            "a logger's name, not blank",
            "Where the lines go: .summary and .events are added.");

    /** Called by the service loader. */
    public Slf4jProvider() {}

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
        Slf4jMetrics metrics = Slf4jMetrics.create();
        if (values.byName().get(PERIOD.name()) instanceof Duration period) {
            metrics = metrics.every(period);
        }
        if (values.byName().get(LINES.name()) instanceof Integer lines) {
            metrics = metrics.lines(lines);
        }
        if (values.byName().get(LOGGER.name()) instanceof String logger) {
            metrics = metrics.logger(logger);
        }
        return metrics;
    }
}
