// SPDX-License-Identifier: Apache-2.0
package io.flexpool.internal.sizing;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Derives from the windows the calm lease, the start and end of episodes of waiting, and when the database is slow. */
final class EpisodeTracker {
    private static final double NANOS = 1e9;
    private static final int SECOND = History.SECOND;
    /** An episode ends this long after the limit last bound. */
    private static final double EPISODE_SECONDS = 2;

    private static final double NEVER = Double.NEGATIVE_INFINITY;
    /** How long the number of occupied connections is remembered: jobs of some minutes return. */
    private static final double REMEMBERS_SECONDS = 600;

    /** The database turned slow if leases are this many times as long as some seconds ago. */
    private static final double ABRUPT = 1.8;
    /** The oldest tick of "some seconds ago", and the longest time over which failures count. */
    static final int AGO_TO = 8 * SECOND;

    private final SizingSettings settings;
    private final int restTicks;
    final History history = new History();
    private final CalmLease calmLease = new CalmLease();
    private final CalmClasses calmClasses = new CalmClasses();
    private @Nullable PoolWindow last;
    private double now;
    private long ticks;
    private double episodeBegan;
    private double lastLimited = NEVER;
    private double lastConnectFailure = NEVER;
    private long stuckNanos = Long.MAX_VALUE / 2;
    private int mostTaken;
    private double mostTakenAt = NEVER;
    private double lastFailure = NEVER;
    private double failingBegan;
    private double pressingBegan;
    private double lastPressing = NEVER;
    private boolean episode;
    private boolean slow;
    /** The number of consecutive windows in which the pool rested. */
    private int resting;

    /** Takes the number of resting windows after which {@link #rests} may be true. */
    EpisodeTracker(SizingSettings settings, int restTicks) {
        this.settings = settings;
        this.restTicks = restTicks;
    }

    /** Takes a window; null if no time has passed since the last window. */
    @Nullable
    Signals tick(PoolWindow window) {
        double length = last == null ? 1.0 / SECOND : (window.nowNanos() - last.nowNanos()) / NANOS;
        if (length <= 0) {
            return null;
        }
        now += length;
        resting = window.resting() ? Math.min(resting + 1, restTicks) : 0;
        Rate ended = Rate.of(
                (double) window.traffic().completions(), window.traffic().leaseNanos() / NANOS);
        history.add(length, window, ended);
        calmLease.seen(history.leases(1, SECOND, CalmLease.ENOUGH));
        int crossed =
                window.open().olderThan(stuckNanos) - window.open().olderThan(stuckNanos + (long) (length * NANOS));
        calmLease.taken(crossed, stuckNanos / NANOS, length);
        Signals signals = new Signals(window, length, history, calmLease, calmClasses, taken(), settings);
        last = window;
        stuckNanos = signals.stuckNanos;
        if (signals.stuck >= taken() && signals.stuck > 0) {
            mostTaken = signals.stuck;
            mostTakenAt = now;
        }
        follow(signals);
        if (!episode) {
            calmLease.calm(ended, signals.arrivalRate);
            calmClasses.calm(window.traffic().classes());
            int taken = window.open().olderThan(stuckNanos);
            long ages = window.open().sumOlderThan(-1) - window.open().sumOlderThan(stuckNanos);
            calmLease.open(window.open().count() - taken, ages / NANOS);
        }
        ticks++;
        if (ticks % SECOND == 0) {
            calmLease.second(signals.lease, history.completions(SECOND));
        }
        return signals;
    }

    /** Whether a window continues a rest that is so long that all signals stay empty. */
    boolean rests(PoolWindow window) {
        return resting == restTicks
                && !episode
                && window.resting()
                && last != null
                && window.nowNanos() > last.nowNanos();
    }

    /**
     * Takes a window that {@link #rests}, like {@link #tick}, but without the signals.
     *
     * @return the length of the window, seconds
     */
    double rest(PoolWindow window) {
        double length = (window.nowNanos() - Objects.requireNonNull(last).nowNanos()) / NANOS;
        now += length;
        history.add(length, window, Rate.NONE);
        calmLease.taken(0, stuckNanos / NANOS, length);
        calmLease.calm(Rate.NONE, 0);
        calmLease.open(0, 0);
        last = window;
        ticks++;
        return length;
    }

    private int taken() {
        return now - mostTakenAt < REMEMBERS_SECONDS ? mostTaken : 0;
    }

    private void follow(Signals signals) {
        if (signals.timedOut()) {
            failingBegan = now - lastFailure < Decay.CALM_SECONDS ? failingBegan : now;
            lastFailure = now;
        }
        if (signals.pressing) {
            pressingBegan = now - lastPressing < Experiment.QUIET_SECONDS ? pressingBegan : now;
            lastPressing = now;
        }
        if (signals.limited) {
            episodeBegan = episode ? episodeBegan : now;
            lastLimited = now;
        }
        episode = now - lastLimited < EPISODE_SECONDS;
        if (signals.window.traffic().connectFailures() > 0) {
            lastConnectFailure = now;
        }
    }

    /** How long requests have failed without a pause, seconds; 0 if none fails. */
    double failingSeconds() {
        return now - lastFailure < Decay.CALM_SECONDS ? now - failingBegan : 0;
    }

    /** How long the queue has pressed without a pause, seconds. */
    double pressedSeconds() {
        return now - pressingBegan;
    }

    /** Seconds since the first window. */
    double now() {
        return now;
    }

    /** Whether requests have waited for the limit within the last two seconds. */
    boolean episode() {
        return episode;
    }

    double episodeSeconds() {
        return now - episodeBegan;
    }

    double sinceLimited() {
        return now - lastLimited;
    }

    /** Whether the database has refused a connection lately. */
    boolean refused() {
        return now - lastConnectFailure < SizingSettings.AFTER_CONNECT_FAILURE.toNanos() / NANOS;
    }

    /**
     * Whether lease times jumped by more than the higher concurrency explains: earlier measurements are then no longer
     * comparable. In a fully loaded database, leases grow with their number.
     */
    boolean turnsSlow(Signals signals) {
        if (slow || !signals.limited || !signals.databaseSlow()) {
            return false;
        }
        int from = (int) (Decay.AFTER_CHANGE_SECONDS * SECOND);
        Rate ago = history.leasesAgo(from, AGO_TO);
        double more = signals.active / Math.max(1, history.activeAgo(from, AGO_TO));
        return ago.count() >= CalmLease.ENOUGH
                && ago.seconds() > 0
                && signals.stretched >= ABRUPT * Math.sqrt(Math.max(1, more)) * ago.mean();
    }

    /** Sets whether the database has turned slow. */
    void slow(boolean turned) {
        slow = turned;
    }

    /** Whether the database has turned slow and has not recovered. */
    boolean slow() {
        return slow;
    }
}
