// SPDX-License-Identifier: Apache-2.0
package io.flexpool.benchmarks.simulate;

import org.jspecify.annotations.Nullable;

/**
 * What came out of one run.
 *
 * @param scenario the scenario's name
 * @param controller the controller's name
 * @param seed the seed of arrivals and work
 * @param requests requests that arrived
 * @param failures requests that never got a connection, or lost it
 * @param p99AcquireMs 99th percentile of the time from arrival to connection or failure, milliseconds
 * @param meanHeld connections open, averaged over time
 * @param meanSeconds mean time from arrival to end of lease, a failure counting
 *     {@link Scenario#FAILURE_SECONDS}; leaked leases left out
 * @param changes how often the limit moved
 * @param maxHeld the most connections that were open at once
 * @param trace the run over time, if requested
 */
public record SimResult(
        String scenario,
        String controller,
        long seed,
        int requests,
        int failures,
        double p99AcquireMs,
        double meanHeld,
        double meanSeconds,
        int changes,
        int maxHeld,
        @Nullable Trace trace) {
    /** How much worse the mean time is than another's: 0 if it is the same, 1 if it is twice as long. */
    public double regret(double bestMeanSeconds) {
        return meanSeconds / bestMeanSeconds - 1;
    }
}
