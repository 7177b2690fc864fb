// SPDX-License-Identifier: Apache-2.0
package io.flexpool.internal.sizing;

import java.util.Arrays;

/**
 * The ticks of the last half minute, and sums over the latest of them. All windows begin and end with a tick: rates over
 * windows that are off by a part of one would differ by what came in that part, and be taken for a change. A tick counts
 * with its true length, not with the one intended.
 */
final class History {
    /** Ticks in a second. */
    static final int SECOND = 4;

    private static final int SIZE = 32 * SECOND;
    private static final double NANOS = 1e9;
    private static final double HIGH = 0.9;

    private final double[] seconds = new double[SIZE];
    private final double[] arrivals = new double[SIZE];
    private final double[] completions = new double[SIZE];
    private final double[] leases = new double[SIZE];
    private final double[] leaseSeconds = new double[SIZE];
    private final double[] timeouts = new double[SIZE];
    private final double[] active = new double[SIZE];
    private final double[] saturated = new double[SIZE];
    private final double[] headAge = new double[SIZE];
    private int latest = -1;
    private int size;

    /**
     * A tick.
     *
     * @param ordinary what ended, those that counted as taken left out
     */
    void add(double length, PoolWindow window, Rate ordinary) {
        Traffic traffic = window.traffic();
        latest = (latest + 1) % SIZE;
        size = Math.min(SIZE, size + 1);
        seconds[latest] = length;
        arrivals[latest] = traffic.arrivals();
        completions[latest] = traffic.completions();
        leases[latest] = ordinary.count();
        leaseSeconds[latest] = ordinary.seconds();
        timeouts[latest] = traffic.timeouts();
        active[latest] = traffic.meanActive();
        saturated[latest] = traffic.saturated();
        headAge[latest] = window.headAgeNanos() / NANOS;
    }

    double seconds(int ticks) {
        return sum(seconds, ticks);
    }

    double arrivalRate(int ticks) {
        return sum(arrivals, ticks) / sum(seconds, ticks);
    }

    double completionRate(int ticks) {
        return sum(completions, ticks) / sum(seconds, ticks);
    }

    long completions(int ticks) {
        return (long) sum(completions, ticks);
    }

    long timeouts(int ticks) {
        return (long) sum(timeouts, ticks);
    }

    /** Share of the time in which the limit bound. */
    double saturated(int ticks) {
        return mean(saturated, ticks);
    }

    /** Mean age of the oldest waiting request, seconds. */
    double headAge(int ticks) {
        return mean(headAge, ticks);
    }

    /** The mean lease over the latest ticks, over more of them until enough leases ended, seconds; 0 if none did. */
    double meanLease(int ticks, int mostTicks, int enough) {
        double lease = 0;
        double ended = 0;
        for (int tick = 0; tick < Math.min(mostTicks, size) && (tick < ticks || ended < enough); tick++) {
            lease += leaseSeconds[back(tick)];
            ended += leases[back(tick)];
        }
        return ended == 0 ? 0 : lease / ended;
    }

    /** On how many leases that rests. */
    double leases(int ticks, int mostTicks, int enough) {
        double ended = 0;
        for (int tick = 0; tick < Math.min(mostTicks, size) && (tick < ticks || ended < enough); tick++) {
            ended += leases[back(tick)];
        }
        return ended;
    }

    /** What ended in the latest tick, those that counted as taken left out, and how long it lasted. */
    Rate ordinary() {
        return new Rate(leases[latest], leaseSeconds[latest]);
    }

    /** The mean lease over ticks that lie back, seconds; 0 if too few ended. */
    double meanLeaseAgo(int from, int to, int enough) {
        double lease = 0;
        double ended = 0;
        for (int tick = from; tick < Math.min(to, size); tick++) {
            lease += leaseSeconds[back(tick)];
            ended += leases[back(tick)];
        }
        return ended < enough ? 0 : lease / ended;
    }

    /** Mean connections in use over ticks that lie back. */
    double activeAgo(int from, int to) {
        double sum = 0;
        for (int tick = from; tick < Math.min(to, size); tick++) {
            sum += active[back(tick)];
        }
        return sum / Math.max(1, Math.min(to, size) - from);
    }

    /** The 90th percentile of the mean use of each whole second within the latest ticks. */
    double busySecond(int ticks) {
        int blocks = Math.max(1, Math.min(ticks, size) / SECOND);
        double[] means = new double[blocks];
        for (int block = 0; block < blocks; block++) {
            int ticksOfBlock = Math.min(SECOND, size - block * SECOND);
            for (int tick = 0; tick < ticksOfBlock; tick++) {
                means[block] += active[back(block * SECOND + tick)] / ticksOfBlock;
            }
        }
        Arrays.sort(means);
        return means[(int) Math.min(blocks - 1, Math.floor(HIGH * blocks))];
    }

    private int back(int tick) {
        return (latest - tick + SIZE) % SIZE;
    }

    private double mean(double[] values, int ticks) {
        return sum(values, ticks) / Math.max(1, Math.min(ticks, size));
    }

    private double sum(double[] values, int ticks) {
        double sum = 0;
        for (int tick = 0; tick < Math.min(ticks, size); tick++) {
            sum += values[back(tick)];
        }
        return sum;
    }
}
