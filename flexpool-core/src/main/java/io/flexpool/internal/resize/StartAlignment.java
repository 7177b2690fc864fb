// SPDX-License-Identifier: Apache-2.0
package io.flexpool.internal.resize;

import io.flexpool.internal.context.PoolContext;
import io.flexpool.internal.gate.AdmissionState;
import io.flexpool.pool.PoolState;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;

/**
 * Applies the limit to a pool as soon as the pool exists. Some pools take their sizes at the first acquisition; they
 * are prepared for the ceiling, and would keep it. Thread-safe.
 */
public final class StartAlignment implements Runnable, Callable<Boolean> {
    /** The time of a start after which the limit is applied before the pool has returned a connection. */
    private static final long STUCK_START_NANOS = 1_000_000_000;

    private final PoolContext context;
    private final AdmissionState admission;
    private final @Nullable Limiter limiter;
    /** Whether the pool did not exist when limiting began, so that it will start with the sizes meant for its start. */
    private volatile boolean unstarted;

    /** Creates the alignment of a pool that is about to be wrapped. */
    public StartAlignment(PoolContext context, @Nullable Limiter limiter) {
        this.context = context;
        this.limiter = limiter;
        this.admission = context.admissionState();
        admission.starting(context.mode().limiting());
        this.unstarted = admission.starting() && Boolean.FALSE.equals(started());
    }

    /** Applies the limit if, by the adapter, the pool exists now; does nothing once that is done. */
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
     * After a failed attempt: applies the limit to an existing pool without a lease so far. Also resets the sizes of a
     * pool that could not start, because the application may use it directly.
     */
    public void afterFailure() {
        if (mayHaveStarted() && limiter != null) {
            limiter.resizer().align();
        }
    }

    /** Like {@link #afterFailure}, for a pool that exists before its first result, or with a hanging start. */
    public void tick(PoolState state, long now) {
        if (mayHaveStarted()
                && limiter != null
                && state.entering() > 0
                && context.turnover().quietNanos(now) > STUCK_START_NANOS) {
            limiter.resizer().align();
        }
    }

    /** Checks again whether the pool has started; false if it has, and the limit is applied. */
    private boolean mayHaveStarted() {
        if (!unstarted || !admission.starting()) {
            return false;
        }
        run();
        return admission.starting();
    }

    /** Notes that limiting begins: the limit may have to be applied at the pool's start. */
    void limited() {
        admission.starting(true);
        unstarted = Boolean.FALSE.equals(started());
    }

    /** Null if the adapter throws: then the pool counts as started, and the limit is not applied here. */
    private @Nullable Boolean started() {
        return context.listeners().ask("the adapter's start", this, null);
    }

    /** Whether the pool has started. No lambda, which the first build would load as a class. */
    @Override
    public Boolean call() {
        return context.adapter().started();
    }
}
