// SPDX-License-Identifier: Apache-2.0
package io.flexpool.metrics.prometheus;

import io.flexpool.monitoring.MetricsProvider.MetricLevel;
import io.flexpool.monitoring.PartView.PartMetric;
import io.flexpool.monitoring.PoolMetric;
import io.flexpool.monitoring.PoolReading;
import io.flexpool.monitoring.PoolView;
import io.flexpool.pool.Ticker;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Stream;

/** A pool and the name it is shown under. */
final class ShownPool {
    private final String name;
    private final MetricLevel level;
    private final ClassicBounds bounds;
    private final Set<PoolMetric> metrics = EnumSet.noneOf(PoolMetric.class);
    private final Map<String, PartMetric> parts = new LinkedHashMap<>();
    private final PoolReading.Shared readings;

    /** Reads the pool for the first time. */
    ShownPool(String name, PoolView pool, MetricLevel level, ClassicBounds bounds) {
        this.name = name;
        this.level = level;
        this.bounds = bounds;
        for (PoolMetric metric : PoolMetric.values()) {
            if (level.shows(metric) && pool.supports(metric)) {
                metrics.add(metric);
            }
        }
        this.readings = new PoolReading.Shared(pool, Ticker.SYSTEM);
    }

    /** The value of the label {@code pool}. */
    String name() {
        return name;
    }

    /** The shown metrics. */
    Set<PoolMetric> metrics() {
        return metrics;
    }

    /**
     * Shows a metric of a part, at every level, because an application that adds a part needs its metrics. Called
     * before the first scrape.
     */
    void show(PartMetric metric) {
        parts.put(Snapshots.name(metric), metric);
    }

    /** Whether the pool has a metric of that name in Prometheus. */
    boolean shows(String name) {
        return parts.containsKey(name) || metrics.stream().anyMatch(metric -> Snapshots.isOf(metric, name));
    }

    /** The shown metrics of parts, by their names in Prometheus. */
    Stream<PartMetric> parts(Predicate<String> name) {
        return parts.entrySet().stream()
                .filter(part -> name.test(part.getKey()))
                .map(Map.Entry::getValue);
    }

    MetricLevel level() {
        return level;
    }

    ClassicBounds bounds() {
        return bounds;
    }

    PoolReading read() {
        return readings.get();
    }
}
