// SPDX-License-Identifier: Apache-2.0
package io.flexpool.benchmarks.directory;

import io.flexpool.benchmarks.burst.BurstLoad;
import io.flexpool.benchmarks.burst.BurstLoad.Arrival;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * Which requests arrive when: a steady phase, and then the same with bursts. A request of the steady phase is in window
 * -1, one after a burst in that burst's window.
 *
 * @param clients how many send requests, in turn
 * @param ratePerClient steady requests per second of each client
 * @param steadyMs the steady phase, milliseconds; not below {@code everyMs}
 * @param burstSize requests of one burst, all at once
 * @param everyMs from one burst to the next, milliseconds
 * @param bursts how many
 */
public record DirectoryLoad(int clients, int ratePerClient, int steadyMs, int burstSize, int everyMs, int bursts) {
    /**
     * All requests in the order of their arrival.
     *
     * @return the same for the same load
     */
    List<Arrival> arrivals() {
        BurstLoad inBursts = new BurstLoad(rate(), burstSize, everyMs, 1, bursts);
        // That one begins with a period without a burst.
        long before = TimeUnit.MILLISECONDS.toNanos(steadyMs - everyMs);
        List<Arrival> arrivals = new ArrayList<>();
        for (long n = 0; n * TimeUnit.SECONDS.toNanos(1) / rate() < before; n++) {
            arrivals.add(new Arrival(n * TimeUnit.SECONDS.toNanos(1) / rate(), -1, false));
        }
        inBursts.arrivals().stream()
                .map(arrival -> new Arrival(before + arrival.atNanos(), arrival.window(), arrival.ofBurst()))
                .forEach(arrivals::add);
        return arrivals;
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
