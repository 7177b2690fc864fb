// SPDX-License-Identifier: Apache-2.0
package io.flexpool.internal.sizing;

import io.flexpool.diagnostics.Decision.Cause;
import io.flexpool.diagnostics.Decision.Verdict;
import io.flexpool.internal.sizing.Evidence.Trial;

/**
 * A step that is being tried. It is judged on the rate of completions at the new limit against the rate at the old one,
 * both while the limit binds. A step up is borne out if completions rise by at least 12 % of the limit's rise, in
 * logarithms: the elasticity of throughput. A step down is borne out if they rise by 2 %.
 *
 * <p>The logarithm of a ratio of rates that rest on n and m leases is off by √(1/n + 1/m). The window ends as soon as
 * the rise differs from the required rise by enough of these errors; by more in a shorter window, because it is checked
 * each tick. After four seconds the more probable verdict counts. Never before 30 leases ended: a verdict on a few is
 * chance. If fewer end within ten seconds, the step stays unless leases became longer in proportion to the limit. On a
 * database of varying speed ({@link Noise}) the error is larger, and the trial takes longer.
 *
 * <p>If no request waits any longer, the rate is that of the arrivals and proves nothing. Then a step up is kept. With
 * slow leases, or above a limit beyond which growth did not help lately, it is kept only if completions rose as
 * required, because a queue also ends if it moves into the database.
 */
final class Experiment {
    /** Completions must rise by this part of a step up. */
    private static final double ELASTICITY = 0.12;
    /** The gain of a step down. If it could lose a little, the limit would walk into a queue. */
    private static final double DOWN_GAIN = 0.02;
    /** A verdict needs this many standard errors from the required gain; an early verdict needs more. */
    private static final double ERRORS = 0.8;
    /** A verdict is also given with an error as small as this. */
    private static final double FLAT_ERROR = 0.045;
    /** The time after which the more probable verdict is given. */
    private static final double LONGEST_SECONDS = 4;
    /** The time after which a step without new connections is abandoned, and one with too few leases stays unjudged. */
    static final double PATIENCE_SECONDS = 10;
    /** The time after which a queue counts as ended, or as pressing. No verdict is earlier. */
    static final double QUIET_SECONDS = 0.5;
    /** The fewest leases for a verdict: with fewer its error would be a quarter. */
    static final int ENOUGH = 30;

    /** The least time in which leases of the old limit end and blur the new rate. */
    private static final double MIN_SETTLE_SECONDS = 0.1;
    /** The time for each new connection if the pool does not report how many are open. */
    private static final double CONNECT_SECONDS = 0.06;

    final long number;
    final Cause cause;
    final int from;
    final int to;
    /** Completions at the old limit. */
    final Rate before;
    /** Leases that counted as taken when the step was made. */
    final int stuckBefore;

    private final int instances;
    private final Noise noise;
    /** Whether this size did not help lately: then the end of a queue proves nothing. */
    private final boolean doubted;

    private final double settle;
    private final double leaseBefore;
    private double leaseNow;
    private Rate window = Rate.NONE;
    private Rate leases = Rate.NONE;
    private double settled;
    private double quiet;
    private double sinceStep;
    private double stalled;

    Experiment(
            long number,
            Cause cause,
            int to,
            Rate before,
            Signals signals,
            Noise noise,
            boolean doubted,
            int instances) {
        this.number = number;
        this.cause = cause;
        this.from = signals.limit;
        this.to = to;
        this.before = before;
        this.instances = instances;
        this.noise = noise;
        this.doubted = doubted;
        this.stuckBefore = signals.stuck;
        this.settle = settleSeconds(signals, to);
        this.leaseBefore = signals.stretched;
    }

    /** The rise of completions, as a logarithm, that keeps a step. */
    double required() {
        return (up() ? ELASTICITY * step() : DOWN_GAIN) / instances;
    }

    /** The size of the step, as a logarithm. */
    private double step() {
        return Math.log((double) to / from);
    }

    /** Settling time: leases of the old limit distort the rate, and unreported connections take time to open. */
    static double settleSeconds(Signals signals, int to) {
        double leases = Math.max(MIN_SETTLE_SECONDS, Math.min(1, signals.stretched));
        return leases + (signals.window.total() >= 0 ? 0 : CONNECT_SECONDS * Math.max(0, to - signals.limit));
    }

    private double longest() {
        return noise.times() * LONGEST_SECONDS;
    }

