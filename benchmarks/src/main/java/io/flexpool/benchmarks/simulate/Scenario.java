// SPDX-License-Identifier: Apache-2.0
package io.flexpool.benchmarks.simulate;

import java.util.List;

/**
 * What happens to a simulated pool in one run.
 *
 * @param name what the report and the command line call it
 * @param curve the database
 * @param base the pool's size at the start
 * @param ceiling the size that is never passed
 * @param seconds how long the run is, seconds
 * @param phases what the load and the database are like; the first begins at 0, in ascending order
 * @param bursts requests that arrive at the same instant
 * @param leakSeconds when a lease begins that never ends, seconds, ascending
 */
public record Scenario(
        String name,
        Usl curve,
        int base,
        int ceiling,
        double seconds,
        List<Phase> phases,
        List<Burst> bursts,
        List<Double> leakSeconds) {
    /** How long a request waits for a connection before it gives up, seconds. */
    public static final double ACQUISITION_TIMEOUT_SECONDS = 1;
    /** What a failed request counts in the mean end-to-end time, seconds. */
    public static final double FAILURE_SECONDS = 5;

    /** Copies the lists. */
    public Scenario {
        phases = List.copyOf(phases);
        bursts = List.copyOf(bursts);
        leakSeconds = List.copyOf(leakSeconds);
    }

    /**
     * A stretch of time.
     *
     * @param fromSecond when it begins
     * @param rate mean arrivals a second, Poisson
     * @param workFactor how many times the usual work a request is to the database: it contends with all others
     * @param delayFactor time per request that contends with nothing, in multiples of its work
     * @param holdSeconds time for which the application keeps each connection beside that, seconds
     * @param up whether the database answers; if not, all connections are lost and none can be opened
     */
    public record Phase(
            double fromSecond, double rate, double workFactor, double delayFactor, double holdSeconds, boolean up) {
        /** The usual database. */
        public static Phase load(double fromSecond, double rate) {
            return new Phase(fromSecond, rate, 1, 0, 0, true);
        }
    }

    /**
     * Requests that arrive at the same instant.
     *
     * @param second when
     * @param requests how many
     */
    public record Burst(double second, int requests) {}
}
