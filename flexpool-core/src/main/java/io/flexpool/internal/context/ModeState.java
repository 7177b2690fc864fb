// SPDX-License-Identifier: Apache-2.0
package io.flexpool.internal.context;

import io.flexpool.internal.config.PoolConfig;
import io.flexpool.pool.PoolMode;
import java.util.concurrent.atomic.AtomicInteger;

/** The mode of a pool. Read by any thread; written by the mode switch alone, one switch at a time. */
public final class ModeState {
    private volatile PoolMode mode;
    private volatile boolean limiting;
    /** Counted, because two switches between two ticks may lead back to the same mode. */
    private final AtomicInteger switches = new AtomicInteger();

    ModeState(PoolConfig config) {
        this.mode = config.mode();
        this.limiting = config.limitsAtFirst();
    }

    public PoolMode mode() {
        return mode;
    }

    /** Whether the gate limits the pool now. */
    public boolean limiting() {
        return limiting;
    }

    /** Whether strategies are consulted: not while the pool is only watched. */
    public boolean consultsStrategies() {
        return mode != PoolMode.MONITOR;
    }

    public int switches() {
        return switches.get();
    }

    public void switched(PoolMode to) {
        mode = to;
        switches.getAndIncrement();
    }

    public void limiting(boolean limits) {
        limiting = limits;
    }
}
