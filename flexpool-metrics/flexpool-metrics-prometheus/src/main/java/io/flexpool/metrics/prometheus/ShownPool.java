// SPDX-License-Identifier: Apache-2.0
package io.flexpool.metrics.prometheus;

import io.flexpool.monitoring.MetricLevel;
import io.flexpool.monitoring.PoolMetric;
import io.flexpool.monitoring.PoolReading;
import io.flexpool.monitoring.PoolView;
import io.flexpool.pool.Ticker;
import java.util.EnumSet;
import java.util.Set;

/** A pool and the name it is shown under. */
final class ShownPool {
    private final String name;
    private final MetricLevel level;
    private final ClassicBounds bounds;
    private final Set<PoolMetric> metrics = EnumSet.noneOf(PoolMetric.class);
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

    /** What is shown of it. */
    Set<PoolMetric> metrics() {
        return metrics;
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
