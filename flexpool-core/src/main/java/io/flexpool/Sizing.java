// SPDX-License-Identifier: Apache-2.0
package io.flexpool;

import io.flexpool.internal.config.CoreKey;
import io.flexpool.internal.config.Values;
import java.time.Duration;

/**
 * How far a pool may grow, and what the sizing controller aims at: see {@link FlexPoolBuilder#sizing}. Each method
 * returns a copy. Ranges are checked when the pool is built. Immutable.
 */
public final class Sizing {
    final Values values;

    private Sizing(Values values) {
        this.values = values;
    }

    /**
     * The highest limit, however the pool grows. By itself it limits nothing unless the mode
     * is {@link io.flexpool.pool.PoolMode#ADAPT}. A pool has one ceiling: not beside a strategy that names one.
     *
     * @param ceiling 2 to 10,000, not below the base
     * @return settings with that ceiling
     */
    public static Sizing upTo(int ceiling) {
        return new Sizing(Values.NONE.with(CoreKey.CEILING, ceiling));
    }

    /** {@return settings with the ceiling of the strategy that grows the pool, or without any} */
    public static Sizing defaults() {
        return new Sizing(Values.NONE);
    }

    /**
     * The fewest connections that the controller leaves a database that is faster with fewer. By default 2.
     *
     * @param min 1 to 10,000, not above the base
     * @return this
     */
    public Sizing atLeast(int min) {
        return with(CoreKey.SIZING_MIN, min);
    }

    /**
     * How long 99 of 100 requests should wait for a connection at most. By default 10 ms.
     *
     * @param target 1 ms to 10 s, below the acquisition timeout
     * @return this
     */
    public Sizing waitTarget(Duration target) {
        return with(CoreKey.SIZING_WAIT_TARGET, target);
    }

    /**
     * How many instances of the application share the database, each with a pool of the same size. The controller then
     * uses an equal part of the ceiling, though never less than the base, and keeps a step only for what the database
     * gains by it, not for what it takes from the other instances. By default 1.
     *
     * @param count 1 to 1,000, this instance included
     * @return this
     */
    public Sizing instances(int count) {
        return with(CoreKey.SIZING_INSTANCES, count);
    }

    /** {@return a copy that allows {@link FlexPoolDataSource#limits} a ceiling above the configured one} */
    public Sizing limitsMayExceedCeiling() {
        return with(CoreKey.LIMITS_ALLOW_ABOVE_CEILING, true);
    }

    private Sizing with(CoreKey key, Object value) {
        return new Sizing(values.with(key, value));
    }
}
