// SPDX-License-Identifier: Apache-2.0
package io.flexpool.benchmarks.burst;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * Which requests arrive when. Arrivals do not wait for answers: a slow pool gets no fewer of them. The steady requests
 * begin one period before the first burst and go on for one period after the last one.
 *
 * @param ratePerSecond steady requests per second, evenly spaced; at least 1
 * @param size requests of one burst, all at once; at least 1
 * @param periodMs from one burst to the next, milliseconds; at least 1
 * @param holdMs how long each request keeps its connection, milliseconds; at least 1
 * @param bursts how many; at least 1
 */
public record BurstLoad(int ratePerSecond, int size, int periodMs, int holdMs, int bursts) {
    private static final long NANOS_PER_SECOND = TimeUnit.SECONDS.toNanos(1);

    /**
     * One request.
     *
     * @param atNanos when it is to arrive, from the start of the load, nanoseconds
     * @param window the latest burst before or with it, from 0; -1 before the first
     * @param ofBurst whether it is one of the burst, and no steady one
     */
    public record Arrival(long atNanos, int window, boolean ofBurst) {}

    /**
     * All requests in the order of their arrival; of those that arrive together the steady one comes first.
     *
     * @return the same for the same load
     */
    public List<Arrival> arrivals() {
        List<Arrival> arrivals = new ArrayList<>();
        for (long n = 0; n * NANOS_PER_SECOND / ratePerSecond < endNanos(); n++) {
            long at = n * NANOS_PER_SECOND / ratePerSecond;
            arrivals.add(new Arrival(at, (int) (at / periodNanos()) - 1, false));
        }
        for (int burst = 0; burst < bursts; burst++) {
            for (int n = 0; n < size; n++) {
                arrivals.add(new Arrival(burstNanos(burst), burst, true));
            }
        }
        // Stable: the steady ones were added first.
        arrivals.sort(Comparator.comparingLong(Arrival::atNanos));
        return arrivals;
    }

    /**
     * When a burst arrives.
     *
     * @param burst from 0
     * @return nanoseconds from the start of the load
     */
    public long burstNanos(int burst) {
        return (burst + 1) * periodNanos();
    }

    /**
     * How long the load lasts.
     *
     * @return nanoseconds
     */
    public long endNanos() {
        return burstNanos(bursts);
    }

    /**
     * The same load with another number of bursts.
     *
     * @param number at least 1
     * @return a load
     */
    public BurstLoad withBursts(int number) {
        return new BurstLoad(ratePerSecond, size, periodMs, holdMs, number);
    }

    private long periodNanos() {
        return TimeUnit.MILLISECONDS.toNanos(periodMs);
    }
}
