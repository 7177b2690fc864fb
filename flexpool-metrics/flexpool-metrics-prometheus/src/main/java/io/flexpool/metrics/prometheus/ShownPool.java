// SPDX-License-Identifier: Apache-2.0
package io.flexpool.metrics.prometheus;

import io.flexpool.monitoring.PoolMetric;
import io.flexpool.monitoring.PoolReading;
import io.flexpool.monitoring.PoolView;
import io.flexpool.pool.Ticker;

/** A pool and the name it is shown under. */
final class ShownPool {
    private final String name;
    private final PoolView pool;
    private final ClassicBounds bounds;
    private final PoolReading.Shared readings;

    /** Reads the pool for the first time. */
    ShownPool(String name, PoolView pool, ClassicBounds bounds) {
        this.name = name;
        this.pool = pool;
        this.bounds = bounds;
        this.readings = new PoolReading.Shared(pool, Ticker.SYSTEM);
    }

    /** The value of the label {@code pool}. */
    String name() {
        return name;
    }

    boolean supports(PoolMetric metric) {
        return pool.supports(metric);
    }

    ClassicBounds bounds() {
        return bounds;
    }

    PoolReading read() {
        return readings.get();
    }
}
