// SPDX-License-Identifier: Apache-2.0
package io.flexpool.internal.sizing;

/**
 * Takes growth back once it is not needed: 15 % of the excess every second, after five calm seconds and three without a
 * growth or a verdict. Need is what the busiest seconds of the last twenty would have taken, and never less than the base.
 *
 * <p>A limit that was tried below the base returns to it once it does not bind by far: then the base cannot do harm.
 */
final class Decay {
    private static final double CALM_SECONDS = 5;
    private static final double AFTER_CHANGE_SECONDS = 3;
    private static final double STEP_SECONDS = 1;
    private static final double SHARE = 0.15;
    private static final double SLACK = 1.1;
    private static final double IDLE_SHARE = 0.7;
    /** With the steps of the return this keeps the promise that growth is gone within 25 s; 20 s missed it by a step. */
    private static final int BUSY_TICKS = 16 * History.SECOND;
    /** Longer, for with the base contention may come back. */
    private static final int IDLE_TICKS = 20 * History.SECOND;

    private static final int LEAST_BUDGET = 4;

    private int need;
    private double lastStep = Double.NEGATIVE_INFINITY;

    /** At most so many connections make up for leases that count as taken. */
    static int budget(Signals signals) {
        int most = Math.max(LEAST_BUDGET, (signals.ceiling() - signals.base()) / 2);
        return Math.min(most, signals.stuck());
    }

    /** The limit from now on; the one in force if it stays. */
    int tick(Signals signals, EpisodeTracker episodes, SizingSettings settings, double lastChange) {
        double now = episodes.now();
        boolean due = episodes.sinceLimited() >= CALM_SECONDS
                && now - lastChange >= AFTER_CHANGE_SECONDS
                && now - lastStep >= STEP_SECONDS;
        if (!due) {
            return signals.limit();
        }
        double busy = episodes.history().busySecond(BUSY_TICKS);
        need = Math.max(signals.base(), need(busy, signals, settings) + budget(signals));
        int limit = signals.limit();
        if (limit > SLACK * need && signals.sinceGrowth() >= AFTER_CHANGE_SECONDS) {
            lastStep = now;
            return limit - (int) Math.ceil(SHARE * (limit - need));
        }
        boolean idle = signals.filled()
                && !episodes.refused()
                && episodes.history().busySecond(IDLE_TICKS) < IDLE_SHARE * limit;
        return limit < signals.base() && idle ? signals.base() : limit;
    }

    /** What growth returns to, as of the last step. */
    int need() {
        return need;
    }

    private static int need(double busy, Signals signals, SizingSettings settings) {
        double lease = signals.calmLease() > 0 ? signals.calmLease() : signals.lease();
        return lease <= 0
                ? 1
                : ErlangC.size(busy, signals.residual(lease), settings.waitTargetSeconds(), signals.ceiling());
    }
}
