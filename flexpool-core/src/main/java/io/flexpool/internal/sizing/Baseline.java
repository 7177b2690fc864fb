// SPDX-License-Identifier: Apache-2.0
package io.flexpool.internal.sizing;

/**
 * What an experiment is compared with: the completions at the limit in force, while it bound. Of late seconds more than of
 * earlier ones. A step that is taken back returns to the limit that it was compared with, so what was seen there stays.
 */
final class Baseline {
    /** Older evidence is dropped: a database that changes must not be compared with its past. */
    private static final double FADES_SECONDS = 5;

    /** Leases after which a rate is good enough for a search: its error is sqrt(1/150), 8 %. */
    private static final double ENOUGH = 150;
    /** With fewer leases a rate is no evidence. */
    static final double FEWEST = 12;
    /** The time that counts instead of ENOUGH leases where leases are long. */
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

    /** The limit has moved: for a while leases of the limit before end. */
    void moved(Rate seenAt, Signals signals, double now) {
        seen = seenAt;
        since = Rate.NONE;
        settles = now + Experiment.settleSeconds(signals, signals.limit);
    }

    /** The limit moved without an experiment, or the database is another: nothing seen before counts. */
    void forget() {
        seen = Rate.NONE;
        since = Rate.NONE;
    }

    /** The same, since the limit moved, none forgotten. */
    Rate since() {
        return since;
    }

    /** Completions at the limit in force. */
    Rate seen() {
        return seen;
    }

    /** Whether what was seen at the limit in force is enough to compare with. */
    boolean sound() {
        return seen.count() >= ENOUGH || seen.seconds() >= ENOUGH_SECONDS;
    }

    /**
     * The completions at the limit in force while it bound. If it has bound for less than a tick, what Little's law says
     * of the leases that ended lately: so many connections, each so long in use. Those that do not come back do nothing.
     */
    Rate before(Signals signals, History history) {
        if (seen.count() >= FEWEST || signals.stretched <= 0) {
            return seen;
        }
        double ended = Math.max(1, history.completions(History.SECOND / 2));
        return new Rate(ended, ended * signals.stretched / Math.max(1, signals.limit - signals.stuck));
    }
}
