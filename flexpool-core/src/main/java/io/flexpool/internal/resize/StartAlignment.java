// SPDX-License-Identifier: Apache-2.0
package io.flexpool.internal.resize;

import io.flexpool.internal.context.PoolContext;
import io.flexpool.internal.gate.AdmissionState;
import io.flexpool.pool.PoolState;
import org.jspecify.annotations.Nullable;

/**
 * Holds a pool to its limit as soon as it exists. Some pools take their sizes with the first acquisition; those are prepared
 * for the ceiling, and would keep it. Thread-safe.
 */
public final class StartAlignment implements Runnable {
    /** A start that takes longer has the pool held to its limit before it gives a connection. */
    private static final long STUCK_START_NANOS = 1_000_000_000;

    /** What is asked, in a log line. */
    private static final String START = "the adapter's start";

    private final PoolContext context;
    private final AdmissionState admission;
    private final @Nullable Limiter limiter;
    /** Whether there was no pool yet when it began to be limited, so that it has the sizes that are for its start. */
    private volatile boolean unstarted;

    /** Of a pool that is about to be watched. */
    public StartAlignment(PoolContext context, @Nullable Limiter limiter) {
        this.context = context;
        this.limiter = limiter;
        this.admission = context.admissionState();
        admission.starting(context.mode().limiting());
        this.unstarted = admission.starting() && Boolean.FALSE.equals(started());
    }

    /** Asks the adapter whether the pool exists now, and holds it to its limit then; does nothing once that is done. */
    @Override
    public void run() {
        if (!admission.starting()) {
            return;
        }
        Boolean started = started();
        admission.starting(Boolean.FALSE.equals(started));
        if (Boolean.TRUE.equals(started) && limiter != null) {
            limiter.resizer().align();
        }
    }

    /**
     * After a failed attempt: a pool that exists is held to its limit although it has given no connection yet, and one that
     * could not start is not left with the sizes that were set for its start, for it may be used directly.
     */
    public void afterFailure() {
        if (mayHaveStarted() && limiter != null) {
            limiter.resizer().align();
        }
    }

    /** The same of a pool that exists before it has given or refused anything, or whose start hangs. */
    public void tick(PoolState state, long now) {
        if (mayHaveStarted()
                && limiter != null
                && state.entering() > 0
                && context.turnover().quietNanos(now) > STUCK_START_NANOS) {
            limiter.resizer().align();
        }
    }

    /** Asks once more whether it has started, if it had not; false if it has, and is held to its limit. */
    private boolean mayHaveStarted() {
        if (!unstarted || !admission.starting()) {
            return false;
        }
        run();
        return admission.starting();
    }

    /** The pool begins to be limited: the adapter may have something to do at its start. */
    void limited() {
        admission.starting(true);
        unstarted = Boolean.FALSE.equals(started());
    }

    /** Null if the adapter throws: then the pool is taken as started, and is not held to its limit here. */
    private @Nullable Boolean started() {
        return context.listeners().ask(START, context.adapter()::started, null);
    }
}
