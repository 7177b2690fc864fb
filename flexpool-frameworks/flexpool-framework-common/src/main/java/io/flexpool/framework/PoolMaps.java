// SPDX-License-Identifier: Apache-2.0
package io.flexpool.framework;

import io.flexpool.FlexPoolDataSource;
import io.flexpool.monitoring.PartView.PartMetric;
import io.flexpool.monitoring.PoolMetric;
import io.flexpool.monitoring.PoolReading;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Converts a pool to plain maps, which every JSON library supports, for the endpoints of frameworks. Borrows no
 * connection.
 */
final class PoolMaps {
    private PoolMaps() {}

    /**
     * The summary of a pool.
     *
     * @param pool the pool
     * @return its name, mode and state, and {@code figures}, the gauges and counters by the metrics' short names
     */
    static Map<String, Object> inShort(FlexPoolDataSource pool) {
        PoolReading reading = PoolReading.of(pool);
        Map<String, Object> shown = new LinkedHashMap<>();
        shown.put("name", pool.name());
        shown.put("otherNames", pool.otherNames());
        shown.put("type", pool.type());
        shown.put("enabled", pool.enabled());
        shown.put("mode", pool.mode().toString());
        shown.put("phase", pool.phase().toString());
        shown.put("state", reading.state().describe());
        shown.put("actors", pool.diagnosis().controllers());
        Map<String, Object> figures = new LinkedHashMap<>();
        for (PoolMetric metric : PoolMetric.values()) {
            if (!metric.perClass() && pool.supports(metric)) {
                add(figures, metric, reading);
            }
        }
        pool.parts().forEach(part -> part.metrics().forEach(metric -> add(figures, metric)));
        shown.put("figures", figures);
        return shown;
    }

    private static void add(Map<String, Object> figures, PartMetric metric) {
        double value = metric.value();
        if (metric.kind() == PoolMetric.Kind.COUNTER) {
            figures.put(metric.shortName(), (long) value);
        } else if (!Double.isNaN(value)) {
            figures.put(metric.shortName(), value);
        }
    }

    private static void add(Map<String, Object> figures, PoolMetric metric, PoolReading reading) {
        switch (metric.kind()) {
            case GAUGE -> {
                double value = reading.gauge(metric);
                // JSON has no NaN.
                if (!Double.isNaN(value)) {
                    figures.put(metric.shortName(), value);
                }
            }
            case COUNTER -> figures.put(metric.shortName(), reading.counter(metric));
            case TIMER, DISTRIBUTION -> {
                // These are only in the report of one pool, and in the metrics.
            }
        }
    }

    /**
     * The summary with the report.
     *
     * @param pool the pool
     * @return the entries of {@link #inShort}, and {@code report}, a list of lines
     */
    static Map<String, Object> inFull(FlexPoolDataSource pool) {
        Map<String, Object> shown = inShort(pool);
        List<String> report = pool.report().lines().toList();
        shown.put("report", report);
        return shown;
    }
}
