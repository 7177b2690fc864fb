// SPDX-License-Identifier: Apache-2.0
package io.flexpool.internal.sizing;

import io.flexpool.internal.sizing.PoolWindow.OfClass;
import io.flexpool.internal.sizing.PoolWindow.Traffic;
import java.util.Arrays;
import java.util.List;
import java.util.function.ToDoubleFunction;

/**
 * The ticks of the last half minute, and sums over the latest of them. All windows begin and end with a tick: rates
 * over windows with partial ticks would differ by the events of the part, and look like a change. A tick counts with
 * its true length, not with the intended length.
 */
final class History {
    /** Ticks in a second. */
    static final int SECOND = 4;

    /** Remembered ticks, 32 s. */
    static final int SIZE = 32 * SECOND;

    private static final double NANOS = 1e9;
    /** The busiest second: this part of the seconds is less busy. */
    private static final double HIGH = 0.9;

    private final Tick[] ring = new Tick[SIZE];
    private int latest = -1;
    private int size;

    /** A tick; {@code ordinary} has the ended leases without occupied ones. */
    private record Tick(double seconds, Traffic traffic, double headAge, Rate ordinary) {}

    void add(double length, PoolWindow window, Rate ordinary) {
        latest = (latest + 1) % SIZE;
        size = Math.min(SIZE, size + 1);
        ring[latest] = new Tick(length, window.traffic(), window.headAgeNanos() / NANOS, ordinary);
    }

    double seconds(int ticks) {
        return sum(ticks, Tick::seconds);
    }

    double arrivalRate(int ticks) {
        return sum(ticks, tick -> (double) tick.traffic.arrivals()) / seconds(ticks);
    }

    /** The number of latest ticks in which enough requests arrived: at least the given ticks, and at most all. */
    int ticksOfArrivals(int ticks, int enough) {
        double sum = 0;
        int tick = 0;
        while (tick < known(SIZE) && (tick < ticks || sum < enough)) {
            sum += (double) back(tick).traffic.arrivals();
            tick++;
        }
        return Math.max(2, tick);
    }

    /** The arrival rate of each class of requests; empty without classes. */
    double[] arrivalRates(int ticks) {
        double[] sums = new double[classes()];
        for (int tick = 0; tick < known(ticks); tick++) {
            List<OfClass> its = back(tick).traffic.classes();
            for (int at = 0; at < its.size() && at < sums.length; at++) {
                sums[at] += its.get(at).arrivals() / seconds(ticks);
            }
        }
        return sums;
    }

    /** The leases of each class that ended in the latest ticks, and their total time; empty without classes. */
    Rate[] leasesByClass(int ticks) {
        Rate[] ended = new Rate[classes()];
        Arrays.fill(ended, Rate.NONE);
        for (int tick = 0; tick < known(ticks); tick++) {
            List<OfClass> its = back(tick).traffic.classes();
            for (int at = 0; at < its.size() && at < ended.length; at++) {
                OfClass one = its.get(at);
                ended[at] = ended[at].plus(Rate.of((double) one.completions(), one.leaseNanos() / NANOS));
            }
        }
        return ended;
    }

    private int classes() {
        return size == 0 ? 0 : back(0).traffic.classes().size();
    }

    long completions(int ticks) {
        return (long) sum(ticks, tick -> (double) tick.traffic.completions());
    }

    long timeouts(int ticks) {
        return (long) sum(ticks, tick -> (double) tick.traffic.timeouts());
    }

    /** Share of the time in which the limit bound. */
    double saturated(int ticks) {
        return sum(ticks, tick -> tick.traffic.saturated()) / Math.max(1, known(ticks));
    }

    /** Mean age of the oldest waiting request, seconds. */
    double headAge(int ticks) {
        return sum(ticks, Tick::headAge) / Math.max(1, known(ticks));
    }

    /** The ended ordinary leases of the latest ticks, of more ticks if they are too few, and their total time. */
    Rate leases(int ticks, int mostTicks, int enough) {
        double count = 0;
        double seconds = 0;
        for (int tick = 0; tick < known(mostTicks) && (tick < ticks || count < enough); tick++) {
            Rate ordinary = back(tick).ordinary;
            count += ordinary.count();
            seconds += ordinary.seconds();
        }
        return Rate.of(count, seconds);
    }

    /** The ordinary leases that ended in an earlier range of ticks, and their total time. */
    Rate leasesAgo(int from, int to) {
        double count = 0;
        double seconds = 0;
        for (int tick = from; tick < known(to); tick++) {
            count += back(tick).ordinary.count();
            seconds += back(tick).ordinary.seconds();
        }
        return Rate.of(count, seconds);
    }

    /** The mean connections in use over an earlier range of ticks. */
    double activeAgo(int from, int to) {
        double sum = 0;
        for (int tick = from; tick < known(to); tick++) {
            sum += back(tick).traffic.meanActive();
        }
        return sum / Math.max(1, known(to) - from);
    }

    /** The 90th percentile of the mean use of each whole second within the latest ticks. */
    double busySecond(int ticks) {
        int blocks = Math.max(1, known(ticks) / SECOND);
        double[] means = new double[blocks];
        for (int block = 0; block < blocks; block++) {
            int ticksOfBlock = Math.min(SECOND, size - block * SECOND);
            for (int tick = 0; tick < ticksOfBlock; tick++) {
                means[block] += back(block * SECOND + tick).traffic.meanActive() / ticksOfBlock;
            }
        }
        Arrays.sort(means);
        return means[(int) Math.min(blocks - 1, Math.floor(HIGH * blocks))];
    }

    /** The sum of a figure over the latest ticks. */
    private double sum(int ticks, ToDoubleFunction<Tick> figure) {
        double sum = 0;
        for (int tick = 0; tick < known(ticks); tick++) {
            sum += figure.applyAsDouble(back(tick));
        }
        return sum;
    }

    private Tick back(int tick) {
        return ring[(latest - tick + SIZE) % SIZE];
    }

    private int known(int ticks) {
        return Math.min(ticks, size);
    }
}
