// SPDX-License-Identifier: Apache-2.0
package io.flexpool.sizing;

/** What an experiment is compared with: completions at the limit in force, of the latest seconds and of before. */
final class Baseline {
    private static final double BOUND = 0.7;
    private static final double PARTLY_BOUND = 0.5;
    private static final int LATEST_TICKS = 3 * History.SECOND;
    private static final double ENOUGH = 150;
    private static final double ENOUGH_SECONDS = 2;
    private static final double BLUR_LEAST_SECONDS = 0.25;

    private final Levels levels = new Levels();
    private int ticksSinceChange;
    private double settles;

    /** A tick at a limit; whether its completions show that the database has changed. */
    boolean tick(Signals signals, double now) {
        ticksSinceChange++;
        levels.fade(signals.length());
        boolean counts = signals.filled()
                && signals.active() <= signals.limit()
                && signals.saturatedNow() >= BOUND
                && now > settles;
        if (!counts) {
            return false;
        }
        levels.add(signals.limit(), (double) signals.ended(), signals.length());
        if (!levels.shifted()) {
            return false;
        }
        levels.clear();
        return true;
    }

    /** The limit moves: for a while leases of the old limit end. */
    void moved(Signals signals, double now) {
        ticksSinceChange = 0;
        settles = now + Experiment.settleSeconds(signals, signals.limit());
    }

    /** The database is another: nothing seen before counts, nor the leases that began before. */
    void changed(Signals signals, double now) {
        levels.clear();
        ticksSinceChange = 0;
        settles = now + Math.max(BLUR_LEAST_SECONDS, Math.min(1, signals.stretched()));
    }

    void forget() {
        levels.clear();
    }

    Rate at(int limit) {
        return levels.at(limit);
    }

    /** How far a step may go before it meets a limit that is known not to be worth it. */
    int reach(int from, int to) {
        return levels.reach(from, to);
    }

    /** Whether what was seen at the limit in force is enough to compare with. */
    boolean sound(int limit) {
        Rate rate = levels.at(limit);
        return rate.count() >= ENOUGH || rate.seconds() >= ENOUGH_SECONDS;
    }

    /**
     * The completions at the limit in force while it bound. If it has bound for less than a tick, what Little's law says
     * of the leases that ended lately: so many connections, each so long in use. Those that do not come back do nothing.
     */
    Rate before(Signals signals, History history) {
        Rate rate = history.saturatedRate(Math.min(LATEST_TICKS, ticksSinceChange), PARTLY_BOUND);
        if (!rate.known() && signals.stretched() > 0) {
            double ended = Math.max(1, history.completions(History.SECOND / 2));
            rate = new Rate(ended, ended * signals.stretched() / Math.max(1, signals.limit() - signals.stuck()));
        }
        Rate seen = levels.at(signals.limit());
        return seen.count() > rate.count() ? seen : rate;
    }
}
