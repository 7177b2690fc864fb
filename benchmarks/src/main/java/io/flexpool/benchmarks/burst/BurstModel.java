// SPDX-License-Identifier: Apache-2.0
package io.flexpool.benchmarks.burst;

import io.flexpool.benchmarks.burst.BurstLoad.Arrival;
import java.util.List;
import java.util.PriorityQueue;
import java.util.concurrent.TimeUnit;

/**
 * What arithmetic says of a burst: a number of servers, each busy for the hold time with one request, strictly first
 * come, first served; further servers appear as fast as the pool connects. No thread, no clock: a pool and its wrapper
 * cannot do better than this with the same connections, only come near it.
 *
 * <p>Every burst is computed from the base: what a pool keeps from the burst before makes it faster, not slower.
 *
 * @param load the load; of its bursts the first is computed
 * @param base servers from the start; at least 1
 * @param timeoutMs a request that would wait longer than this fails, milliseconds
 */
public record BurstModel(BurstLoad load, int base, double timeoutMs) {
    private static final double NANOS_PER_MS = TimeUnit.MILLISECONDS.toNanos(1);

    /** A wait that ends at the timeout itself is no failure, regardless of rounding. */
    private static final double ROUNDING_MS = 1e-6;

    /**
     * What became of the requests.
     *
     * @param worstMs the longest time from a request's arrival to the end of its hold, of those that were served;
     *     milliseconds
     * @param burstFailures how many of the burst failed
     * @param steadyFailures how many others failed
     */
    public record Outcome(double worstMs, int burstFailures, int steadyFailures) {}

    /**
     * With the base only.
     *
     * @return what arithmetic says
     */
    public Outcome fixed() {
        return grown(List.of());
    }

    /**
     * With further servers.
     *
     * @param readyMs when each further one is ready, milliseconds from the burst
     * @return what arithmetic says
     */
    public Outcome grown(List<Double> readyMs) {
        BurstLoad one = load.withBursts(1);
        double burstMs = one.burstNanos(0) / NANOS_PER_MS;
        PriorityQueue<Double> freeAt = new PriorityQueue<>();
        for (int n = 0; n < base; n++) {
            freeAt.add(0.0);
        }
        readyMs.forEach(ready -> freeAt.add(burstMs + ready));
        double worst = 0;
        int burstFailures = 0;
        int steadyFailures = 0;
        for (Arrival arrival : one.arrivals()) {
            double at = arrival.atNanos() / NANOS_PER_MS;
            double start = Math.max(at, freeAt.element());
            if (start - at <= timeoutMs + ROUNDING_MS) {
                freeAt.remove();
                freeAt.add(start + load.holdMs());
                worst = Math.max(worst, start + load.holdMs() - at);
            } else if (arrival.ofBurst()) {
                burstFailures++;
            } else {
                steadyFailures++;
            }
        }
        return new Outcome(worst, burstFailures, steadyFailures);
    }
}
