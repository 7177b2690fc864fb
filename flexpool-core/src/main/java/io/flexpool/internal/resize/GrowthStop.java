// SPDX-License-Identifier: Apache-2.0
package io.flexpool.internal.resize;

import io.flexpool.internal.context.PoolContext;
import io.flexpool.internal.sizing.SizingSettings;
import io.flexpool.pool.PoolState;

/**
 * Stops growth while connections cannot be opened, and limits the steps after a refusal. A server that has no
 * connection left refuses all connections above its limit, however often the pool tries. So after a refused step the
 * limit grows by one. Each step that fails again doubles the stop, up to a minute; each minute without a failure halves
 * it, and each step whose connections open doubles the next step. Thread-safe; {@link #refused} and {@link #grows} are called under the resizer's lock.
 */
final class GrowthStop {
    private static final long FIRST_NANOS = SizingSettings.AFTER_CONNECT_FAILURE.toNanos();
    private static final long LONGEST_NANOS = 12 * FIRST_NANOS;

    private final PoolContext context;

    private volatile long refusedNanos;
    /** How long growth stops after a refusal; 0 before the first. */
    private volatile long stopNanos;

    /** As the refusal, for an outage presumed because no connection was acquired. New connections disprove it. */
    private volatile long presumedNanos;

    private volatile long presumedStop;
    private volatile long acquired;

    private volatile long movedNanos;
    private volatile long movedStop;

    /** The largest next step; 0 if the server has refused none. */
    private volatile int step;
    /** The most connections that were open when the server refused one more, or since. */
    private volatile int opened;
    /** The number of growths of the limit at the last refused step. A late failure is of an earlier step. */
    private int counted;

    GrowthStop(PoolContext context) {
        this.context = context;
        long now = context.nanos();
        this.refusedNanos = now;
        this.presumedNanos = now;
        this.movedNanos = now;
    }

    /** Stops growth, because a request failed while the database could not be reached. */
    void begin(boolean presumed) {
        long now = context.nanos();
        if (presumed) {
            acquired = context.recorder().acquired();
            presumedNanos = now;
            presumedStop = FIRST_NANOS;
        } else {
            long quietMinutes = Math.min((now - refusedNanos) / LONGEST_NANOS, Long.SIZE - 1);
            stopNanos = Math.max(FIRST_NANOS, stopNanos >> quietMinutes);
            refusedNanos = now;
        }
    }

    /** Stops growth, because all connections are reopened on another server, which may have other limits. */
    void moves() {
        step = 0;
        stopNanos = 0;
        movedNanos = context.nanos();
        movedStop = FIRST_NANOS;
    }

    /** Whether growth stops for a move to another server. */
    boolean moving(long now) {
        return now - movedNanos < movedStop;
    }

    /** Whether growth stops for connect failures. A presumed outage ends when more came than could be on their way. */
    boolean lasts(long now, int limit) {
        return now - refusedNanos < stopNanos
                || (now - presumedNanos < presumedStop && context.recorder().acquired() - acquired <= limit);
    }

    /** Whether growth stops for longer than after a single connect failure. */
    boolean lastsLong(long now) {
        return now - refusedNanos < stopNanos - FIRST_NANOS;
    }

    /**
     * Takes a connect failure of a pool. A step may fail several requests: they count once.
     *
     * @param growths how often the limit has grown
     * @param late whether the request began before the limit was last reduced, when more permits existed
     */
    void refused(PoolState state, int growths, boolean late) {
        int open = open(state);
        if (growths != counted && !late) {
            counted = growths;
            stopNanos = step == 1 && open <= opened ? Math.min(2 * stopNanos, LONGEST_NANOS) : FIRST_NANOS;
            opened = step == 0 ? open : opened;
            step = 1;
        }
        // A reading of a pool in use may miss connections that are passed on.
        opened = late || state.limit() > opened ? Math.max(opened, open) : open;
    }

    /** The most connections that are known to open. */
    int opened(PoolState state) {
        return Math.max(open(state), step == 0 ? 0 : opened);
    }

    /** The highest limit that growth may set. */
    int most(PoolState state) {
        int next = open(state) > opened ? 2 * step : step;
        return step == 0 ? Integer.MAX_VALUE : Math.max(opened, state.limit() + next);
    }

    /** Called before growth: connections above the earlier number have opened, or not. */
    void grows(PoolState state) {
        int open = open(state);
        if (step > 0 && open > opened) {
            opened = open;
            stopNanos = FIRST_NANOS;
            step = state.limit() + 2 * step < state.ceiling() ? 2 * step : 0;
        }
    }

    private static int open(PoolState state) {
        return Math.max(state.pool().total(), state.leased() + state.foreign());
    }
}
