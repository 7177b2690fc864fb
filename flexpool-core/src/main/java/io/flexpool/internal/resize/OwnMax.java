// SPDX-License-Identifier: Apache-2.0
package io.flexpool.internal.resize;

import io.flexpool.internal.context.PoolContext;
import io.flexpool.internal.shared.Words;
import io.flexpool.pool.PoolState;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Detects that the application has changed the max of a running pool that flexpool resizes, for example by rebinding
 * configuration, and sets the base to this max. Used by the loop's thread alone.
 */
public final class OwnMax {
    private static final Logger LOG = LoggerFactory.getLogger("io.flexpool");

    private final PoolContext context;
    private final @Nullable Limiter limiter;
    /** The pool's max and the limit at the last tick, if they differed. During a resize they differ for a moment. */
    private int seenMax;

    private int seenLimit;
    /** The max that flexpool last overrode, so that this is logged once. */
    private int overridden;

    /** Without a limiter, {@link #tick} has no effect. */
    public OwnMax(PoolContext context, @Nullable Limiter limiter) {
        this.context = context;
        this.limiter = limiter;
    }

    /** Called once a tick while the gate limits the pool. */
    public void tick(PoolState state) {
        int max = state.pool().max();
        if (limiter == null
                || !limiter.resizer().resizesPool()
                || max < 1
                || max == state.limit()
                || context.admissionState().starting()) {
            seenMax = 0;
            return;
        }
        if (max != seenMax || state.limit() != seenLimit) {
            seenMax = max;
            seenLimit = state.limit();
            return;
        }
        seenMax = 0;
        Resizer.Rebound done = limiter.resizer().rebound(max, state.limit());
        if (done != null) {
            context.listeners().guard("the log appender", () -> report(max, state.limit(), done));
            limiter.resizer().log(done.event());
            limiter.maintenance().wake();
        }
    }

    private void report(int max, int limit, Resizer.Rebound done) {
        if (done.before() != done.base()) {
            LOG.info(
                    "{}: the application set the pool's max to {}: base {} -> {}, ceiling {}",
                    context.name(),
                    max,
                    done.before(),
                    done.base(),
                    context.limits().configuredCeiling());
        } else if (max != overridden) {
            overridden = max;
            LOG.warn(
                    "{}: the application set the pool's max to {}; flexpool has reset it to the limit of {}:"
                            + " base {}, ceiling {}",
                    context.name(),
                    max,
                    Words.count(limit, "connection"),
                    done.base(),
                    context.limits().configuredCeiling());
        }
    }
}
