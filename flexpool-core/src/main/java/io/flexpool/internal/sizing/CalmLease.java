// SPDX-License-Identifier: Apache-2.0
package io.flexpool.internal.sizing;

/**
 * The lease time and the arrival rate at low load: learnt on the ticks outside episodes of waiting.
 *
 * <p>The first leases of a pool are slow (cold caches, cold code). So a plain mean over the first 400 leases is used,
 * and no verdict is based on it before. Later the mean follows slowly.
 */
final class CalmLease {
    /** The leases before the first judgement: the first are slow because caches and code are cold. */
    private static final int LEARNT = 400;
    /** The leases after which the cold start ends: later {@link #second} would follow only the shortest leases. */
    private static final double YOUNG = 2000;

    /** The weight of shorter leases in the calm lease. */
    private static final double DOWN = 0.25;
    /** Leases that are enough for a mean: of the last second, of some seconds ago, of a class. */
    static final int ENOUGH = 20;
    /** The highest weight of one tick after the start: slow averages follow slowly. */
    static final double HIGHEST_WEIGHT = 0.02;
    /** The spread from which leases count as of two kinds; a busy database alone causes about 2. */
    private static final double UNEQUAL = 3;
    /** The fewest leases for detecting a stall: with fewer, a cold start would look like one. */
    private static final int SOME = 100;

    /** Enough leases if they last STALL_SECONDS, compared with which a cold start is short. */
    static final int FEW = 5;

    private double shortest = Double.POSITIVE_INFINITY;
    private double samples;
    private double seconds;
    private double open;
    private double openSeconds;
    private double rate;
    private boolean rated;

    /** Whether enough leases were seen to judge on. */
    boolean known() {
        return samples >= LEARNT;
    }

    /** Whether some leases were seen: enough to recognize a lease a hundred times as long. */
    boolean guessed() {
        return samples >= SOME;
    }

    /** Mean lease at low load, seconds; 0 before the first. */
    double seconds() {
        return known() || shortest == Double.POSITIVE_INFINITY ? seconds : shortest;
    }

    /** Takes a second's mean lease at any load: the shortest represents the low-load lease until that is known. */
    void seen(Rate ended) {
        if (!known() && ended.count() >= ENOUGH) {
            shortest = Math.min(shortest, ended.mean());
        }
    }

    /** Whether the calm lease can be estimated. */
    boolean estimated() {
        return known() || shortest < Double.POSITIVE_INFINITY || (samples >= FEW && seconds >= Signals.STALL_SECONDS);
    }

    /**
     * How unequal leases are: the variance of a lease over the square of its mean. It is 1 for leases that end by
     * chance, and dozens with few long leases among many short ones. At least 1. It follows from the mean age of open
     * leases: at any moment a long lease is open more often than a short one.
     */
    double spread() {
        double squared = known() && open > 0 && seconds > 0 ? 2 * openSeconds / open / seconds - 1 : 1;
        return squared < UNEQUAL ? 1 : squared;
    }

    /**
     * Removes the effect of leases that counted as ordinary until this age. A lost lease would make all leases look
     * unequal.
     */
    void taken(int count, double ageSeconds, double tickSeconds) {
        double ticks = count * HIGHEST_WEIGHT * ageSeconds / tickSeconds;
        open = Math.max(0, open - ticks);
        openSeconds = Math.max(open * seconds, openSeconds - ticks * ageSeconds / 2);
    }

    /** A tick outside episodes of waiting, with the number of open leases and the sum of their ages. */
    void open(int count, double ageSeconds) {
        open += HIGHEST_WEIGHT * (count - open);
        openSeconds += HIGHEST_WEIGHT * (ageSeconds - openSeconds);
    }

    /** Arrivals a second at low load; 0 before the first tick outside episodes of waiting. */
    double rate() {
        return rate;
    }

    /** A tick outside episodes of waiting. */
    void calm(Rate ended, double arrivalRate) {
        rate = rated ? rate + HIGHEST_WEIGHT * (arrivalRate - rate) : arrivalRate;
        rated = true;
        double count = ended.count();
        if (count > 0) {
            double weight = known() ? Math.min(HIGHEST_WEIGHT, count / YOUNG) : count / (samples + count);
            samples += count;
            seconds += weight * (ended.mean() - seconds);
        }
    }

    /** Once a second, at any load: quickly removes the effect of cold leases. */
    void second(double leaseSeconds, long completions) {
        if (samples < YOUNG && completions >= ENOUGH && leaseSeconds < seconds) {
            seconds += DOWN * (leaseSeconds - seconds);
        }
    }
}