    /** The verdict after one more tick. */
    Verdict tick(Signals signals) {
        double length = signals.length;
        sinceStep += length;
        // A step down: until the leases beyond the new limit have ended, the old limit still applies.
        if (signals.window.opening() || signals.active > signals.limit) {
            stalled += length;
            window = Rate.NONE;
            leases = Rate.NONE;
            settled = 0;
            quiet = 0;
            return stalled >= PATIENCE_SECONDS ? Verdict.ABANDONED : Verdict.PENDING;
        }
        stalled = 0;
        settled += length;
        if (settled - length < settle) {
            return Verdict.PENDING;
        }
        leaseNow = signals.stretched;
        window = window.plus(signals.completed);
        leases = leases.plus(signals.ordinary);
        quiet = signals.limited || signals.timedOut() ? 0 : quiet + length;
        return quiet < QUIET_SECONDS ? judge() : served(signals);
    }

    private Verdict served(Signals signals) {
        // Over the whole window: at the end of a queue few requests are in the database, and leases are short.
        boolean slow = signals.calmKnown && leases.seconds() >= leases.count() * signals.slowLease() && leases.known();
        if (cause == Cause.OCCUPIED || (up() && !slow && !doubted)) {
            return Verdict.SERVED;
        }
        if (window.count() < ENOUGH) {
            return unknown();
        }
        if (gain() >= (up() ? required() : 0)) {
            return Verdict.SERVED;
        }
        // No request waits: there is time for more certainty.
        return window.seconds() < longest() ? Verdict.PENDING : Verdict.REVERTED;
    }

    private Verdict judge() {
        if (window.count() < ENOUGH) {
            return unknown();
        }
        if (window.seconds() < QUIET_SECONDS) {
            return Verdict.PENDING;
        }
        double distance = margin() / error();
        double sure = ERRORS * Math.sqrt(Math.max(1, longest() / window.seconds()));
        if (distance >= sure) {
            return Verdict.PROVEN;
        }
        if (distance <= -sure) {
            return Verdict.REVERTED;
        }
        if (window.seconds() < longest()) {
            return Verdict.PENDING;
        }
        boolean proven = margin() >= 0 && (to < from || gain() >= 1 / Math.sqrt(window.count()));
        return proven ? Verdict.PROVEN : Verdict.REVERTED;
    }

    /** The verdict with too few leases: longer leases show that the step did not help. */
    private Verdict unknown() {
        if (window.seconds() < PATIENCE_SECONDS) {
            return Verdict.PENDING;
        }
        boolean longer = leaseBefore > 0 && Math.log(leaseNow / leaseBefore) > step() - required();
        return up() && !longer ? Verdict.ABANDONED : Verdict.REVERTED;
    }

    /** Whether the step ended with too few leases, without evidence against it. */
    boolean unjudged() {
        return window.seconds() >= PATIENCE_SECONDS && window.count() < ENOUGH;
    }

    /**
     * The logarithm of the ratio of completions. Of n equal instances, one with slightly more connections completes 1 -
     * 1/n of the difference at the expense of the others: this part is no gain.
     */
    double gain() {
        return before.known() && window.known() ? rise() - (1 - 1.0 / instances) * step() : 0;
    }

    /** As {@link #gain}, against another rate at the old limit. */
    double gainOver(Rate other) {
        return window.gainOver(other) - (1 - 1.0 / instances) * step();
    }

    private double rise() {
        return window.gainOver(before);
    }

    /** One standard deviation of the gain. */
    double error() {
        return before.known() && window.known() ? noise.factor() * window.errorAgainst(before) : 1;
    }

    /** The share of the step that became throughput, with its sign. */
    double elasticity() {
        return gain() * instances / step();
    }

    private double margin() {
        return gain() - required();
    }

    /**
     * Adapts the noise: completions cannot rise or fall by more than the limit does, so the database's speed causes a
     * larger change.
     */
    void learn() {
        if (before.known() && window.known()) {
            noise.seen(rise(), step(), window.errorAgainst(before));
        }
    }

    /** Whether a reverted step was not reverted by chance, and would be reverted again. */
    boolean conclusive(double pooledGain, double pooledError) {
        return pooledGain - required() < -2 * ERRORS * pooledError || pooledError < FLAT_ERROR;
    }

    /** Completions at the new limit. */
    Rate after() {
        return window;
    }

    boolean up() {
        return to > from;
    }

    double sinceStep() {
        return sinceStep;
    }

    /** The trial of the tried limit; or of the old limit, if the step was kept. */
    Trial trial(boolean ofTheOneBefore) {
        Rate here = ofTheOneBefore ? window : before;
        Rate there = ofTheOneBefore ? before : window;
        return new Trial(here.perSecond(), there.perSecond(), error(), Double.NaN, window.count(), 1);
    }

    Evidence evidence(Signals signals) {
        double required = required() + (1 - 1.0 / instances) * step();
        Trial trial = new Trial(before.perSecond(), window.perSecond(), error(), required, window.count(), instances);
        return Evidence.of(signals, trial, Double.NaN, false, Double.NaN);
    }
}
