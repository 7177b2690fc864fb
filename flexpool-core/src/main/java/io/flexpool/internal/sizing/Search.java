// SPDX-License-Identifier: Apache-2.0
package io.flexpool.internal.sizing;

import org.jspecify.annotations.Nullable;

/**
 * Where to look for a better limit while requests continue to wait: up or down, how far, and when again. Throughput over the
 * limit has one peak, so an experiment that was clearly worse says that the peak lies the other way.
 */
final class Search {
    /** The ratio of a step up. */
    private static final double UP = 1.3;
    /** The ratio of a first step for a slow database, and the most of one step for more load. */
    static final int DOUBLE = 2;
    /** The ratio of a step down. */
    private static final double DOWN = 1.4;
    /** The pause after an unclear verdict. */
    private static final double UNSURE_HOLD_SECONDS = 1;
    /** From this dispersion, and this many times the need in calm, fewer are tried first. */
    private static final double CROWDED = 1.6;
    /** No trial for this time at a limit above and below which a step was clearly reverted. */
    private static final double PEAK_SECONDS = 30;
    /** How long a limit above which more did not help is remembered. */
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
    /** A step up that was taken back, until the return has been seen for as long. */
    private @Nullable Experiment returned;
    /** The last step that was taken back, and the one that the knee rests on. */
    private @Nullable Experiment lastBack;

    private @Nullable Experiment kneeStep;
    /** The trials from one limit to another that were taken back since it was reached, weighed by the errors of their gains. */
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

    /** Another limit, another database, or another load: what is better than this limit is open again. */
    private void moved() {
        pooledFrom = 0;
        returned = null;
        moreIsWorse = false;
        fewerIsWorse = false;
    }

    /** Whether the last step was taken back without a clear verdict: the next one is twice as wide. */
    boolean wider() {
        return wider;
    }

    /** Whether it waits after a step that was taken back. */
    boolean holding(Signals signals, double now) {
        review(signals, now);
        boolean falls = fallsAtOnce && mayFall(signals);
        boolean fails = signals.failing && signals.brief();
        return now < holdEnds && (returned != null || !(falls || fails));
    }

    /** The trial that speaks against more connections; null if none does. */
    @Nullable
    Experiment against(double now) {
        return now < holdEnds || kneeStep == null ? lastBack : kneeStep;
    }

    /**
     * Before, with the step, and after the return for as long: if the database was faster before and is so no more, the step
     * was not at fault. Costs no trial, for nothing is tried after a return anyway.
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

    /** For how long it does, seconds. */
    double holdSeconds(double now) {
        return Math.max(0, holdEnds - now);
    }

    /**
     * Fewer connections complete more only past the peak, where leases last twice as long as in calm. A pool that has never
     * been calm may be past it where it started.
     */
    private boolean mayFall(Signals signals) {
        return !signals.brief() || (!signals.calmKnown && signals.limit <= signals.base);
    }

    /** The limit above which more connections did not help lately. */
    int knee(double now) {
        return now < kneeEnds ? knee : Integer.MAX_VALUE;
    }

    /** The same, also after the search has begun to doubt it; 0 if none was learnt since the database changed. */
    int lastKnee() {
        return lastKnee;
    }

    /**
     * The limit to try next; the one in force if there is none that is worth it.
     *
     * @param first whether it is the first step after the database turned slow: it may go twice as high, which
     *     ends the wait sooner if the database is only distant
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

    /** Whether the limit is far above what the load needs, so that fewer are more likely to be better. */
    private boolean crowded(Signals signals) {
        return noise.times() >= CROWDED && signals.limit > CROWDED * signals.calmNeed();
    }

    /** The limit to try next after one that gave in throughput most of what it took; or the one in force. */
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

    /** A step was kept. */
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

    /** A step was taken back. */
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
        // Clear: the other way. Unclear: the same way, unless the other one looked better.
        boolean other = step.up() ? worse : gain < error;
        downward = (conclusive || other) == step.up();
        // A small step may be lost in the noise; twice as many connections make a difference that shows. Not where a
        // knee is known: there they cost too much.
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

    /** The same trial again: both together are surer than either. */
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

    /** Forgets what was learnt by trying. */
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
