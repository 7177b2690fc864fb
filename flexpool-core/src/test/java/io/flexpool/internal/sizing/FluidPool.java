// SPDX-License-Identifier: Apache-2.0
package io.flexpool.internal.sizing;

import io.flexpool.diagnostics.Decision.Verdict;
import io.flexpool.internal.sizing.PoolWindow.Traffic;
import io.flexpool.internal.sizing.SizingPolicy.SizingStep;
import io.flexpool.pool.PoolMode;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;

/**
 * A pool without chance: requests come, wait and are served as a stream, at the rate that the limit and the database
 * allow. It feeds a controller tick by tick and does what it says.
 */
final class FluidPool {
    private static final long TICK_NANOS = 250_000_000L;
    private static final double TICK = 0.25;

    final SizingController controller;
    final List<SizingDecision> decisions = new ArrayList<>();
    final List<Integer> limits = new ArrayList<>();
    int base = 5;
    int ceiling = 40;
    int limit = 5;
    /** Requests a second. */
    double load;
    /** A lease alone in the database, seconds. */
    double work = 0.020;
    /** The limit at which the database completes most; without one it has no peak. */
    double knee = Double.POSITIVE_INFINITY;
    /** So long a request waits at most, seconds. */
    double timeout = 1;
    /** Leases that never end, and how old they are. */
    int leaked;

    double leakedAge;
    /** Connections that are not open although the limit allows them. */
    int missing;

    /** Connections that the pool does not count as open, although they are leased. */
    int uncounted;

    int connectFailures;
    private long now = 1_000_000_000_000L;
    private long lastGrowth = now;
    private double queue;
    private double arrivalRest;
    private double completionRest;
    private double timeoutRest;
    private PoolWindow latest = new PoolWindow(0, 5, 40, 5, 0, 0, 0, -1, 0, Traffic.NONE, LeaseAges.NONE);

    FluidPool(PoolMode mode) {
        this(SizingSettings.DEFAULT, mode);
    }

    FluidPool(SizingSettings settings, PoolMode mode) {
        this.controller = new SizingController(settings, mode);
    }

    /** What the latest tick says. */
    Signals signals() {
        EpisodeTracker episodes = new EpisodeTracker(SizingSettings.DEFAULT, History.SIZE);
        Signals seen = episodes.tick(latest);
        return Objects.requireNonNull(seen);
    }

    static FluidPool acting() {
        return new FluidPool(PoolMode.ADAPT);
    }

    /** Lives for a while under a load. */
    FluidPool live(double seconds, double requestsPerSecond) {
        load = requestsPerSecond;
        for (double left = seconds; left > 0; left -= TICK) {
            tick();
        }
        return this;
    }

    /** The time, seconds. */
    double seconds() {
        return now / 1e9;
    }

    private double stretch(double active) {
        return 1 + active * active / (knee * knee);
    }

    void tick() {
        now += TICK_NANOS;
        leakedAge += leaked > 0 ? TICK : 0;
        int usable = Math.max(0, limit - leaked - missing);
        double capacity = usable / (work * stretch(usable));
        double served = Math.min(queue + load * TICK, capacity * TICK);
        double left = queue + load * TICK - served;
        queue = Math.min(left, Math.max(1, (usable == 0 ? load : capacity) * timeout));
        timeoutRest += left - queue;
        long timeouts = (long) timeoutRest;
        timeoutRest -= timeouts;
        boolean waits = queue >= 1;
        double rate = served / TICK;
        double active = waits ? usable : Math.min(usable, rate * work);
        double lease = served > 0 ? (waits ? active / rate : work) : 0;
        arrivalRest += load * TICK;
        completionRest += served;
        long arrivals = (long) arrivalRest;
        long completions = (long) completionRest;
        arrivalRest -= arrivals;
        completionRest -= completions;
        decide(new PoolWindow(
                now,
                base,
                ceiling,
                limit,
                (waits ? usable : (int) Math.round(active)) + leaked,
                waits ? (int) queue : 0,
                lastGrowth,
                limit - missing - uncounted,
                waits ? (long) (Math.min(timeout, queue / Math.max(1, capacity)) * 1e9) : 0,
                new Traffic(
                        arrivals,
                        completions,
                        (long) (completions * lease * 1e9),
                        timeouts,
                        connectFailures,
                        active + leaked,
                        waits && missing == 0 ? 1 : 0),
                LeaseAges.ofAges(ages(lease))));
    }

    private long[] ages(double lease) {
        long[] ages = new long[leaked + (leaked < limit ? 1 : 0)];
        Arrays.fill(ages, (long) (leakedAge * 1e9));
        if (leaked < limit) {
            ages[leaked] = (long) (lease / 2 * 1e9);
        }
        return ages;
    }

    private void decide(PoolWindow window) {
        latest = window;
        SizingStep step = controller.onTick(window);
        decisions.addAll(step.decisions());
        if (step.limit() > limit) {
            lastGrowth = now;
        }
        limit = step.limit();
        limits.add(limit);
    }

    List<SizingDecision> of(Verdict verdict) {
        return decisions.stream().filter(made -> made.verdict() == verdict).toList();
    }
}
