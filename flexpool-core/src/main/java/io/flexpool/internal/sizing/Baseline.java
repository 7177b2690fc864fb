// SPDX-License-Identifier: Apache-2.0
package io.flexpool.internal.sizing;

/**
 * The baseline of an experiment: the completions at the current limit, while it bound, with a higher weight of recent
 * seconds. A reverted step returns to the limit of its baseline, so the baseline stays.
 */
final class Baseline {
    /** Older evidence is dropped: a database that changes must not be compared with its past. */
    private static final double FADES_SECONDS = 5;

    /** Leases after which a rate is exact enough for a search: its error is sqrt(1/150), 8 %. */
    private static final double ENOUGH = 150;
    /** The fewest leases of a rate that counts as evidence. */
    static final double FEWEST = 12;
    /** The time that replaces ENOUGH leases if leases are long. */
    private static final double ENOUGH_SECONDS = 2;

    private final Noise noise;
    private Rate seen = Rate.NONE;
    private Rate since = Rate.NONE;
    private double settles;

    Baseline(Noise noise) {
        this.noise = noise;
    }

    /** A tick outside experiments. */
    void tick(Signals signals, double now) {
        fade(signals.length);
        boolean bound = signals.bound() && signals.active <= signals.limit;
        if (bound && signals.window.filled() && now > settles) {
            seen = seen.plus(signals.completed);
            since = since.plus(signals.completed);
        }
    }

    /** A tick in which nothing was completed. */
    void fade(double seconds) {
        seen = seen.times(Math.exp(-seconds / (noise.times() * FADES_SECONDS)));
    }

    /** Notes that the limit has moved: for a while leases of the old limit still end. */
    void moved(Rate seenAt, Signals signals, double now) {
        seen = seenAt;
        since = Rate.NONE;
        settles = now + Experiment.settleSeconds(signals, signals.limit);
    }

    /** Drops all data: the limit moved without an experiment, or the database changed. */
    void forget() {
        seen = Rate.NONE;
        since = Rate.NONE;
    }

    /** The completions since the limit moved, without decay. */
    Rate since() {
        return since;
    }

    /** The completions at the current limit. */
    Rate seen() {
        return seen;
    }

    /** Whether the current limit has enough data for a comparison. */
    boolean sound() {
        return seen.count() >= ENOUGH || seen.seconds() >= ENOUGH_SECONDS;
    }

    /**
     * The completions at the current limit while it bound. If it has bound for less than a tick, the value follows by
     * Little's law from recent leases: connections divided by lease time, without connections that do not return.
     */
    Rate before(Signals signals, History history) {
        if (seen.count() >= FEWEST || signals.stretched <= 0) {
            return seen;
        }
        double ended = Math.max(1, history.completions(History.SECOND / 2));
        return new Rate(ended, ended * signals.stretched / Math.max(1, signals.limit - signals.stuck));
    }
}
