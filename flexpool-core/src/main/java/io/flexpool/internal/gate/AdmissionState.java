// SPDX-License-Identifier: Apache-2.0
package io.flexpool.internal.gate;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * Whether requests may take the direct path to the pool: not once the pool is closed, nor while the circuit is not closed. One
 * word for both reasons, so that the direct path pays one volatile read. Thread-safe.
 */
public final class AdmissionState {
    private static final int CLOSED = 1;
    private static final int CIRCUIT = 2;
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
        return reasons == 0;
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
        if (asked) {
            REASONS.getAndBitwiseOr(this, CIRCUIT);
        } else {
            REASONS.getAndBitwiseAnd(this, ~CIRCUIT);
        }
    }
}
