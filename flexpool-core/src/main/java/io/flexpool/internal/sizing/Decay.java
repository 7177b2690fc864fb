// SPDX-License-Identifier: Apache-2.0
package io.flexpool.internal.sizing;

import java.time.Duration;

/**
 * The law by which unneeded growth is returned: 15 % of the surplus over the need, at least one connection, every
 * second. The return begins after five seconds without a binding limit and three without a growth or a verdict. So n
 * connections of growth are gone about 5 + ln(n) / 0.16 seconds after their last use. The caller defines the need.
 */
final class Decay {
    /** The time in which the limit must not bind before growth is returned. */
    static final double CALM_SECONDS = 5;
    /** The time after a growth or a verdict without returns and steps. */
    static final double AFTER_CHANGE_SECONDS = 3;
    /** The time between two steps of the return. */
    private static final double STEP_SECONDS = 1;
    /** The part of the surplus that one step returns. */
    private static final double SHARE = 0.15;
    /** The need is the maximum over these ticks, 16 s. Growth is then gone within 25 s. */
    private static final int BUSY_TICKS = 16 * History.SECOND;
    /** {@link #BUSY_TICKS} for a limit below the base, 20 s: at the base, contention may return. */
    private static final int IDLE_TICKS = 20 * History.SECOND;

    final double calmSeconds;
    private final double afterChangeSeconds;
    private final double stepSeconds;
    private final double share;
    private int need;
    private double lastStep = Double.NEGATIVE_INFINITY;

    /** Returns growth step by step. */
    Decay() {
        this(CALM_SECONDS, AFTER_CHANGE_SECONDS, STEP_SECONDS, SHARE);
    }

    private Decay(double calmSeconds, double afterChangeSeconds, double stepSeconds, double share) {
        this.calmSeconds = calmSeconds;
        this.afterChangeSeconds = afterChangeSeconds;
        this.stepSeconds = stepSeconds;
        this.share = share;
    }

    /** Returns all at once, after a time without need and since the last growth. */
    static Decay atOnce(Duration keep) {
        double seconds = keep.toNanos() / 1e9;
        return new Decay(seconds, seconds, 0, 1);
    }

    /** Whether unneeded growth is returned now. Times in seconds, the first on the caller's clock. */
    boolean due(double now, double calm, double sinceChange) {
        return calm >= calmSeconds && sinceChange >= afterChangeSeconds && now - lastStep >= stepSeconds;
    }

    /** The next limit on the way to the need, which is below it. */
    int step(double now, int limit, int wanted) {
        lastStep = now;
        need = wanted;
        return limit - (int) Math.ceil(share * (limit - wanted));
    }

    /** The need to which growth returned with the last step. */
    int need() {
        return need;
    }

    /**
     * The limit of a pool at low load; the current limit if it stays. The need is the demand of the busiest recent
     * seconds, and never less than the base. A limit tried below the base returns to the base once it is far from
     * binding: then the base cannot harm.
     */
    int tick(Signals signals, EpisodeTracker episodes, double lastChange) {
        double now = episodes.now();
        double calm = episodes.sinceLimited();
        double sinceChange = now - lastChange;
        History history = episodes.history;
        int limit = signals.limit;
        if (limit < signals.base) {
            boolean may = due(now, calm, sinceChange) && signals.window.filled() && !episodes.refused();
            return may && history.busySecond(IDLE_TICKS) < Signals.BOUND_USE * limit ? signals.base : limit;
        }
        if (!due(now, calm, Math.min(sinceChange, signals.sinceGrowth()))) {
            return limit;
        }
        int wanted = Math.max(signals.base, signals.loadNeed(history.busySecond(BUSY_TICKS)));
        return limit > wanted ? step(now, limit, wanted) : limit;
    }
}
