// SPDX-License-Identifier: Apache-2.0
package io.flexpool.internal.resize;

import io.flexpool.internal.config.PoolConfig;
import io.flexpool.internal.event.ListenerGuard;
import io.flexpool.internal.gate.Gate;
import io.flexpool.pool.PoolEvent.Resized;
import io.flexpool.pool.PoolMode;
import io.flexpool.pool.PoolState;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import java.util.function.LongFunction;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What mode a pool is in, and the way from one to another. Thread-safe.
 *
 * <p>The gate limits in {@link PoolMode#ACT}, and in {@link PoolMode#OBSERVE} if something that the user added needs it. Else it
 * is open and the pool has its own sizes, as one that never had a gate. Who stops limiting puts the pool's sizes back first
 * and opens the gate then, so that whoever is let in finds room; who begins to limit prepares the pool first, and if that is
 * refused nothing has changed.
 */
public final class ModeSwitch {
    private static final Logger LOG = LoggerFactory.getLogger("io.flexpool");

    /**
     * What a switch needs of the pool.
     *
     * @param closed whether it is over
     * @param closeCircuit no strategy is asked any more, so nothing would close an open circuit
     * @param letIn threads are on their way into the pool
     * @param limited the adapter may have something to do at the pool's start
     * @param stateAt the pool's state at a time
     * @param listeners are to see what a switch brings, after it
     */
    public record Owner(
            BooleanSupplier closed,
            Runnable closeCircuit,
            Runnable letIn,
            Runnable limited,
            LongFunction<PoolState> stateAt,
            ListenerGuard listeners) {
        boolean over() {
            return closed.getAsBoolean();
        }
    }

    private final ReentrantLock lock = new ReentrantLock();
    private final PoolConfig parts;
    private final @Nullable Gate gate;
    private final @Nullable Resizer resizer;
    private final Owner owner;

    private volatile PoolMode mode;
    private volatile boolean limiting;
    /** Counted, for two switches between two ticks may lead back to the same mode. */
    private final AtomicInteger switches = new AtomicInteger();

    private PoolMode beforeMonitor = PoolMode.OBSERVE;

    /** In the mode to start in. If that limits, the pool has been prepared. */
    public ModeSwitch(PoolConfig parts, @Nullable Gate gate, @Nullable Resizer resizer, Owner owner) {
        this.parts = parts;
        this.gate = gate;
        this.resizer = resizer;
        this.owner = owner;
        this.mode = parts.sizing().mode();
        this.limiting = parts.limitsIn(mode);
        if (gate != null && resizer != null && !limiting) {
            resizer.close();
            gate.open(parts.ticker().nanos());
        }
        if (resizer != null && mode == PoolMode.ACT) {
            resizer.steered(parts.sizing().settings().min());
        }
    }

    public PoolMode mode() {
        return mode;
    }

    /** How many switches there have been. */
    int switches() {
        return switches.get();
    }

    /** Whether the gate limits the pool now. */
    public boolean limiting() {
        return limiting;
    }

    public boolean asksStrategies() {
        return mode != PoolMode.MONITOR;
    }

    /**
     * Goes to a mode.
     *
     * @return true if it is another one
     */
    public boolean mode(PoolMode wanted) {
        return changed(() -> wanted == mode ? null : wanted);
    }

    /** Back to what was before {@link PoolMode#MONITOR}. */
    public boolean limitAgain() {
        return changed(() -> mode == PoolMode.MONITOR ? beforeMonitor : null);
    }

    /**
     * A switch. Logs and listeners, which may block, come after the lock.
     *
     * @param wanted where to, asked under the lock; null for nowhere
     */
    private boolean changed(Supplier<@Nullable PoolMode> wanted) {
        List<Runnable> after = new ArrayList<>();
        lock.lock();
        try {
            PoolMode to = owner.over() ? null : wanted.get();
            if (to == null) {
                return false;
            }
            change(to, after);
        } finally {
            lock.unlock();
            finish(after);
        }
        return true;
    }

    /** Without the lock. */
    private void finish(List<Runnable> after) {
        after.forEach(step -> owner.listeners().guard("what follows a switch", step));
        if (!after.isEmpty()) {
            owner.listeners().settle();
        }
    }

    /** Under the lock. */
    private void change(PoolMode wanted, List<Runnable> after) {
        if (wanted == PoolMode.ACT) {
            checkActs();
        }
        PoolMode from = mode;
        boolean limits = parts.limitsIn(wanted);
        if (limits && !limiting) {
            limit();
        }
        if (wanted == PoolMode.MONITOR) {
            beforeMonitor = from;
        }
        // From here on the loop decides nothing for the old mode; what it is just about to do the resizer refuses.
        mode = wanted;
        switches.getAndIncrement();
        if (resizer != null) {
            if (wanted == PoolMode.ACT) {
                resizer.steered(parts.sizing().settings().min());
            } else if (from == PoolMode.ACT) {
                Resized event = resizer.unsteered(owner.stateAt());
                if (event != null) {
                    after.add(() -> resizer.log(event));
                }
            }
        }
        if (!limits && limiting) {
            letAllPass();
        }
        if (wanted == PoolMode.MONITOR) {
            after.add(owner.closeCircuit());
        }
        String described = describe();
        after.add(() -> LOG.info("{}: from {} to {}: {}", parts.name(), from.word(), wanted.word(), described));
    }

    private void limit() {
        if (gate != null && resizer != null) {
            resizer.resume(() -> parts.adapter().prepare(resizer.base(), resizer.ceiling()));
            owner.limited().run();
            gate.shut();
            limiting = true;
        }
    }

    private void letAllPass() {
        limiting = false;
        if (gate != null && resizer != null) {
            resizer.suspend(parts.adapter()::restore);
            gate.open(parts.ticker().nanos());
            owner.letIn().run();
        }
    }

    private void checkActs() {
        String can = null;
        if (resizer == null || !parts.sizing().ceilingKnown()) {
            can = "ceiling = none: must be given, or grow-on-wait.ceiling, when the pool is wrapped";
        } else if (parts.timeoutNanos() == Long.MAX_VALUE) {
            can = "acquisition-timeout = none: must be given, or the pool's "
                    + parts.adapter().acquisitionTimeoutKey() + " set, when the pool is wrapped";
        }
        if (can != null) {
            throw new IllegalArgumentException(parts.name() + ": mode = act: " + can);
        }
    }

    /** Moves base and ceiling. */
    public void limits(int base, int ceiling) {
        if (base < 1 || base > PoolConfig.LARGEST_BASE) {
            throw new IllegalArgumentException(
                    parts.name() + ": base = " + base + ": must be from 1 to " + PoolConfig.LARGEST_BASE);
        }
        checkCeiling(base, ceiling);
        List<Runnable> after = new ArrayList<>();
        lock.lock();
        try {
            if (resizer == null || !limiting || owner.over()) {
                throw new IllegalStateException(
                        parts.name() + (owner.over() ? ": is closed" : ": is only watched and has no limits"));
            }
            Resized event = resizer.limits(base, ceiling, owner.stateAt());
            after.add(() -> LOG.info("{}: base {} and ceiling {} asked for", parts.name(), base, ceiling));
            if (event != null) {
                after.add(() -> resizer.log(event));
            }
        } finally {
            lock.unlock();
            finish(after);
        }
    }

    private void checkCeiling(int base, int ceiling) {
        String rule = null;
        if (ceiling < base) {
            rule = "must not be below the base, " + base;
        } else if (ceiling > PoolConfig.LARGEST_CEILING) {
            rule = "must be at most " + PoolConfig.LARGEST_CEILING;
        } else if (parts.gated() && ceiling > parts.ceiling() && !parts.sizing().aboveCeiling()) {
            rule = "must not be above the configured ceiling, " + parts.ceiling()
                    + ", unless limits.allow-above-ceiling = true";
        }
        if (rule != null) {
            throw new IllegalArgumentException(parts.name() + ": ceiling = " + ceiling + ": " + rule);
        }
    }

    /** Runs what must not happen during a switch. */
    public boolean between(BooleanSupplier action) {
        lock.lock();
        try {
            return action.getAsBoolean();
        } finally {
            lock.unlock();
        }
    }

    private String describe() {
        if (mode == PoolMode.ACT) {
            return "the sizing controller moves the limit";
        }
        if (limiting) {
            return "bound, from the base on";
        }
        return mode == PoolMode.MONITOR ? "only watched; the pool's own sizes" : "watched and left as it is";
    }
}
