// SPDX-License-Identifier: Apache-2.0
package io.flexpool.internal.resize;

import io.flexpool.diagnostics.Decision.Cause;
import io.flexpool.diagnostics.Decision.Outcome;
import io.flexpool.diagnostics.Decision.RefusedGrowth.Reason;
import io.flexpool.event.PoolEvent.ResizeCause;
import io.flexpool.internal.config.PoolConfig;
import io.flexpool.internal.context.PoolContext;
import io.flexpool.internal.event.ListenerGuard;
import io.flexpool.internal.gate.Limits;
import io.flexpool.internal.lease.LeaseTracker;
import io.flexpool.internal.resize.WindowSource.Bounds;
import io.flexpool.internal.shared.Words;
import io.flexpool.internal.sizing.PoolWindow;
import io.flexpool.internal.sizing.ReturnToBase;
import io.flexpool.internal.sizing.SizingController;
import io.flexpool.internal.sizing.SizingDecision;
import io.flexpool.internal.sizing.SizingPolicy;
import io.flexpool.internal.sizing.SizingPolicy.SizingStep;
import io.flexpool.internal.sizing.SizingSettings;
import io.flexpool.pool.PoolMode;
import io.flexpool.pool.PoolState;
import java.time.Duration;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Feeds the sizing controller, once a tick, and applies its decisions by the {@link Resizer}. For the loop's thread.
 *
 * <p>{@link PoolMode#ADAPT}: the controller moves the limit, up and down. {@link PoolMode#RECOMMEND}: it only reports,
 * and {@link ReturnToBase} takes back a strategy's growth. {@link PoolMode#MONITOR}: no effect.
 *
 * <p>A policy that throws is not called again until the mode is switched: the limit stays, and the gate continues to
 * work. After an error of the machine, such as {@link OutOfMemoryError}, which is not the policy's fault, a new policy
 * is called from the next tick on. {@link #trouble} reports both.
 */
public final class SizingLoop {
    private static final Logger LOG = LoggerFactory.getLogger("io.flexpool");

    private final PoolConfig parts;
    private final PoolContext context;
    private final @Nullable Limiter limiter;
    private final LeaseTracker leases;
    private final DecisionLog decisions;

    /** The controller's measured knee. Read by other threads. */
    private volatile int knee;

    private volatile @Nullable Cause blockingCause;

    /** The growth with a logged return; null before the first. */
    private @Nullable Long returned;
    /** The class of the last call's exception; null if it returned. Read by other threads. */
    private volatile @Nullable Class<?> threw;
    /** Whether the next tick makes a new controller. */
    private volatile boolean again;

    private int seenSwitches = -1;
    private PoolMode mode = PoolMode.MONITOR;
    private WindowSource windows;
    private @Nullable SizingPolicy controller;
    private @Nullable ReturnToBase returning;
    /** Whether the holders waited for locks in the server at the last tick. */
    private boolean locked;

    public SizingLoop(PoolContext context, @Nullable Limiter limiter, LeaseTracker leases, DecisionLog decisions) {
        this.context = context;
        this.parts = context.config();
        this.limiter = limiter;
        this.leases = leases;
        this.decisions = decisions;
        this.windows = new WindowSource(context, leases);
    }

    public void tick(long now, PoolState state) {
        // Reads the counter first: a switch between the two reads is handled by the next tick.
        int switches = context.mode().switches();
        if (switches != seenSwitches) {
            begin(context.mode().mode());
            // Last: without memory the mode has not begun, and the next tick tries again.
            seenSwitches = switches;
        }
        Bounds bounds = mode == PoolMode.MONITOR ? null : bounds(now, state);
        if (bounds == null) {
            return;
        }
        if (returning != null && limiter != null && state.bound()) {
            // Takes back the growth of strategies.
            int demand = state.leased() + state.foreign() + state.pending();
            int to = returning.onTick(now, bounds.base(), bounds.limit(), demand, bounds.lastGrowthNanos());
            if (to < bounds.limit() && limiter.resizer().move(bounds.limit(), to, ResizeCause.CALM)) {
                returns(bounds, to);
            }
        }
        try {
            if (again) {
                renew();
            }
            if (controller != null) {
                PoolWindow window = windows.next(now, state, bounds);
                if (!lockedUp(now, state)) {
                    control(window, state, controller);
                }
                threw = null;
            }
        } catch (Throwable thrown) {
            failed(state, thrown);
        }
    }

    /** Logs one line for each return, regardless of its steps: the next line follows the next growth. */
    private void returns(Bounds bounds, int to) {
        Long growth = bounds.lastGrowthNanos();
        boolean another = !growth.equals(returned);
        returned = to > bounds.base() ? growth : null;
        if (another) {
            Duration keep = parts.keep();
            String unused = Words.span(keep == null ? Duration.ofSeconds(5) : keep);
            context.listeners()
                    .guard(
                            "the log appender",
                            () -> LOG.info(
                                    "{}: lease limit {} -> {}, shrinking to {}: no request has waited for {}",
                                    parts.name(),
                                    bounds.limit(),
                                    to,
                                    bounds.base(),
                                    unused));
        }
    }

    /** Describes why the controller is not called or fails; null if it works. Thread-safe. */
    public @Nullable String trouble() {
        Class<?> thrown = threw;
        return thrown == null
                ? null
                : "the sizing controller threw " + thrown.getName()
                        + (again ? "; each tick calls a new controller" : "; it is off until the mode is switched");
    }

    /** The limit above which throughput last stopped rising; 0 if unknown. Thread-safe. */
    public int knee() {
        return knee;
    }

    /** Why requests wait for the limit now; null without waiting requests, or if unknown. Thread-safe. */
    public @Nullable Cause blockingCause() {
        return blockingCause;
    }

    private void begin(PoolMode wanted) {
        if (again) {
            decisions.restart();
        }
        mode = wanted;
        blockingCause = null;
        windows = new WindowSource(context, leases);
        returning = wanted == PoolMode.RECOMMEND && parts.bound() ? new ReturnToBase(parts.keep()) : null;
        if (controller instanceof SizingController same) {
            // Its knowledge of leases stays.
            same.mode(wanted);
        } else if (wanted != PoolMode.MONITOR) {
            controller = made(wanted);
        }
        again = false;
        threw = null;
    }

    private SizingPolicy made(PoolMode forMode) {
        BiFunction<SizingSettings, PoolMode, SizingPolicy> other = parts.controller();
        return other == null ? new SizingController(parts.sizing(), forMode) : other.apply(parts.sizing(), forMode);
    }

    /** Creates a new controller, because the state of the failed one may be inconsistent. */
    private void renew() {
        windows = new WindowSource(context, leases);
        controller = made(mode);
        decisions.restart();
        again = false;
    }

    /**
     * Returns the bounds of the limit; null if the pool's size is unknown. Without a ceiling the base is the ceiling,
     * which the controller takes into account when it only reports.
     */
    private @Nullable Bounds bounds(long now, PoolState state) {
        if (state.bound() && limiter != null) {
            Resizer resizer = limiter.resizer();
            // The controller divides the ceiling by the instances, but a refusal concerns this pool alone.
            int share = context.limits().sharers() > 0 ? 1 : parts.sizing().instances();
            long most = Math.min(context.limits().ceiling(), (long) resizer.most(state) * share);
            return new Bounds(
                    state.limit(),
                    context.limits().base(),
                    (int) most,
                    resizer.lastGrowthNanos(),
                    resizer.refusesLong(now));
        }
        int max = state.pool().max();
        if (mode == PoolMode.ADAPT || max < 1) {
            return null;
        }
        return new Bounds(max, max, parts.ceilingKnown() ? Math.max(max, parts.ceiling()) : max, now, false);
    }

    /**
     * Returns whether the holders wait for locks in the server. Then the windows do not reflect the load and growth is
     * refused: the controller would repeat one decision with a wrong reason.
     */
    private boolean lockedUp(long now, PoolState state) {
        boolean lockedBefore = locked;
        locked = context.insight().lockedUp(now);
        if (locked) {
            blockingCause = Cause.DATABASE_SLOW;
            if (!lockedBefore && mode == PoolMode.ADAPT) {
                context.refusedGrowths().add(Reason.LOCKED, state, now);
            }
        }
        return locked;
    }

    private void control(PoolWindow window, PoolState state, SizingPolicy policy) {
        policy.sharers(context.limits().sharers());
        SizingStep step = policy.onTick(window);
        knee = policy.knee();
        blockingCause = policy.blockingCause();
        boolean moves = mode == PoolMode.ADAPT && step.limit() != window.limit();
        boolean moved = moves && limiter != null && limiter.steer(window.limit(), step.limit());
        for (SizingDecision made : step.decisions()) {
            Limits.Cap cap = context.limits().capped(made.to());
            boolean refuses = window.ceiling() < context.limits().ceiling();
            SizingDecision now = cap != null ? made.allowedBy(cap.by()) : refuses ? made.afterRefusals() : made;
            decisions.add(made.outcome() == Outcome.DONE && !moved ? now.refused() : now, state);
        }
    }

    /** Sets the fields first, because that allocates nothing. */
    private void failed(PoolState state, Throwable thrown) {
        controller = null;
        blockingCause = null;
        again = ListenerGuard.ofTheMachine(thrown);
        threw = thrown.getClass();
        if (again) {
            context.listeners().failed("the sizing controller", thrown);
        } else {
            freeze(state, thrown);
        }
    }

    /** A controller that threw is not called again. In recommend mode growth by a strategy is still reverted. */
    private void freeze(PoolState state, Throwable thrown) {
        int limit = state.bound() ? state.limit() : state.pool().max();
        String words = "the sizing controller threw " + thrown.getClass().getName()
                + " and is off until the mode is switched; it leaves the limit at " + limit;
        context.listeners().failed("the sizing controller", thrown);
        context.listeners().guard("the log appender", () -> LOG.error("{}: {}", parts.name(), words));
        decisions.broken(SizingDecision.broken(mode, limit, words), state);
    }
}
