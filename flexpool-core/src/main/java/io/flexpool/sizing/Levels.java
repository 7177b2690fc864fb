// SPDX-License-Identifier: Apache-2.0
package io.flexpool.sizing;

import java.util.Arrays;

/**
 * What the pool completed at each limit while that limit bound: the evidence of all experiments so far, which fades with
 * time and is dropped when the database changes. One short window says little; what was seen at a limit before is
 * added to it, so an experiment that is repeated is not a second coin toss.
 */
final class Levels {
    private static final double FADES_SECONDS = 40;
    /** How much of the latest seconds is still "now" a tick later. */
    private static final double RECENT = 0.85;

    private static final double RECENT_LEAST_SECONDS = 0.7;
    private static final double RECENT_MOST = 1.5;
    private static final double SHIFT_ERRORS = 3;
    private static final double SHIFT_LEAST = 0.25;
    private static final double BARRED_ERRORS = 1.5;

    private Rate[] rates = new Rate[0];
    private Rate recent = Rate.NONE;
    private int recentLimit;

    /** Time passes. */
    void fade(double seconds) {
        double keep = Math.exp(-seconds / FADES_SECONDS);
        for (int limit = 0; limit < rates.length; limit++) {
            if (rates[limit].known()) {
                rates[limit] = rates[limit].times(keep);
            }
        }
    }

    /** A tick in which the limit bound. */
    void add(int limit, double completions, double seconds) {
        if (limit >= rates.length) {
            int known = rates.length;
            rates = Arrays.copyOf(rates, Math.max(2 * known, limit + 1));
            Arrays.fill(rates, known, rates.length, Rate.NONE);
        }
        rates[limit] = rates[limit].plus(completions, seconds);
        recent = (limit == recentLimit ? recent.times(RECENT) : Rate.NONE).plus(completions, seconds);
        recentLimit = limit;
    }

    /** Whether the latest seconds no longer fit what was seen at the same limit before: the database has changed. */
    boolean shifted() {
        Rate all = at(recentLimit);
        if (all.seconds() <= recent.seconds() * RECENT_MOST || recent.seconds() < RECENT_LEAST_SECONDS) {
            return false;
        }
        Rate before = all.minus(recent);
        double change = Math.abs(recent.gainOver(before));
        return change > SHIFT_ERRORS * recent.errorAgainst(before) && change > SHIFT_LEAST;
    }

    void clear() {
        Arrays.fill(rates, Rate.NONE);
        recent = Rate.NONE;
    }

    Rate at(int limit) {
        return limit < rates.length ? rates[limit] : Rate.NONE;
    }

    /**
     * Where a step may go.
     *
     * @return {@code to}, or the last limit on the way there before one that is known not to be worth it
     */
    int reach(int from, int to) {
        int direction = Integer.signum(to - from);
        for (int limit = from + direction; limit != to + direction; limit += direction) {
            if (barred(from, limit)) {
                return limit - direction;
            }
        }
        return to;
    }

    private boolean barred(int from, int limit) {
        Rate here = at(from);
        Rate there = at(limit);
        return here.known()
                && there.known()
                && there.gainOver(here) - Experiment.asked(from, limit) < -BARRED_ERRORS * there.errorAgainst(here);
    }
}
