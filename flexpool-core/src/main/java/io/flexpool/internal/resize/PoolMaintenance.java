// SPDX-License-Identifier: Apache-2.0
package io.flexpool.internal.resize;

import io.flexpool.adapter.PoolAdapter;
import io.flexpool.adapter.PoolAdapter.Capability;
import io.flexpool.internal.context.PoolContext;
import io.flexpool.internal.event.PoolExecutor;
import io.flexpool.internal.gate.Gate;
import io.flexpool.pool.PoolSnapshot;
import io.flexpool.pool.PoolState;
import io.flexpool.spi.DaemonThreads;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The loop's work for a gated pool, once a tick. Counts connections borrowed without the gate. Opens or closes, on a
 * separate thread, connections that the pool does not open or close itself. For the loop's thread, except {@link
 * #wake()}.
 */
public final class PoolMaintenance {
    private static final Logger LOG = LoggerFactory.getLogger("io.flexpool");
    /** The most calls at once: one hanging call does not block the next call, two do. */
    private static final int MOST_CALLS = 2;

    private final PoolContext context;
    private final PoolAdapter adapter;
    private final Gate gate;
    private final PoolExecutor executor;
    private int foreignLastTick;
    private boolean foreignReported;
    /** The remaining ticks without surplus after which the surplus counts as closed. */
    private volatile int surplusTicks;

    public PoolMaintenance(PoolContext context, Gate gate) {
        this.context = context;
        this.adapter = context.adapter();
        this.gate = gate;
        this.executor = new PoolExecutor(context.name(), MOST_CALLS, context.listeners(), context.ticker());
    }

    /** Lets the pool open connections for threads that enter it after the limit was raised. */
    public void wake() {
        if (can(Capability.WAKE)) {
            executor.run("the adapter's wake()", () -> adapter.wake(Math.max(1, gate.usedCount())));
        }
    }

    public void tick(long now, PoolState state) {
        countForeign(now, state);
        executor.reportHanging(now);
        int limit = gate.limit();
        PoolSnapshot snapshot = state.pool();
        if (can(Capability.PHYSICAL_FOLLOWS_LIMIT) && snapshot.total() > limit && snapshot.idle() > 0) {
            executor.run("the adapter's trim()", () -> adapter.trim(gate.limit()));
        } else if (can(Capability.WAKE) && snapshot.pending() > 0 && snapshot.total() < limit) {
            executor.run("the adapter's wake()", () -> adapter.wake(snapshot.pending()));
        }
    }

    /** Called when the pool has its own sizes again: {@link #tickUnlimited} closes the connections beyond them. */
    void surplus() {
        // The next tick may have read the pool before its sizes were restored.
        surplusTicks = 2;
    }

    /** A tick while the gate does not limit: closes only connections that remain from the time when it did. */
    public void tickUnlimited(long now, PoolState state) {
        executor.reportHanging(now);
        int left = surplusTicks;
        if (left == 0) {
            return;
        }
        PoolSnapshot snapshot = state.pool();
        if (!can(Capability.PHYSICAL_FOLLOWS_LIMIT) || snapshot.total() <= snapshot.max()) {
            surplusTicks = left - 1;
        } else if (snapshot.max() > 0 && snapshot.idle() > 0) {
            executor.run("the adapter's trim()", () -> adapter.trim(snapshot.max()));
        }
    }

    /** Closes the surplus once, for a pool without further monitoring. */
    public void closeSurplus() {
        if (!can(Capability.PHYSICAL_FOLLOWS_LIMIT)) {
            return;
        }
        Runnable trim = () -> context.listeners().guard("the adapter's trim", () -> {
            PoolSnapshot snapshot = adapter.snapshot();
            if (snapshot.max() > 0 && snapshot.total() > snapshot.max() && snapshot.idle() > 0) {
                adapter.trim(snapshot.max());
            }
        });
        context.listeners()
                .guard(
                        "the trim",
                        () -> DaemonThreads.create("flexpool-trim-" + context.name(), trim)
                                .start());
    }

    /** The hanging call in words; null without one. */
    @Nullable
    public String hanging(long nowNanos) {
        return executor.hanging(nowNanos);
    }

    public void close() {
        executor.close();
    }

    /**
     * Connections in use that were not leased through the gate. A connection just handed out, but not yet counted as
     * leased, looks the same: so that number is subtracted, and only the minimum of two ticks counts.
     */
    private void countForeign(long now, PoolState state) {
        PoolSnapshot snapshot = state.pool();
        if (snapshot.active() == PoolSnapshot.UNKNOWN || executor.busy()) {
            return;
        }
        int inside = snapshot.pending() == PoolSnapshot.UNKNOWN ? 0 : snapshot.pending();
        int onTheWay = Math.max(0, state.entering() - inside);
        int seen = Math.max(0, snapshot.active() - state.leased() - onTheWay);
        int foreign = Math.min(seen, foreignLastTick);
        foreignLastTick = seen;
        gate.foreign(foreign, now);
        if (foreign > 0 && !foreignReported) {
            foreignReported = true;
            String text = "{}: {} connections were borrowed directly from the pool; they count towards the limit of {}";
            context.listeners().guard("the log appender", () -> LOG.warn(text, context.name(), foreign, state.limit()));
        }
    }

    private boolean can(Capability capability) {
        return adapter.capabilities().contains(capability);
    }
}
