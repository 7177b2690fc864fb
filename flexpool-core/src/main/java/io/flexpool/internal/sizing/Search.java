// SPDX-License-Identifier: Apache-2.0
package io.flexpool.internal.sizing;

import org.jspecify.annotations.Nullable;

/**
 * Selects the next limit to try while requests continue to wait: up or down, how far, and when again. As a function of
 * the limit, throughput has one peak: a clearly worse trial shows that the peak lies the other way.
 */
final class Search {
    /** The ratio of a step up. */
    private static final double UP = 1.3;
    /** The ratio of a first step for a slow database, and the maximum of a step for more load. */
    static final int DOUBLE = 2;
    /** The ratio of a step down. */
    private static final double DOWN = 1.4;
    /** The pause after an unclear verdict. */
    private static final double UNSURE_HOLD_SECONDS = 1;
    /** The noise factor, and multiple of the low-load need, from which a step down comes first. */
    private static final double CROWDED = 1.6;
    /** The pause at a limit after steps up and down were both clearly reverted. */
    private static final double PEAK_SECONDS = 30;
    /** How long a knee is valid: above it, growth did not help. */
    private static final double KNEE_SECONDS = 60;

    private final Baseline baseline;
    private final Noise noise;
    private boolean downward;
    private boolean wider;
    private boolean fallsAtOnce;
    private boolean moreIsWorse;
    private boolean fewerIsWorse;
    private double holdEnds;
    private int knee = Integer.MAX_VALUE;
    private int lastKnee;
    private double kneeEnds;
    /** A reverted step up, until the old limit was measured for as long as the step. */
    private @Nullable Experiment returned;
    /** The last reverted step. */
    private @Nullable Experiment lastBack;

    private @Nullable Experiment kneeStep;
    /** The reverted trials from one limit to another since the first was reached, weighted by their errors. */
    private int pooledFrom;

    private int pooledTo;
    private double pooledWeight;
    private double pooledGain;

    Search(Baseline baseline, Noise noise) {
        this.noise = noise;
        this.baseline = baseline;
    }

    /** No request has waited for a while. */
    void rest() {
        holdEnds = 0;
        downward = false;
        wider = false;
        moved();
    }

    /** The limit, the database or the load changed: another limit may be better again. */
    private void moved() {
        pooledFrom = 0;
        returned = null;
        moreIsWorse = false;
        fewerIsWorse = false;
    }

    /** Whether the next step is twice as wide, because the last step was reverted without a clear verdict. */
    boolean wider() {
        return wider;
    }

    /** Whether the search pauses after a reverted step. */
    boolean holding(Signals signals, double now) {
        review(signals, now);
        boolean falls = fallsAtOnce && mayFall(signals);
        boolean fails = signals.failing && signals.brief();
        return now < holdEnds && (returned != null || !(falls || fails));
    }

    /** The trial in which more connections did not help; null if there is none. */
    @Nullable
    Experiment against(double now) {
        return now < holdEnds || kneeStep == null ? lastBack : kneeStep;
    }

    /**
     * Compares before, during and equally long after the step: if completions stay low after it, the database slowed,
     * not the step. Costs no trial, because none runs after a revert.
     */
    private void review(Signals signals, double now) {
        Experiment step = returned;
        if (step == null
                || signals.limit != step.from
                || baseline.since().seconds() < step.after().seconds()) {
            return;
        }
        returned = null;
        double again = step.gainOver(baseline.since());
        double gain = (step.gain() + again) / 2;
        double error = Math.max(step.error(), Math.abs(step.gain() - again) / 2);
        if (!step.conclusive(gain, error)) {
            if (knee == step.from) {
                kneeEnds = Double.NEGATIVE_INFINITY;
            }
            moreIsWorse = false;
            fallsAtOnce = false;
            if (gain >= step.required()) {
                holdEnds = now;
                downward = false;
            }
        }
    }

    /** How long the search still pauses, seconds. */
    double holdSeconds(double now) {
        return Math.max(0, holdEnds - now);
    }

    /**
     * A lower limit helps only above the peak, where leases last twice as long as at low load. Without a measured low
     * load, the base itself may be above the peak.
     */
    private boolean mayFall(Signals signals) {
        return !signals.brief() || (!signals.calmKnown && signals.limit <= signals.base);
    }

