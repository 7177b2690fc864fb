// SPDX-License-Identifier: Apache-2.0
package io.flexpool.internal.resize;

import io.flexpool.internal.context.PoolContext;
import io.flexpool.pool.PoolState;
import org.jspecify.annotations.Nullable;

/**
 * Holds a pool to its limit as soon as it exists. Some pools take their sizes when the first connection is asked for; those are prepared
 * for the ceiling, and would keep it. Thread-safe.
 */
public final class StartAlignment {
    /** A start that takes longer has the pool held to its limit before it gives a connection. */
    private static final long STUCK_START_NANOS = 1_000_000_000;

    private final PoolContext context;
    private final @Nullable Limiter limiter;
    /** Whether the adapter has nothing more to do at the pool's start. Set once; read without order, asked again at worst. */
    private boolean settled;
    /** Whether there was no pool yet when it began to be limited, so that it has the sizes that are for its start. */
    private volatile boolean unstarted;

    /** Of a pool that is about to be watched. */
    public StartAlignment(PoolContext context, @Nullable Limiter limiter) {
        this.context = context;
        this.limiter = limiter;
        this.settled = !context.mode().limiting();
        this.unstarted = !settled && !started();
    }

    /** Whether nothing is to be done any more. */
    public boolean settled() {
        return settled;
    }

    /** Asks the adapter whether the pool exists now, and holds it to its limit then. */
    public void settle() {
        if (context.listeners()
                .guard("the adapter's start", () -> settled = context.adapter().started())) {
            if (settled && limiter != null) {
                limiter.resizer().align();
            }
        } else {
            settled = true;
        }
    }

    /**
     * After a failed attempt: a pool that exists is held to its limit although it has given no connection yet, and one that
     * could not start is not left with the sizes that were set for its start, for it may be used directly.
     */
    public void afterFailure() {
        if (unstarted && !settled) {
            settle();
            if (!settled && limiter != null) {
                limiter.resizer().align();
            }
        }
    }

    /** The same of a pool that exists before it has given or refused anything, or whose start hangs. */
    public void tick(PoolState state, long now) {
        if (unstarted && !settled) {
            settle();
            boolean stuck = state.entering() > 0 && context.turnover().quietNanos(now) > STUCK_START_NANOS;
            if (!settled && limiter != null && stuck) {
                limiter.resizer().align();
            }
        }
    }

    /** The pool begins to be limited: the adapter may have something to do at its start. */
    void limited() {
        settled = false;
        unstarted = !started();
    }

    private boolean started() {
        try {
            return context.adapter().started();
        } catch (Throwable thrown) {
            context.listeners().failed("the adapter's start", thrown);
            return true;
        }
    }
}
