// SPDX-License-Identifier: Apache-2.0
package io.flexpool.internal.gate;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * Whether requests may take the direct path to the pool: not once the pool is closed, nor while the circuit is not closed; and
 * whether the pool is still to be aligned with its limit after its start. One word for all of it, so that the direct path pays
 * one volatile read before the pool's call and one after it. Thread-safe.
 */
public final class AdmissionState {
    private static final int CLOSED = 1;
    private static final int CIRCUIT = 2;
    private static final int START = 4;
    private static final VarHandle REASONS;

    static {
        try {
            REASONS = MethodHandles.lookup().findVarHandle(AdmissionState.class, "reasons", int.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    /** Why not. Written through {@link #REASONS} only. */
    @SuppressWarnings("unused") // through REASONS
    private volatile int reasons;

    /** Whether nothing keeps a request from the direct path. */
    public boolean direct() {
        return (reasons & ~START) == 0;
    }

    /** Whether a connection that has just come may be handed over with nothing else to do. */
    public boolean ordinary() {
        return reasons == 0;
    }

    /** Whether the pool's start needs attention: see {@code StartAlignment}. */
    public boolean starting() {
        return (reasons & START) != 0;
    }

    /** Whether the watch has ended, with the pool or without. */
    public boolean closed() {
        return (reasons & CLOSED) != 0;
    }

    /** From now on every request is refused. */
    public void close() {
        REASONS.getAndBitwiseOr(this, CLOSED);
    }

    /** Whether the circuit is to be asked. */
    void circuit(boolean asked) {
        set(CIRCUIT, asked);
    }

    /** Whether the pool's start needs attention. */
    public void starting(boolean needed) {
        set(START, needed);
    }

    private void set(int reason, boolean on) {
        if (on) {
            REASONS.getAndBitwiseOr(this, reason);
        } else {
            REASONS.getAndBitwiseAnd(this, ~reason);
        }
    }
}
