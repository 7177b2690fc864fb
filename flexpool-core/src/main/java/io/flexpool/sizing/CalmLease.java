// SPDX-License-Identifier: Apache-2.0
package io.flexpool.sizing;

/**
 * What a lease lasts when nothing is wrong, and how many begin a second then: learnt on the ticks outside episodes.
 *
 * <p>The first leases of a pool are slow (cold caches, cold code), so a plain mean over the first 400 is kept, and
 * nothing is judged on it before. Later it follows slowly upward, slower still while much of the pool is in use, and
 * always quickly downward: a lease can be disturbed to be longer, never to be shorter.
 */
final class CalmLease {
    private static final int LEARNT = 400;
    private static final double NANOS = 1e9;
    private static final double HIGHEST_WEIGHT = 0.02;
    private static final double LEASES = 2000;
    private static final double WHEN_BUSY = 0.1;
    private static final double DOWN = 0.25;
    private static final double RATE_WEIGHT = 0.02;
    private static final int ENOUGH = 20;

    private long samples;
    private double seconds;
    private double rate;
    private boolean rated;

    /** Whether enough leases were seen to judge on. */
    boolean known() {
        return samples >= LEARNT;
    }

    /** Mean lease in calm, seconds; 0 before the first. */
    double seconds() {
        return seconds;
    }

    /** Arrivals a second in calm; 0 before the first calm tick. */
    double rate() {
        return rate;
    }

    /** A tick outside episodes. */
    void calm(Traffic traffic, double arrivalRate, boolean busy) {
        rate = rated ? rate + RATE_WEIGHT * (arrivalRate - rate) : arrivalRate;
        rated = true;
        long ended = traffic.completions();
        if (ended > 0) {
            learn(traffic.leaseNanos() / NANOS / ended, ended, busy);
        }
    }

    private void learn(double mean, long ended, boolean busy) {
        double weight = known() ? Math.min(HIGHEST_WEIGHT, ended / LEASES) : (double) ended / (samples + ended);
        if (known() && busy && mean > seconds) {
            weight *= WHEN_BUSY;
        }
        samples += ended;
        seconds += weight * (mean - seconds);
    }

    /** Once a second, in calm and in trouble. */
    void second(double leaseSeconds, long completions) {
        if (completions >= ENOUGH && leaseSeconds < seconds) {
            seconds += DOWN * (leaseSeconds - seconds);
        }
    }
}
