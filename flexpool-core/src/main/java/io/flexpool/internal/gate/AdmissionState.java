// SPDX-License-Identifier: Apache-2.0
package io.flexpool.internal.gate;

import java.util.concurrent.atomic.AtomicIntegerFieldUpdater;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * Whether requests may take the direct path to the pool: it is open, neither paused nor draining, and the circuit
 * breaker is closed. Also whether the pool must still be aligned with its limit after the start. One word has all
 * flags, so that the direct path costs one volatile read before the pool's call and one after it. Thread-safe.
 */
public final class AdmissionState {
    private static final int CLOSED = 1;
    private static final int CIRCUIT = 2;
    private static final int START = 4;
    private static final int PAUSED = 8;
    private static final int DRAINING = 16;
    private static final AtomicIntegerFieldUpdater<AdmissionState> REASONS =
            AtomicIntegerFieldUpdater.newUpdater(AdmissionState.class, "reasons");

    /** Flags against the direct path. Written through {@link #REASONS} only. */
    @SuppressWarnings("unused") // through REASONS
    private volatile int reasons;

    /**
     * The queue of requests while a pool without a gate is paused; null before its first pause. An AtomicReference,
     * because {@link #REASONS} loads the classes of all fields, and a pool that is only watched needs no Gate.
     */
    private final AtomicReference<@Nullable Gate> holdQueue = new AtomicReference<>();

    /** Whether requests may take the direct path. */
    public boolean direct() {
        return (reasons & ~START) == 0;
    }

    /** Whether an acquired connection may be handed over without further work. */
    public boolean ordinary() {
        return reasons == 0;
    }

    /** Whether the pool's start needs attention: see {@code StartAlignment}. */
    public boolean starting() {
        return (reasons & START) != 0;
    }

    /** Whether monitoring has ended, with or without the pool. */
    public boolean closed() {
        return (reasons & CLOSED) != 0;
    }

    /** Refuses every further request. */
    public void close() {
        set(CLOSED, true);
    }

    /** Whether requests wait until the pool is resumed. */
    public boolean paused() {
        return (reasons & PAUSED) != 0;
    }

    /** Sets whether requests wait. */
    public void paused(boolean waits) {
        set(PAUSED, waits);
    }

    /** Whether newcomers are refused, because the pool is about to be closed. */
    public boolean draining() {
        return (reasons & DRAINING) != 0;
    }

    /** Refuses newcomers from now on. */
    public void drain() {
        set(DRAINING, true);
    }

    /** The queue of requests while a pool without a gate is paused; null before its first pause. */
    public @Nullable Gate holdQueue() {
        return holdQueue.get();
    }

    /** The requests of a pool without a gate that wait for the end of a pause, or are about to continue after it. */
    public int waitingOnHold() {
        Gate here = holdQueue();
        return here == null ? 0 : here.usedCount() + here.waitingCount();
    }

    /** Sets the queue, before the pool is paused. */
    public void holdQueue(Gate waitsHere) {
        holdQueue.set(waitsHere);
    }

    /** Whether requests must consult the circuit breaker. */
    void circuit(boolean consulted) {
        set(CIRCUIT, consulted);
    }

    /** Sets whether the pool's start needs attention. */
    public void starting(boolean needed) {
        set(START, needed);
    }

    private void set(int reason, boolean on) {
        int seen;
        do {
            seen = reasons;
        } while (!REASONS.compareAndSet(this, seen, on ? seen | reason : seen & ~reason));
    }
}
