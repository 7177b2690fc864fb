// SPDX-License-Identifier: Apache-2.0
package io.flexpool.internal.sizing;

/**
 * How much more completions vary than in a Poisson process: locks, neighbours and a busy machine change the speed of a
 * database from second to second. Measured on the completions of successive seconds at one limit, while it binds: for a
 * Poisson process the square of their difference is on average their sum.
 */
final class Noise {
    /** The weight of one second in the measured dispersion. */
    private static final double WEIGHT = 0.15;
    /** The most by which the times of evidence are stretched. */
    private static final double MOST_TIMES = 6;
    /** The most that one second raises the dispersion: a change of load is no variance. */
    private static final double MOST_JUMP = 4;

    private double dispersion = 1;
    /** The measured limit; 0 while the limit does not bind, because a resting controller does not note its moves. */
    private int limit;

    private int ticks;
    private double count;
    private double before = Double.NaN;

    /** A tick, while a step is tried or not. */
    void tick(Signals signals) {
        boolean bound = signals.bound() && signals.window.filled();
        if (!bound || (limit != 0 && signals.limit != limit)) {
            limit = bound ? signals.limit : 0;
            ticks = 0;
            count = 0;
            before = Double.NaN;
            return;
        }
        limit = signals.limit;
        count += signals.completed.count();
        if (++ticks < History.SECOND) {
            return;
        }
        if (before + count >= Baseline.FEWEST) {
            double difference = count - before;
            sample(difference * difference / (count + before));
        }
        before = count;
        ticks = 0;
        count = 0;
    }

    /** Takes the gain of a step: a gain above the step's size can only be the database's speed. */
    void seen(double gain, double step, double error) {
        double beyond = Math.abs(gain) - Math.abs(step);
        if (beyond > 0) {
            sample(beyond * beyond / (error * error));
        }
    }

    private void sample(double seen) {
        dispersion = Math.max(1, dispersion + WEIGHT * (Math.min(MOST_JUMP * dispersion, seen) - dispersion));
    }

    /** The factor by which observation must be longer for the same certainty; 1 to {@link #MOST_TIMES}. */
    double times() {
        return Math.max(1, Math.min(MOST_TIMES, dispersion));
    }

    /** The factor by which an error is larger than that of a Poisson process; at least 1. */
    double factor() {
        return Math.sqrt(Math.max(1, dispersion));
    }
}
