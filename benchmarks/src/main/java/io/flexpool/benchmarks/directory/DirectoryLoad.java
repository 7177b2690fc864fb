// SPDX-License-Identifier: Apache-2.0
package io.flexpool.benchmarks.directory;

import io.flexpool.benchmarks.burst.BurstLoad.Arrival;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * Which requests arrive when: a steady phase, then the same with bursts. A request of the steady phase is in a window
 * below 0, one after a burst in that burst's window.
 *
 * @param clients how many send requests, in turn
 * @param ratePerClient steady requests per second of each client
 * @param steadyMs the steady phase, milliseconds
 * @param burstSize requests of one burst, all at once
 * @param everyMs from one burst to the next, milliseconds
 * @param bursts how many
 */
public record DirectoryLoad(int clients, int ratePerClient, int steadyMs, int burstSize, int everyMs, int bursts) {
    private static final long NANOS_PER_SECOND = TimeUnit.SECONDS.toNanos(1);

    /**
     * All requests, evenly spaced but for the bursts, in the order of their arrival.
     *
     * @return the same for the same load
     */
    List<Arrival> arrivals() {
        List<Arrival> arrivals = new ArrayList<>();
        long end = length().toNanos();
        for (long n = 0; n * NANOS_PER_SECOND / rate() < end; n++) {
            long at = n * NANOS_PER_SECOND / rate();
            arrivals.add(
                    new Arrival(at, (int) Math.floorDiv(at - burstNanos(0), burstNanos(1) - burstNanos(0)), false));
        }
        for (int burst = 0; burst < bursts; burst++) {
            for (int n = 0; n < burstSize; n++) {
                arrivals.add(new Arrival(burstNanos(burst), burst, true));
            }
        }
        // Stable: of those that arrive together the steady one comes first.
        arrivals.sort(Comparator.comparingLong(Arrival::atNanos));
        return arrivals;
    }

    private long burstNanos(int burst) {
        return TimeUnit.MILLISECONDS.toNanos(steadyMs + (long) burst * everyMs);
    }

    /** How many there are in all. */
    long requests() {
        return length().toMillis() * rate() / 1000 + (long) bursts * burstSize;
    }

    int rate() {
        return clients * ratePerClient;
    }

    /** From the first arrival to one period after the last burst. */
    Duration length() {
        return Duration.ofMillis(steadyMs + (long) bursts * everyMs);
    }

    /** When a burst arrives, seconds from the start. */
    double burstAtSeconds(int burst) {
        return (steadyMs + (double) burst * everyMs) / 1000;
    }

    String inWords() {
        return clients + " clients × " + ratePerClient + " requests/s for " + steadyMs / 1000.0 + " s, then also "
                + burstSize + " at once every " + everyMs + " ms, " + bursts + " times";
    }
}
