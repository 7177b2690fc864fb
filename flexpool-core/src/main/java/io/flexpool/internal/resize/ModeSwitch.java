// SPDX-License-Identifier: Apache-2.0
package io.flexpool.internal.resize;

import io.flexpool.internal.config.PoolConfig;
import io.flexpool.internal.context.ModeState;
import io.flexpool.internal.context.PoolContext;
import io.flexpool.internal.event.Events.Resized;
import io.flexpool.pool.PoolMode;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Switches the mode of a pool. Thread-safe.
 *
 * <p>The gate limits in {@link PoolMode#ADAPT}, and in {@link PoolMode#RECOMMEND} if the user's configuration needs it.
 * Otherwise it is open and the pool has its own sizes, like a pool without a gate. A switch that ends limiting first
 * restores the pool's sizes and then opens the gate, so that the admitted requests find connections. A switch that
 * begins to limit prepares the pool first; if the pool refuses, nothing has changed.
 */
public final class ModeSwitch {
    private static final Logger LOG = LoggerFactory.getLogger("io.flexpool");

    private final ReentrantLock lock = new ReentrantLock();
    private final PoolConfig parts;
    private final PoolContext context;
    private final ModeState state;
    private final @Nullable Limiter limiter;
    private final StartAlignment alignment;

    /** Starts in the configured mode. If that mode limits, the pool has been prepared. */
    public ModeSwitch(PoolContext context, @Nullable Limiter limiter, StartAlignment alignment) {
        this.context = context;
        this.parts = context.config();
        this.state = context.mode();
        this.limiter = limiter;
        this.alignment = alignment;
        if (limiter != null && !state.limiting()) {
            limiter.resizer().close();
            limiter.gate().open(context.nanos());
        }
        if (limiter != null && state.mode() == PoolMode.ADAPT) {
            limiter.resizer().steered(parts.sizing().min());
        }
    }

    /**
     * Switches to a mode; true if the mode has changed.
     *
     * @param closeCircuit closes the circuit breaker, if the mode has no strategies
     */
    public boolean mode(PoolMode wanted, Runnable closeCircuit) {
        List<Runnable> after = new ArrayList<>();
        lock.lock();
        try {
            if (wanted == state.mode() || context.admissionState().closed()) {
                return false;
            }
            change(wanted, closeCircuit, after);
        } finally {
            // Logs and listeners may block.
            lock.unlock();
            finish(after);
        }
        return true;
    }

    /** Called without the lock. */
    private void finish(List<Runnable> after) {
        after.forEach(step -> context.listeners().guard("the work after a mode switch", step));
        if (!after.isEmpty()) {
            context.listeners().settle();
        }
    }

    /** Called under the lock. */
    private void change(PoolMode wanted, Runnable closeCircuit, List<Runnable> after) {
        if (wanted == PoolMode.ADAPT) {
            checkActs();
        }
        PoolMode from = state.mode();
        boolean limits = parts.limitsIn(wanted);
        if (limiter != null && limits && !state.limiting()) {
            limit(limiter);
        }
        // From here on the loop decides nothing for the old mode; the resizer refuses a decision in progress.
        state.switched(wanted);
        if (limiter != null && wanted == PoolMode.ADAPT) {
            limiter.resizer().steered(parts.sizing().min());
        } else if (limiter != null && from == PoolMode.ADAPT) {
            Resized event = limiter.resizer().unsteered();
            after.add(() -> limiter.resizer().log(event));
        }
        if (limiter != null && !limits && state.limiting()) {
            letAllPass(limiter);
        }
        if (wanted == PoolMode.MONITOR) {
            after.add(closeCircuit);
        }
        String described = describe();
        after.add(() -> LOG.info("{}: from {} to {}: {}", parts.name(), from.toString(), wanted.toString(), described));
    }

    private void limit(Limiter closing) {
        closing.resizer().resume();
        alignment.limited();
        closing.gate().shut();
        state.limiting(true);
    }

    private void letAllPass(Limiter opening) {
        state.limiting(false);
        opening.resizer().suspend();
        opening.gate().open(context.nanos());
        opening.maintenance().wake();
        opening.maintenance().surplus();
    }

    private void checkActs() {
        if (limiter == null || !parts.ceilingKnown()) {
            throw refused("mode = adapt needs a ceiling, set before the pool is wrapped");
        }
        if (parts.timeoutNanos() == Long.MAX_VALUE) {
            throw refused("mode = adapt needs acquisition-timeout, or the pool's "
                    + parts.adapter().acquisitionTimeoutKey() + ", set before the pool is wrapped");
        }
    }

    private IllegalArgumentException refused(String rule) {
        return new IllegalArgumentException(parts.name() + ": " + rule);
    }

    /** Moves base and ceiling. */
    public void limits(int base, int ceiling) {
        check(base, ceiling);
        List<Runnable> after = new ArrayList<>();
        lock.lock();
        try {
            if (limiter == null || !state.limiting() || context.admissionState().closed()) {
                throw new IllegalStateException(parts.name()
                        + (context.admissionState().closed()
                                ? ": the pool is closed"
                                : ": flexpool does not change this pool, so it has no limits"));
            }
            Resized event = limiter.resizer().limits(base, ceiling);
            after.add(() -> LOG.info("{}: base {} and ceiling {} set manually", parts.name(), base, ceiling));
            after.add(() -> limiter.resizer().log(event));
        } finally {
            lock.unlock();
            finish(after);
        }
    }

    private void check(int base, int ceiling) {
        if (base < 1 || base > PoolConfig.LARGEST_LIMIT) {
            throw refused("base = " + base + ": must be from 1 to " + PoolConfig.LARGEST_LIMIT);
        }
        if (ceiling < base) {
            throw refused("ceiling = " + ceiling + ": must not be below the base, " + base);
        }
        if (ceiling > PoolConfig.LARGEST_LIMIT) {
            throw refused("ceiling = " + ceiling + ": must be at most " + PoolConfig.LARGEST_LIMIT);
        }
        if (parts.gated() && ceiling > parts.ceiling()) {
            throw refused("ceiling = " + ceiling + ": must not be above the configured ceiling, " + parts.ceiling());
        }
    }

    /** Runs an action that must not overlap a switch. */
    public boolean between(BooleanSupplier action) {
        lock.lock();
        try {
            return action.getAsBoolean();
        } finally {
            lock.unlock();
        }
    }

    private String describe() {
        if (state.mode() == PoolMode.ADAPT) {
            return "the sizing controller moves the limit";
        }
        return state.limiting() ? "limited, starting at the base" : "flexpool does not change this pool";
    }
}
