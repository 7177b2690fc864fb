// SPDX-License-Identifier: Apache-2.0
package io.flexpool.internal.resize;

import io.flexpool.diagnostics.Decision.RefusedGrowth.Reason;
import io.flexpool.internal.config.PoolConfig;
import io.flexpool.internal.context.PoolContext;
import io.flexpool.pool.PoolMode;
import io.flexpool.pool.PoolState;
import org.jspecify.annotations.Nullable;

/**
 * Reports that requests wait for a pool that has a ceiling and nothing that would grow it up to there: a ceiling alone
 * makes no pool grow, contrary to what its name suggests. Used by the loop's thread alone.
 */
public final class UnusedCeiling {
    /** Ticks in a row in which requests wait: a quarter of a second lies between two. */
    private static final int TICKS = 2;

    private final PoolContext context;
    private int waiting;

    private UnusedCeiling(PoolContext context) {
        this.context = context;
    }

    /** Of a pool; null if it has no ceiling, or a strategy that grows up to it. */
    public static @Nullable UnusedCeiling of(PoolContext context) {
        PoolConfig config = context.config();
        return config.ceilingKnown() && !config.grows() ? new UnusedCeiling(context) : null;
    }

    /** Once a tick. */
    public void tick(long now, PoolState state) {
        waiting = wanting(state) ? waiting + 1 : 0;
        // In the mode adapt the controller grows, and the mode monitor was asked to change nothing.
        if (waiting == TICKS && context.mode().mode() == PoolMode.RECOMMEND) {
            context.refusedGrowths().add(Reason.NOT_ENABLED, state, now);
        }
    }

    /** Whether requests wait, every connection is in use, and the ceiling leaves room. */
    private boolean wanting(PoolState state) {
        int most = state.bound() ? state.limit() : state.pool().max();
        return state.pending() > 0
                && most > 0
                && state.leased() + state.foreign() >= most
                && most < context.config().ceiling();
    }
}
