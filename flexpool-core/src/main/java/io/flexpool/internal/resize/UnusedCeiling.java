// SPDX-License-Identifier: Apache-2.0
package io.flexpool.internal.resize;

import io.flexpool.diagnostics.Decision.RefusedGrowth.Reason;
import io.flexpool.internal.config.PoolConfig;
import io.flexpool.internal.context.PoolContext;
import io.flexpool.pool.PoolMode;
import io.flexpool.pool.PoolState;
import org.jspecify.annotations.Nullable;

/**
 * Reports that requests wait for a pool with a ceiling, but without a strategy that grows. A ceiling alone does not
 * make a pool grow, contrary to its name. Used by the loop's thread alone.
 */
public final class UnusedCeiling {
    /** Consecutive ticks with waiting requests before the report; ticks are a quarter of a second apart. */
    private static final int TICKS = 2;

    private final PoolContext context;
    private int waiting;

    private UnusedCeiling(PoolContext context) {
        this.context = context;
    }

    /** Creates the check of a pool; null without a ceiling, or with a strategy that grows. */
    public static @Nullable UnusedCeiling of(PoolContext context) {
        PoolConfig config = context.config();
        return config.ceilingKnown() && !config.grows() ? new UnusedCeiling(context) : null;
    }

    /** Called once a tick. */
    public void tick(long now, PoolState state) {
        waiting = wanting(state) ? waiting + 1 : 0;
        // In mode adapt the controller grows, and mode monitor must not change the pool.
        if (waiting == TICKS && context.mode().mode() == PoolMode.RECOMMEND) {
            context.refusedGrowths().add(Reason.NOT_ENABLED, state, now);
        }
    }

    /** Whether requests wait, every connection is in use, and the limit is below the ceiling. */
    private boolean wanting(PoolState state) {
        int most = state.bound() ? state.limit() : state.pool().max();
        return state.pending() > 0
                && most > 0
                && state.leased() + state.foreign() >= most
                && most < context.config().ceiling();
    }
}
