// SPDX-License-Identifier: Apache-2.0
package io.flexpool.benchmarks.simulate;

/**
 * One controller in one scenario with one seed.
 *
 * @param scenario the scenario's name
 * @param controller the contender's name
 * @param seed of the run
 * @param failures requests that got no connection in time, or lost it
 * @param p99AcquireMs 99th percentile of the time until a request had its connection or had failed, milliseconds
 * @param meanHeld connections open, mean over time
 * @param regret the mean end-to-end time (a failure counts 5 s) over that of the best static size with the same seed,
 *     minus 1
 * @param changes how often the limit moved
 * @param maxHeld the most connections that were open at once
 * @param requests all that arrived
 * @param meanMs the mean end-to-end time, a failure counting 5 s, milliseconds
 */
public record SimRow(
        String scenario,
        String controller,
        long seed,
        int failures,
        double p99AcquireMs,
        double meanHeld,
        double regret,
        int changes,
        int maxHeld,
        int requests,
        double meanMs) {
    private static final double MS_PER_SECOND = 1e3;

    static SimRow of(SimResult run, SimResult best) {
        return new SimRow(
                run.scenario(),
                run.controller(),
                run.seed(),
                run.failures(),
                run.p99AcquireMs(),
                run.meanHeld(),
                run.regret(best.meanSeconds()),
                run.changes(),
                run.maxHeld(),
                run.requests(),
                run.meanSeconds() * MS_PER_SECOND);
    }
}
