// SPDX-License-Identifier: Apache-2.0
package io.flexpool.internal.sizing;

/**
 * Where to look for a better limit while requests go on waiting: up or down, how far, and when again. Throughput over the
 * limit has one peak, so an experiment that was clearly worse says that the peak lies the other way.
 */
final class Search {
    private static final double UP = 1.3;
    static final int DOUBLE = 2;
    private static final double DOWN = 1.4;
    private static final double HOLD_SECONDS = 3;
    private static final double UNSURE_HOLD_SECONDS = 1;
    private static final double CROWDED = 1.6;
    private static final double CROWDED_TIMES = 2;
    private static final double PEAK_SECONDS = 30;
    private static final double KNEE_SECONDS = 60;

    private final Baseline baseline;
    private final Noise noise;
    private boolean downward;
    private boolean wider;
    private boolean fallsAtOnce;
    private boolean moreIsWorse;
    private boolean fewerIsWorse;
    private boolean fewerTried;
    private double holdEnds;
    private int knee = Integer.MAX_VALUE;
    private int lastKnee;
    private double kneeEnds;

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
        moreIsWorse = false;
        fewerIsWorse = false;
        fewerTried = false;
    }

    /** Whether it waits after a step that was taken back. */
    boolean holding(Signals signals, double now) {
        return now < holdEnds && !(fallsAtOnce && mayFall(signals));
    }

    /** For how long it does, seconds. */
    double holdSeconds(double now) {
        return Math.max(0, holdEnds - now);
    }

    private boolean mayFall(Signals signals) {
        return !signals.calmKnown || signals.slow();
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
        if (!first && !baseline.sound()) {
            return limit;
        }
        boolean mayFall = mayFall(signals);
        int to = (downward || crowded(signals)) && mayFall ? down(signals) : limit;
        if (to == limit) {
            to = up(signals, first || wider ? DOUBLE : UP);
        }
        return to == limit && mayFall ? down(signals) : to;
    }

    /** Whether the limit is far above what the load needs, so that fewer are more likely to be better. */
    private boolean crowded(Signals signals) {
        return !fewerTried && noise.times() >= CROWDED_TIMES && signals.limit > CROWDED * signals.calmNeed();
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
        wider = false;
        moved();
        if (proven) {
            downward = !step.up();
            if (downward) {
                learn(step.to, now);
            }
        }
    }

    /** A step was taken back. */
    void reverted(Experiment step, double now) {
        boolean conclusive = step.conclusive();
        if (conclusive && step.up()) {
            learn(step.from, now);
        }
        boolean worse = step.up() && step.gain() < -step.error();
        // Clear: the other way. Unclear: the same way, unless the other one looked better.
        boolean other = step.up() ? worse : step.gain() < step.error();
        downward = (conclusive || other) == step.up();
        // A small step may be lost in the noise; twice as many connections make a difference that shows. Not where a
        // knee is known: there they cost too much.
        wider = step.up() && !conclusive && !worse && now >= kneeEnds;
        fallsAtOnce = worse;
        fewerTried |= !step.up();
        moreIsWorse |= step.up() && conclusive;
        fewerIsWorse |= !step.up() && conclusive;
        if (moreIsWorse && fewerIsWorse) {
            holdEnds = now + PEAK_SECONDS;
            fallsAtOnce = false;
            moved();
        } else if (conclusive || worse) {
            holdEnds = now + noise.times() * HOLD_SECONDS;
        } else {
            holdEnds = now + noise.times() * UNSURE_HOLD_SECONDS;
        }
    }

    /** Forgets what was learnt by trying. */
    void forget() {
        kneeEnds = Double.NEGATIVE_INFINITY;
        lastKnee = 0;
        rest();
    }

    private void learn(int limit, double now) {
        knee = limit;
        lastKnee = limit;
        kneeEnds = now + KNEE_SECONDS;
    }
}
