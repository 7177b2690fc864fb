// SPDX-License-Identifier: Apache-2.0
package io.flexpool.internal.resize;

import io.flexpool.adapter.PoolAdapter.Capability;
import io.flexpool.diagnostics.Decision.RefusedGrowth.Reason;
import io.flexpool.event.PoolEvent.ResizeCause;
import io.flexpool.internal.context.PoolContext;
import io.flexpool.internal.event.Events;
import io.flexpool.internal.event.Events.Resized;
import io.flexpool.internal.gate.Gate;
import io.flexpool.internal.gate.Limits;
import io.flexpool.pool.PoolMode;
import io.flexpool.pool.PoolSnapshot;
import io.flexpool.pool.PoolState;
import java.time.Duration;
import java.util.OptionalInt;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Changes the limit of a pool. Every change is made by {@link #move(PoolState, int, ResizeCause)}, under one lock and
 * from one reading of the pool. Thread-safe.
 *
 * <p>Up: first the pool, then the gate, so that no request gets a permit while the pool is at its max. Down: first the
 * gate, then the pool.
 */
public final class Resizer {
    private static final Logger LOG = LoggerFactory.getLogger("io.flexpool");

    private static final int NOT_STEERED = -1;
    /** How long a mode switch waits for the pool's setters to return. */
    private static final Duration PATIENCE = Duration.ofSeconds(2);

    /**
     * The result of a request for growth.
     *
     * @param reason why growth was refused (it would not help, or is not allowed); null if it was not refused
     */
    public record Growth(Result result, @Nullable Reason reason) {
        /** The limit was raised. */
        public static final Growth GREW = new Growth(Result.GREW, null);
        /** All permits are used, but it is unknown whether connections are being acquired: the caller retries soon. */
        public static final Growth UNCLEAR = new Growth(Result.UNCLEAR, null);
        /** A connection is free, being handed over, or still opening: no further connection is needed yet. */
        public static final Growth NOT_NEEDED = new Growth(Result.NOT_NEEDED, null);
        /** Another thread is changing the limit. */
        public static final Growth BUSY = new Growth(Result.BUSY, null);

        /** The result of the request. */
        public enum Result {
            GREW,
            REFUSED,
            NOT_NEEDED,
            UNCLEAR,
            BUSY
        }

        /** Returns the result for growth that was refused. */
        public static Growth refused(Reason reason) {
            return new Growth(Result.REFUSED, reason);
        }
    }

    private final ReentrantLock lock = new ReentrantLock();
    private final PoolContext context;
    private final Gate gate;
    private final Limits limits;
    private final boolean resizesPool;
    /** The highest ceiling that the pool has been prepared for. */
    private int preparedFor;

    /** The lowest limit of the sizing controller; {@link #NOT_STEERED} if it does not act. */
    private volatile int steeredFrom = NOT_STEERED;

    /** Closed for good, or suspended while the pool is only observed. */
    private volatile boolean off;

    private final GrowthStop stop;

    private volatile long lastGrowthNanos;
    private volatile boolean everGrew;
    /** How often the limit has grown. Guarded by the lock. */
    private int growths;

    /** When a connect failure last reduced the limit. */
    private volatile long revertedNanos;

    /** Whether the base is the pool's own max, because no base is configured. */
    private volatile boolean followsOwnMax;
    /** The max that the application has set since the pool was wrapped; 0 without a change. */
    private volatile int rebound;
    /** Whether the pool accepted the last limit. */
    private volatile boolean follows = true;

    public Resizer(PoolContext context, Gate gate) {
        this.context = context;
        this.gate = gate;
        this.limits = context.limits();
        this.resizesPool = context.adapter().capabilities().contains(Capability.LIVE_RESIZE);
        this.preparedFor = limits.configuredCeiling();
        this.stop = new GrowthStop(context);
        this.lastGrowthNanos = context.nanos();
        this.revertedNanos = lastGrowthNanos;
        this.followsOwnMax = resizesPool && !context.config().baseGiven();
    }

    long lastGrowthNanos() {
        return lastGrowthNanos;
    }

    public boolean grewSince(long nanos) {
        return everGrew && lastGrowthNanos - nanos >= 0;
    }

    /**
     * Raises the limit for waiting requests if that can help. It can if all permits are leased, or used while
     * connections are being acquired. The pool must have all connections open, without a recent refusal by the
     * database, and its holders must not wait for locks. While the sizing controller acts, it alone decides.
     *
     * @param needed how many more connections the waiting requests could use now
     * @return the result
     */
    public Growth grow(int needed) {
        Reason stays = staysAt(gate.limit(), context.nanos());
        if (stays != null) {
            return Growth.refused(stays);
        }
        if (!lock.tryLock()) {
            // A requesting thread does not wait for a lock beyond its timeout or an interrupt.
            return Growth.BUSY;
        }
        Resized event;
        try {
            long now = context.nanos();
            PoolState state = context.state(now);
            // Another thread may have raised the limit during the wait for the lock: then not all permits are leased.
            stays = context.adapter().isClosed() ? Reason.CLOSED : staysAt(state.limit(), now);
            if (stays != null) {
                return Growth.refused(stays);
            }
            int wanted = Math.max(1, needed);
            if (!exhausted(state, gate.spared())) {
                Growth unwanted = unlessConnectionsCome(state, now);
                if (unwanted != null) {
                    return unwanted;
                }
                // Requests that were admitted since growth was requested need no further connection.
                wanted = Math.min(wanted, state.waiting());
            }
            event = move(state, (int) Math.min(limits.ceiling(), (long) state.limit() + wanted), ResizeCause.DEMAND);
        } finally {
            lock.unlock();
        }
        announce(event);
        return event == null ? Growth.refused(Reason.POOL) : Growth.GREW;
    }

    /** Whether every connection is in use, without the permits that are reserved for a class without waiters. */
    private static boolean exhausted(PoolState state, int spared) {
        int needed = state.limit() - spared;
        int total = state.pool().total();
        return state.leased() + state.foreign() >= needed && (total == PoolSnapshot.UNKNOWN || total >= needed);
    }

    /** Returns why the limit may not grow now; null if it may. */
    private @Nullable Reason staysAt(int limit, long now) {
        if (off) {
            return context.mode().mode() == PoolMode.MONITOR ? Reason.MONITOR : Reason.CLOSED;
        }
        if (context.admissionState().paused() || context.admissionState().draining()) {
            return Reason.PAUSED;
        }
        if (steeredFrom != NOT_STEERED) {
            return Reason.SIZING;
        }
        if (limit >= limits.ceiling()) {
            return limits.capped(limit) != null ? Reason.CAP : Reason.CEILING;
        }
        if (refusing(now)) {
            return Reason.OUTAGE;
        }
        if (stop.moving(now)) {
            return Reason.FAILOVER;
        }
        return lockedUp(now) ? Reason.LOCKED : null;
    }

    /**
     * Decides when not all permits are leased. If all are used, also by requests inside the pool, and connections are
     * being acquired, the leases are too short to be observed. If no connection is acquired, the pool cannot connect.
     *
     * @return null if the limit may rise, otherwise the result
     */
    private @Nullable Growth unlessConnectionsCome(PoolState state, long now) {
        int used = state.leased() + state.entering() + state.foreign();
        if (lacks(state) || used < state.limit() || state.waiting() == 0) {
            return Growth.NOT_NEEDED;
        }
        return switch (context.turnover().comes(now)) {
            case YES -> null;
            case NO -> Growth.refused(Reason.OUTAGE);
            case UNKNOWN -> Growth.UNCLEAR;
        };
    }

    /**
     * Applies a decision: a step of the sizing controller, up or down, or the return of growth. Leases beyond a lower
     * limit continue. The caller delivers the event.
     *
     * @param decidedAt the limit for which the decision was made; if it has changed since, nothing happens
     * @return whether the limit now equals {@code wanted}
     */
    boolean move(int decidedAt, int wanted, ResizeCause cause) {
        Resized event = null;
        lock.lock();
        try {
            long now = context.nanos();
            PoolState state = context.state(now);
            boolean due = state.limit() == decidedAt && (cause != ResizeCause.SIZING || steeredFrom != NOT_STEERED);
            if (due && (wanted < decidedAt || !(lacks(state) || refusing(now) || lockedUp(now)))) {
                event = move(state, wanted, cause);
            }
        } finally {
            lock.unlock();
        }
        log(event);
        return event != null && event.to() == wanted;
    }

    /**
     * Changes the limit, within the current bounds, and queues the event. Called under the lock, so that listeners
     * receive the changes in order; the event is delivered after the lock is released, because a listener may be slow.
     *
     * @return the event to log; null if the limit stays, also because the pool did not follow
     */
    private @Nullable Resized move(PoolState state, int wanted, ResizeCause cause) {
        int from = gate.limit();
        boolean steered = cause == ResizeCause.SIZING || (cause == ResizeCause.CAP && steeredFrom != NOT_STEERED);
        int least = steered ? Math.min(steeredFrom, limits.base()) : limits.base();
        int to = Math.max(least, Math.min(most(state), wanted));
        // Limits set by a user apply even if the pool does not follow.
        if (off || to == from || (to > from && !resizePool(to) && cause != ResizeCause.MANUAL)) {
            return null;
        }
        long now = context.nanos();
        if (to > from) {
            lastGrowthNanos = now;
            stop.grows(state);
            everGrew = true;
            growths++;
            gate.limit(to, now);
            context.recorder().grew();
        } else {
            gate.limit(to, now);
            context.recorder().shrank();
            resizePool(to);
        }
        Limits.Cap cap = cause == ResizeCause.CAP ? limits.capper() : null;
        String part = cap == null ? null : cap.part();
        Resized event = new Events.Resized(context.name(), from, to, cause, part, state);
        context.listeners().raise(event);
        return event;
    }

    /**
     * Sets the cap of the limit; a limit that was at the base rises with the base. A higher cap is accepted only while
     * the database refuses no connections.
     *
     * @return the limit before if it has moved; empty if it stays
     */
    public OptionalInt cap(int connections) {
        lock.lock();
        try {
            if (connections > limits.cap() && refusing(context.nanos())) {
                return OptionalInt.empty();
            }
            int baseBefore = limits.base();
            limits.cap(connections);
            int limit = gate.limit();
            int wanted = limit >= baseBefore ? Math.max(limit, limits.base()) : limit;
            boolean moved =
                    context.mode().limiting() && move(context.state(context.nanos()), wanted, ResizeCause.CAP) != null;
            return moved ? OptionalInt.of(limit) : OptionalInt.empty();
        } finally {
            lock.unlock();
        }
    }

    /** Lets the sizing controller change the limit, not below a minimum. */
    void steered(int min) {
        lock.lock();
        try {
            steeredFrom = min;
        } finally {
            lock.unlock();
        }
    }

    /** Ends the sizing controller's control and restores the base. Returns a result like {@link #limits}. */
    @Nullable
    Resized unsteered() {
        lock.lock();
        try {
            steeredFrom = NOT_STEERED;
            return move(context.state(context.nanos()), limits.base(), ResizeCause.MANUAL);
        } finally {
            lock.unlock();
        }
    }

    /**
     * Changes base and ceiling, and the limit if it is outside their range. The caller delivers the event.
     *
     * @return the event to log; null if the limit stays
     * @throws IllegalArgumentException if the pool cannot be prepared for that ceiling; then nothing has changed
     */
    @Nullable
    Resized limits(int newBase, int newCeiling) {
        lock.lock();
        try {
            if (newCeiling > preparedFor) {
                context.adapter().prepare(newBase, newCeiling);
                preparedFor = newCeiling;
            }
            limits.set(newBase, newCeiling);
            followsOwnMax = false;
            Resized event = move(context.state(context.nanos()), gate.limit(), ResizeCause.MANUAL);
            if (event == null) {
                // Preparing may have moved the pool's max.
                resizePool(gate.limit());
            }
            return event;
        } finally {
            lock.unlock();
        }
    }

    /** Ends all changes of the limit. */
    void close() {
        off = true;
    }

    /** Stops growth for a while, because all connections are reopened and requests wait for them. */
    public void movesToAnotherServer() {
        stop.moves();
    }

    /** Stops all changes until {@link #resume}, and restores the pool's own sizes under the same lock. */
    public void suspend() {
        lock.lock();
        try {
            off = true;
            callPool("restore", this::restoreSizes);
        } catch (Exception thrown) {
            context.listeners().failed("the adapter's restore", thrown);
        } finally {
            lock.unlock();
        }
    }

    private void restoreSizes() {
        context.adapter().restore();
        int own = rebound;
        if (own > 0 && resizesPool) {
            context.adapter().resize(own);
        }
    }

    /**
     * Resumes changes, starting at the base (the pool's own max without a configured base). No effect if the pool
     * cannot be prepared.
     *
     * @throws IllegalStateException if the pool's call does not return
     */
    void resume() {
        lock.lock();
        try {
            int ceiling = limits.configuredCeiling();
            AtomicInteger own = new AtomicInteger(rebound);
            AtomicInteger base = new AtomicInteger(limits.configuredBase());
            boolean returned = callPool("prepare", () -> {
                int max = followsOwnMax ? context.adapter().snapshot().max() : 0;
                if (max > 0 && max != ownMax()) {
                    own.set(max);
                    base.set(Math.min(max, ceiling));
                }
                context.adapter().prepare(Math.min(base.get(), limits.cap()), ceiling);
            });
            if (!returned) {
                throw new IllegalStateException(
                        context.name() + ": the mode was not changed: the adapter's prepare() has not returned for "
                                + PATIENCE.toMillis() + " ms");
            }
            rebound = own.get();
            limits.set(base.get(), ceiling);
            gate.limit(limits.base(), context.nanos());
            follows = true;
            off = false;
        } catch (RuntimeException refused) {
            throw refused;
        } catch (Exception notThrown) {
            throw new IllegalStateException(notThrown);
        } finally {
            lock.unlock();
        }
    }

    /** The pool's own max, as far as known: at its wrapping, or set by the application since. */
    private int ownMax() {
        return rebound > 0 ? rebound : context.config().base();
    }

    /**
     * Runs a call that changes the pool's sizes, and that the pool's own lock may block, for example during its start.
     * If a call returns too late, the then current sizes are applied.
     *
     * @return whether it has returned in time
     */
    private boolean callPool(String what, Runnable call) throws Exception {
        String who = "the adapter's " + what + "()";
        return context.listeners().bounded(what, who, PATIENCE, Executors.callable(call), this::resizeLate);
    }

    private void resizeLate() {
        lock.lock();
        try {
            if (!off) {
                resizePool(gate.limit());
            } else if (!context.admissionState().closed()) {
                context.listeners().guard("the adapter's restore", this::restoreSizes);
            }
        } finally {
            lock.unlock();
        }
    }

    /**
     * Follows the application's change of the running pool's max. Without a configured base the max becomes the base,
     * and a limit at the base follows; otherwise the pool keeps flexpool's limit. The caller delivers the event.
     *
     * @param seen the pool's max, read twice
     * @param limit the limit then
     * @return the resulting change; null without one
     */
    @Nullable
    Rebound rebound(int seen, int limit) {
        lock.lock();
        try {
            PoolState state = context.state(context.nanos());
            if (off || !follows || gate.limit() != limit || state.pool().max() != seen) {
                return null;
            }
            int before = limits.configuredBase();
            if (!followsOwnMax) {
                resizePool(limit);
                return new Rebound(before, before, null);
            }
            rebound = seen;
            boolean atRest = limit == limits.base();
            limits.set(Math.min(seen, limits.configuredCeiling()), limits.configuredCeiling());
            Resized event = move(state, atRest ? limits.base() : limit, ResizeCause.MANUAL);
            if (event == null) {
                resizePool(gate.limit());
            }
            return new Rebound(before, limits.configuredBase(), event);
        } finally {
            lock.unlock();
        }
    }

    /**
     * The result of the application's change of the pool's max.
     *
     * @param event the move of the limit; null if it stays
     */
    record Rebound(int before, int base, @Nullable Resized event) {}

    /**
     * Stops growth for a while, because a request failed while the database could not be reached.
     *
     * @param presumed whether the outage is inferred only because no connection was acquired, and not from a failed
     *     connect. The stop then ends when more connections have been acquired than could have been in progress.
     */
    public void hold(boolean presumed) {
        stop.begin(presumed);
    }

    /**
     * Stops growth for a while, because the database refused a connection or does not answer, and reverts growth
     * without connections. If all connections were leased when the database went away, the pool may have grown by one
     * step before the first connect could fail.
     *
     * @param state the pool when the connect failed; if the limit has moved since, nothing is reverted
     * @param beganNanos when the failed request began
     */
    public void connectFailed(boolean presumed, PoolState state, long beganNanos) {
        hold(presumed);
        if (state.limit() <= limits.base()) {
            return;
        }
        Resized event = null;
        lock.lock();
        try {
            boolean late = beganNanos - revertedNanos < 0;
            if (!presumed) {
                stop.refused(state, growths, late);
            }
            int connected = Math.max(limits.base(), stop.opened(state));
            if (!late && connected < state.limit() && gate.limit() == state.limit()) {
                event = move(state, connected, ResizeCause.CONNECT_FAILURE);
                revertedNanos = context.nanos();
            }
        } finally {
            lock.unlock();
        }
        announce(event);
    }

    /** Sets the physical limit of a pool that exists now to the limit in force. */
    public void align() {
        lock.lock();
        try {
            if (!off) {
                resizePool(gate.limit());
            }
        } finally {
            lock.unlock();
        }
    }

    private boolean refusing(long now) {
        return stop.lasts(now, gate.limit());
    }

    /** Whether growth stops for longer than after a single connect failure. */
    boolean refusesLong(long now) {
        return stop.lastsLong(now);
    }

    /** The highest limit that growth may set: after refused connections, a step above the present one. */
    int most(PoolState state) {
        return Math.max(limits.base(), Math.min(limits.ceiling(), stop.most(state)));
    }

    /** Whether the holders wait for locks in the server: more connections would only add waits for locks. */
    private boolean lockedUp(long now) {
        return context.insight().lockedUp(now);
    }

    /** Whether the pool has fewer connections open than the limit allows, as far as it reports them. */
    private static boolean lacks(PoolState state) {
        return state.pool().total() != PoolSnapshot.UNKNOWN && state.pool().total() < state.limit();
    }

    /** Whether the pool's max follows the limit. */
    boolean resizesPool() {
        return resizesPool;
    }

    private boolean resizePool(int to) {
        if (!resizesPool) {
            return true;
        }
        follows = context.listeners()
                .guard("the adapter's resize", () -> context.adapter().resize(to));
        return follows;
    }

    private void announce(@Nullable Resized event) {
        log(event);
        if (event != null) {
            context.listeners().deliver();
        }
    }

    /** Logs the event. Called without a lock, because logging may block. */
    void log(@Nullable Resized event) {
        if (event != null && event.cause() != ResizeCause.SIZING && event.cause() != ResizeCause.CALM) {
            // The sizing controller's decisions, and returns of any number of steps, are logged elsewhere.
            context.listeners().guard("the log appender", () -> LOG.info("{}", event.describe()));
        }
    }
}
