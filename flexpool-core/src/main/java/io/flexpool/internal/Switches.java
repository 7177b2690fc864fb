// SPDX-License-Identifier: Apache-2.0
package io.flexpool.internal;

import io.flexpool.adapter.PoolAdapter;
import io.flexpool.pool.PoolState;
import io.flexpool.pool.Ticker;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import java.util.function.LongFunction;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What is done to a pool as a whole while it runs: from bound to watched and back, other limits, and its end. */
final class Switches {
    private static final Logger LOG = LoggerFactory.getLogger("io.flexpool");

    private final PoolParts parts;
    private final PoolAdapter adapter;
    private final Ticker ticker;
    private final @Nullable Gate gate;
    private final @Nullable Resizer resizer;
    private final @Nullable Steering steering;
    private final Circuit circuit;
    private final GuardedListeners listeners;
    private final BooleanSupplier closed;
    private final Runnable refuseAll;
    private final Runnable stop;
    private final Runnable unbind;
    /** Held while the pool turns from bound to watched or back, and while it closes. */
    private final ReentrantLock lock = new ReentrantLock();

    private volatile boolean onlyWatched;
    private volatile boolean released;

    /**
     * What the switches move.
     *
     * @param gate null if the pool is only watched from the start
     * @param resizer null in the same case
     * @param steering null in the same case
     * @param circuit closed when nothing limits any more
     * @param listeners are told of the end
     * @param closed whether requests are refused because it is over
     * @param refuseAll from then on they are
     * @param stop ends what runs for the pool
     * @param unbind lets the backends go
     */
    record Moved(
            @Nullable Gate gate,
            @Nullable Resizer resizer,
            @Nullable Steering steering,
            Circuit circuit,
            GuardedListeners listeners,
            BooleanSupplier closed,
            Runnable refuseAll,
            Runnable stop,
            Runnable unbind) {}

    Switches(PoolParts parts, Moved moved) {
        this.parts = parts;
        this.adapter = parts.adapter();
        this.ticker = parts.ticker();
        this.gate = moved.gate();
        this.resizer = moved.resizer();
        this.steering = moved.steering();
        this.circuit = moved.circuit();
        this.listeners = moved.listeners();
        this.closed = moved.closed();
        this.refuseAll = moved.refuseAll();
        this.stop = moved.stop();
        this.unbind = moved.unbind();
    }

    /** Whether somebody at run time wants the pool to be only watched: no strategy is asked. */
    boolean onlyWatched() {
        return onlyWatched;
    }

    /** Whether the watch has ended without the pool. */
    boolean released() {
        return released;
    }

    /** Lets all pass; nothing to do for a pool that is only watched or closed. */
    boolean watchOnly() {
        lock.lock();
        try {
            if ((gate == null && parts.strategies().isEmpty()) || onlyWatched || closed.getAsBoolean()) {
                return false;
            }
            onlyWatched = true;
            if (gate != null && resizer != null) {
                // First the pool, then the gate: who is let in finds room.
                resizer.suspend(adapter::restore);
                gate.open(ticker.nanos());
            }
            circuit.close();
            if (steering != null) {
                steering.grew();
            }
            LOG.info("{}: only watched from now on; the pool's own sizes are back", parts.name());
            return true;
        } finally {
            lock.unlock();
        }
    }

    boolean limitAgain() {
        lock.lock();
        try {
            if (!onlyWatched || closed.getAsBoolean()) {
                return false;
            }
            if (gate != null && resizer != null) {
                resizer.resume(() -> adapter.prepare(resizer.base(), resizer.ceiling()));
                gate.shut();
            }
            onlyWatched = false;
            LOG.info(
                    "{}: {}",
                    parts.name(),
                    parts.bound() ? "bound again, from the base" : "strategies are asked again");
            return true;
        } finally {
            lock.unlock();
        }
    }

    void limits(int base, int ceiling, LongFunction<PoolState> stateAt) {
        if (base < 1 || base > PoolParts.LARGEST_BASE) {
            throw new IllegalArgumentException(
                    parts.name() + ": base = " + base + ": must be from 1 to " + PoolParts.LARGEST_BASE);
        }
        if (ceiling < base) {
            throw new IllegalArgumentException(
                    parts.name() + ": ceiling = " + ceiling + ": must not be below the base, " + base);
        }
        lock.lock();
        try {
            if (resizer == null || onlyWatched || closed.getAsBoolean()) {
                throw new IllegalStateException(
                        parts.name() + (closed.getAsBoolean() ? ": is closed" : ": is only watched and has no limits"));
            }
            resizer.limits(base, ceiling, stateAt);
        } finally {
            lock.unlock();
        }
    }

    boolean close() {
        return end(false, adapter::close);
    }

    /** As close, but the pool stays open, with its own sizes. */
    boolean release() {
        return end(true, () -> {
            if (resizer != null && !onlyWatched) {
                resizer.suspend(adapter::restore);
            }
        });
    }

    @FunctionalInterface
    private interface Ending {
        void run() throws Exception;
    }

    private boolean end(boolean staysOpen, Ending ofThePool) {
        lock.lock();
        try {
            if (closed.getAsBoolean()) {
                return false;
            }
            // First this: whoever is inside and finds it closed would close the pool again.
            released = staysOpen;
            refuseAll.run();
        } finally {
            lock.unlock();
        }
        stop.run();
        if (gate != null) {
            // Those who wait get a permit, and with it the answer that the pool is closed.
            gate.open(ticker.nanos());
        }
        try {
            ofThePool.run();
        } catch (Exception thrown) {
            LOG.warn("{}: the pool's close threw", parts.name(), thrown);
        } finally {
            listeners.tell(listener -> listener.onClosed(parts.name()));
            // After that, for backends hear too.
            unbind.run();
        }
        return true;
    }
}