    /** The limit above which more connections did not help within the last minute. */
    int knee(double now) {
        return now < kneeEnds ? knee : Integer.MAX_VALUE;
    }

    /** The last knee, even if expired; 0 if there is none since the database changed. */
    int lastKnee() {
        return lastKnee;
    }

    /**
     * The limit to try next; the current limit if no other is worth a trial.
     *
     * @param first whether it is the first step after the database turned slow: it may double the limit, which ends
     *     waits sooner if the database is only distant
     */
    int next(Signals signals, boolean first) {
        int limit = signals.limit;
        if (!first && !signals.longLeases && !baseline.sound()) {
            return limit;
        }
        boolean mayFall = mayFall(signals);
        int to = (downward || crowded(signals)) && mayFall ? down(signals) : limit;
        if (to == limit) {
            to = up(signals, first || wider || signals.longLeases ? DOUBLE : UP);
        }
        return to == limit && mayFall ? down(signals) : to;
    }

    /** Whether the limit is far above the load's need, so that fewer connections are more likely to be better. */
    private boolean crowded(Signals signals) {
        return noise.times() >= CROWDED && signals.limit > CROWDED * signals.calmNeed();
    }

    /** The limit to try after throughput grew almost in proportion to a step; or the current limit. */
    int onward(Signals signals) {
        return up(signals, DOUBLE);
    }

    private int up(Signals signals, double ratio) {
        int limit = signals.limit;
        int useful = Math.max(limit + 1, signals.presentNeed());
        return Math.max(limit, Math.min(Math.min(useful, (int) Math.ceil(limit * ratio)), signals.ceiling));
    }

    private int down(Signals signals) {
        int limit = signals.limit;
        int to = Math.min(limit - 1, (int) Math.ceil(limit / DOWN));
        return Math.min(limit, Math.max(signals.min, to));
    }

    /** Records a kept step. */
    void kept(Experiment step, boolean proven, double now) {
        step.learn();
        wider = false;
        moved();
        if (proven) {
            downward = !step.up();
            if (downward) {
                learn(step, step.to, now);
            }
        }
    }

    /** Records a reverted step. */
    void reverted(Experiment step, double now) {
        step.learn();
        lastBack = step;
        pool(step);
        double gain = pooledGain / pooledWeight;
        double error = 1 / Math.sqrt(pooledWeight);
        boolean conclusive = step.conclusive(gain, error);
        if (conclusive && step.up()) {
            learn(step, step.from, now);
        }
        boolean worse = step.up() && gain < -error;
        // Clear: reverse the direction. Unclear: keep it, unless the trial favours the other direction.
        boolean other = step.up() ? worse : gain < error;
        downward = (conclusive || other) == step.up();
        // A small step may be lost in the noise; a doubled limit makes a measurable difference. Not with a known knee,
        // because more connections cost too much then.
        wider = step.up() && !conclusive && !worse && now >= kneeEnds;
        fallsAtOnce = worse;
        returned = step.up() ? step : null;
        moreIsWorse |= step.up() && conclusive;
        fewerIsWorse |= !step.up() && conclusive;
        if (moreIsWorse && fewerIsWorse) {
            holdEnds = now + PEAK_SECONDS;
            fallsAtOnce = false;
            moved();
        } else if (conclusive || worse) {
            holdEnds = now + noise.times() * Decay.AFTER_CHANGE_SECONDS;
        } else {
            holdEnds = now + noise.times() * UNSURE_HOLD_SECONDS;
        }
    }

    /** Combines repeated trials: together they are more certain. */
    private void pool(Experiment step) {
        if (step.from != pooledFrom || step.to != pooledTo) {
            pooledFrom = step.from;
            pooledTo = step.to;
            pooledWeight = 0;
            pooledGain = 0;
        }
        double weight = 1 / (step.error() * step.error());
        pooledWeight += weight;
        pooledGain += weight * step.gain();
    }

    /** Forgets the results of all trials. */
    void forget() {
        kneeEnds = Double.NEGATIVE_INFINITY;
        lastKnee = 0;
        rest();
    }

    private void learn(Experiment step, int limit, double now) {
        kneeStep = step;
        knee = limit;
        lastKnee = limit;
        kneeEnds = now + KNEE_SECONDS;
    }
}
