// SPDX-License-Identifier: Apache-2.0
package io.flexpool.internal.context;

import io.flexpool.internal.config.PoolConfig;
import io.flexpool.pool.PoolMode;
import java.util.concurrent.atomic.AtomicInteger;

/** The mode that a pool is in. Read by any thread; written by the mode switch alone, one switch at a time. */
public final class ModeState {
    private volatile PoolMode mode;
    private volatile boolean limiting;
    /** Counted, for two switches between two ticks may lead back to the same mode. */
    private final AtomicInteger switches = new AtomicInteger();

    /** The mode to start in. */
    ModeState(PoolConfig config) {
        this.mode = config.sizing().mode();
        this.limiting = config.limitsAtFirst();
    }

    /** The mode now. */
    public PoolMode mode() {
        return mode;
    }

    /** Whether the gate limits the pool now. */
    public boolean limiting() {
        return limiting;
    }

    /** Whether strategies are asked: not while the pool is only watched. */
    public boolean asksStrategies() {
        return mode != PoolMode.MONITOR;
    }

    /** How many switches there have been. */
    public int switches() {
        return switches.get();
    }

    /** The mode is another one. */
    public void switched(PoolMode to) {
        mode = to;
        switches.getAndIncrement();
    }

    /** The gate limits from now on, or does no longer. */
    public void limiting(boolean limits) {
        limiting = limits;
    }
}
