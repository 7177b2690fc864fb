// SPDX-License-Identifier: Apache-2.0
package io.flexpool.internal;

import io.flexpool.internal.config.PoolConfig.Consulted;
import java.util.List;

/**
 * When each strategy is to be asked about one request that waits. Asking costs a look at the whole pool: of many who
 * wait long, each asks less and less often. Used by one thread.
 */
final class ConsultSchedule {
    static final long NEVER = Long.MAX_VALUE;
    private static final long AT_LEAST_NANOS = 10_000_000;
    private static final long SOON_NANOS = 20_000_000;

    private final long[] dueNanos;
    private final long[] pauseNanos;

    ConsultSchedule(List<Consulted> strategies, long requestedNanos) {
        dueNanos = new long[strategies.size()];
        pauseNanos = new long[strategies.size()];
        for (int at = 0; at < dueNanos.length; at++) {
            long after = strategies.get(at).afterNanos();
            dueNanos[at] = after == NEVER ? NEVER : requestedNanos + after;
            pauseNanos[at] = after / 2;
        }
    }

    /** Whether the strategy at that place is due; if so, its next time is set. */
    boolean take(int at, long nowNanos) {
        if (dueNanos[at] == NEVER || nowNanos - dueNanos[at] < 0) {
            return false;
        }
        pauseNanos[at] = Math.max(AT_LEAST_NANOS, 2 * pauseNanos[at]);
        dueNanos[at] = nowNanos + pauseNanos[at];
        return true;
    }

    /** The strategy at that place could not decide, and is to be consulted again soon. */
    void again(int at, long nowNanos) {
        dueNanos[at] = earlier(dueNanos[at], nowNanos + SOON_NANOS);
    }

    /** When the next one is due, or {@code end} if that is earlier; either may be {@link #NEVER}. */
    long nextDue(long end) {
        long next = end;
        for (long due : dueNanos) {
            next = earlier(next, due);
        }
        return next;
    }

    /** The clock's origin is arbitrary, so times compare by difference; but "never" does not. */
    static long earlier(long one, long other) {
        return one == NEVER || (other != NEVER && other - one < 0) ? other : one;
    }
}
