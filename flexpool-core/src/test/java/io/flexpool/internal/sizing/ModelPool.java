// SPDX-License-Identifier: Apache-2.0
package io.flexpool.internal.sizing;

import io.flexpool.internal.sizing.PoolWindow.Traffic;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.SplittableRandom;

/**
 * A pool and a database as a fluid, tick by tick: enough for a controller to act on what it has caused, and fast enough
 * for thousands of histories. Requests arrive by chance around a rate, wait first come, first served for a second at
 * most, and hold a connection for a lease that grows with how many are open; connections open a few per tick, unless the
 * database is down; leaks never come back.
 */
final class ModelPool {
    static final double TICK_SECONDS = 0.25;
    private static final long TICK_NANOS = 250_000_000L;
    private static final int OPENED_PER_TICK = 4;
    private static final double LEASE_SECONDS = 0.020;
    private static final double NANOS = 1e9;

    /**
     * What the load and the database are like for a while.
     *
     * @param ticks how long
     * @param rate arrivals a second
     * @param slowness a lease lasts so many times longer
     * @param up whether the database answers
     * @param leaks connections that are lost at the beginning
     * @param base the limit to return to from now on
     * @param ceiling the limit never to pass from now on
     */
    record Phase(int ticks, double rate, double slowness, boolean up, int leaks, int base, int ceiling) {}

    /**
     * Requests of two kinds.
     *
     * @param share how many of all are long, 0 to 1
     * @param factor how many times longer they are
     */
    record Mix(double share, double factor) {
        static final Mix ALL_ALIKE = new Mix(0, 1);

        double mean() {
            return 1 + share * (factor - 1);
        }
    }

    private final double timeoutSeconds;
    private final Mix mix;
    private final SplittableRandom random;
    private final double knee;
    private final Deque<Double> waiting = new ArrayDeque<>();
    private final List<Long> leaks = new ArrayList<>();
    private long nowNanos;
    private int limit;
    private int total;
    private double inDatabase;
    private double owedArrivals;
    private double owedCompletions;
    private long lastGrowthNanos;

    /**
     * An idle pool.
     *
     * @param seed of the arrivals
     * @param base its size
     * @param knee so many at once let the database serve most
     */
    ModelPool(long seed, int base, double knee) {
        this(seed, base, knee, 1, Mix.ALL_ALIKE);
    }

    ModelPool(long seed, int base, double knee, double timeoutSeconds, Mix mix) {
        this.timeoutSeconds = timeoutSeconds;
        this.mix = mix;
        this.random = new SplittableRandom(seed);
        this.limit = base;
        this.total = base;
        this.knee = knee;
    }

    /** The limit in force. */
    int limit() {
        return limit;
    }

    /** Connections that are leased for ever. */
    int leaked() {
        return leaks.size();
    }

    /** The length of a lease alone in the database. */
    static double leaseSeconds() {
        return LEASE_SECONDS;
    }

    void leak(int count) {
        for (int at = 0; at < count && leaks.size() < limit - 1; at++) {
            leaks.add(nowNanos);
        }
    }

    void limit(int to) {
        if (to > limit) {
            lastGrowthNanos = nowNanos;
        }
        limit = to;
    }

    /** One tick passes. */
    PoolWindow tick(Phase phase) {
        nowNanos += TICK_NANOS;
        int connectFailures = connect(phase);
        double lease = LEASE_SECONDS * mix.mean() * phase.slowness() * stretch();
        int room = Math.max(0, Math.min(limit, total) - leaks.size());
        int arrivals = chance(phase.rate() * TICK_SECONDS);
        for (int at = 0; at < arrivals; at++) {
            waiting.addLast(nowNanos / NANOS - random.nextDouble() * TICK_SECONDS);
        }
        double served = phase.up() ? Math.min(waiting.size(), room * TICK_SECONDS / lease) : 0;
        owedCompletions += served;
        int completions = (int) owedCompletions;
        owedCompletions -= completions;
        boolean queued = waiting.size() > served;
        for (int at = 0; at < completions && !waiting.isEmpty(); at++) {
            waiting.removeFirst();
        }
        int timeouts = 0;
        while (!waiting.isEmpty() && nowNanos / NANOS - waiting.getFirst() > timeoutSeconds) {
            waiting.removeFirst();
            timeouts++;
        }
        double load = Math.min(room, phase.rate() * lease);
        inDatabase = queued ? room : load;
        int active = leaks.size() + (queued ? room : Math.min(room, (int) Math.round(load)));
        Traffic traffic = new Traffic(
                arrivals,
                completions,
                (long) (completions * lease * NANOS),
                timeouts,
                connectFailures,
                leaks.size() + inDatabase,
                queued && active >= limit ? 1 : 0);
        return window(phase, active, queued, traffic, lease);
    }

    private PoolWindow window(Phase phase, int active, boolean queued, Traffic traffic, double lease) {
        long[] ages = new long[active];
        for (int at = 0; at < active; at++) {
            ages[at] = at < leaks.size() ? nowNanos - leaks.get(at) : (long) (random.nextDouble() * one(lease) * NANOS);
        }
        long headAge = waiting.isEmpty() ? 0 : (long) (nowNanos - waiting.getFirst() * NANOS);
        return new PoolWindow(
                nowNanos,
                phase.base(),
                phase.ceiling(),
                limit,
                active,
                queued ? waiting.size() : 0,
                lastGrowthNanos,
                total,
                queued ? headAge : 0,
                traffic,
                LeaseAges.ofAges(ages));
    }

    /** Among open leases, long ones have their share of the time. */
    private double one(double mean) {
        boolean isLong = random.nextDouble() < mix.share() * mix.factor() / mix.mean();
        return mean / mix.mean() * (isLong ? mix.factor() : 1);
    }

    private int connect(Phase phase) {
        if (!phase.up()) {
            total = Math.min(total, leaks.size());
            return total < limit ? 1 : 0;
        }
        total = total > limit ? Math.max(limit, leaks.size()) : Math.min(limit, total + OPENED_PER_TICK);
        return 0;
    }

    /** The Universal Scalability Law without contention, with its peak at the knee. */
    private double stretch() {
        return 1 + inDatabase * Math.max(0, inDatabase - 1) / (knee * knee);
    }

    /** A whole number around a mean: what is left over is owed to the next tick. */
    private int chance(double mean) {
        owedArrivals += mean * (0.7 + 0.6 * random.nextDouble());
        int whole = (int) owedArrivals;
        owedArrivals -= whole;
        return whole;
    }
}
