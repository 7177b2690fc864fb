// SPDX-License-Identifier: Apache-2.0
package io.flexpool.internal.resize;

import io.flexpool.internal.config.PoolConfig;
import io.flexpool.internal.event.ListenerGuard;
import io.flexpool.internal.resize.WindowSource.Bounds;
import io.flexpool.pool.Decision.Outcome;
import io.flexpool.pool.PoolEvent.ResizeCause;
import io.flexpool.pool.PoolMode;
import io.flexpool.pool.PoolSnapshot;
import io.flexpool.pool.PoolState;
import io.flexpool.sizing.PoolWindow;
import io.flexpool.sizing.ReturnToBase;
import io.flexpool.sizing.SizingController;
import io.flexpool.sizing.SizingDecision;
import io.flexpool.sizing.SizingPolicy;
import io.flexpool.sizing.SizingRecord;
import java.time.Duration;
import java.util.function.LongFunction;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Feeds the sizing controller, once a tick, and has the {@link Resizer} do what it decides. Used by the loop's thread alone.
 *
 * <p>{@link PoolMode#ACT}: the controller moves the limit, up and down. {@link PoolMode#OBSERVE}: it only reports, and growth
 * that a strategy brought is taken back by {@link ReturnToBase}. {@link PoolMode#MONITOR}: nothing.
 *
 * <p>Should a policy throw, it is asked no more until the mode is switched: it leaves the limit where it is, and the gate is
 * as right as ever.
 */
public final class SizingLoop {
    private static final Logger LOG = LoggerFactory.getLogger("io.flexpool");

    /**
     * What sizing needs of its pool.
     *
     * @param modes says what is to be done
     * @param resizer does it; null where there is no gate
     * @param windows makes a fresh source of windows
     * @param listeners guard
     * @param decisions remembers and tells
     * @param stateAt the pool's state at a time
     * @param grew to be run when the limit has risen
     */
    public record Surroundings(
            ModeSwitch modes,
            @Nullable Resizer resizer,
            Supplier<WindowSource> windows,
            ListenerGuard listeners,
            DecisionLog decisions,
            LongFunction<PoolState> stateAt,
            Runnable grew) {}

    private final PoolConfig parts;
    private final Surroundings around;

    private int seenSwitches = -1;
    private PoolMode mode = PoolMode.MONITOR;
    private WindowSource windows;
    private @Nullable SizingPolicy controller;
    private @Nullable SizingPolicy returning;

    public SizingLoop(PoolConfig parts, Surroundings around) {
        this.parts = parts;
        this.around = around;
        this.windows = around.windows().get();
    }

    public void tick(long now, PoolState state) {
        // First the count: what comes between the two is looked at again by the next tick.
        int switches = around.modes().switches();
        if (switches != seenSwitches) {
            seenSwitches = switches;
            begin(around.modes().mode());
        }
        if (mode == PoolMode.MONITOR) {
            return;
        }
        if (returning != null && state.bound()) {
            try {
                takeBack(now, state, returning);
            } catch (Throwable thrown) {
                returning = null;
                freeze(state, thrown);
            }
        }
        Bounds bounds = controller == null ? null : bounds(now, state);
        if (controller != null && bounds != null) {
            try {
                control(windows.next(now, state, bounds), state, controller);
            } catch (Throwable thrown) {
                controller = null;
                freeze(state, thrown);
            }
        }
    }

    private void begin(PoolMode wanted) {
        mode = wanted;
        windows = around.windows().get();
        returning = wanted == PoolMode.OBSERVE && parts.bound() ? returnToBase() : null;
        if (controller instanceof SizingController same) {
            // What it has learnt of leases stays.
            same.mode(wanted);
        } else if (wanted != PoolMode.MONITOR) {
            controller = parts.sizing().controller().apply(wanted);
        }
    }

    private SizingPolicy returnToBase() {
        Duration keep = parts.keep();
        return keep == null ? new ReturnToBase() : new ReturnToBase(keep);
    }

    /** What a strategy's growth leaves behind. */
    private void takeBack(long now, PoolState state, SizingPolicy policy) {
        Resizer resizer = around.resizer();
        if (resizer == null) {
            return;
        }
        PoolWindow demand = new PoolWindow(
                now,
                resizer.base(),
                resizer.ceiling(),
                state.limit(),
                state.leased() + state.foreign(),
                state.pending(),
                resizer.lastGrowthNanos());
        int wanted = policy.onTick(demand).limit();
        if (wanted < state.limit()) {
            resizer.shrink(state.limit(), wanted, ResizeCause.CALM, around.stateAt());
        }
    }

    /**
     * What the limit is held against; null if nobody knows how large the pool is. Without a ceiling it is the base, which the
     * controller takes for what it is when it only reports.
     */
    private @Nullable Bounds bounds(long now, PoolState state) {
        Resizer resizer = around.resizer();
        if (state.bound() && resizer != null) {
            return new Bounds(state.limit(), resizer.base(), resizer.ceiling(), resizer.lastGrowthNanos());
        }
        int max = state.pool().max();
        if (mode == PoolMode.ACT || max == PoolSnapshot.UNKNOWN || max < 1) {
            return null;
        }
        return new Bounds(max, max, parts.sizing().ceilingKnown() ? Math.max(max, parts.ceiling()) : max, now);
    }

    private void control(PoolWindow window, PoolState state, SizingPolicy policy) {
        SizingDecision decision = policy.onTick(window);
        boolean moves = mode == PoolMode.ACT && decision.limit() != window.limit();
        boolean moved = moves && steer(window.limit(), decision.limit());
        for (SizingRecord made : decision.records()) {
            Outcome outcome = mode == PoolMode.OBSERVE
                    ? Outcome.REPORTED
                    : made.from() == made.to() ? Outcome.KEPT : moved ? Outcome.DONE : Outcome.REFUSED;
            around.decisions().add(mode, made, outcome, state);
        }
    }

    private boolean steer(int from, int to) {
        Resizer resizer = around.resizer();
        boolean moved = resizer != null && resizer.steer(from, to, ResizeCause.SIZING, around.stateAt());
        if (moved && to > from) {
            around.grew().run();
        }
        return moved;
    }

    /** Whoever threw is asked no more. While only observing, growth that a strategy brought is taken back all the same. */
    private void freeze(PoolState state, Throwable thrown) {
        int limit = state.bound() ? state.limit() : state.pool().max();
        String words = "the sizing controller threw " + thrown.getClass().getName()
                + " and is asked no more until the mode is switched; it leaves the limit at " + limit;
        around.listeners().failed("the sizing controller", thrown);
        around.listeners().guard("the log", () -> LOG.error("{}: {}", parts.name(), words));
        around.decisions().broken(mode, limit, words, state);
    }
}
