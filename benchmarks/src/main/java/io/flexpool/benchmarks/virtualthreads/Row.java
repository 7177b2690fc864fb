// SPDX-License-Identifier: Apache-2.0
package io.flexpool.benchmarks.virtualthreads;

import org.jspecify.annotations.Nullable;

/**
 * One measurement.
 *
 * @param database the database
 * @param variant what was asked for connections
 * @param round from 1
 * @param requestsPerSecond that got a connection and gave it back
 * @param waitP50Ms half of the requests had waited less, milliseconds, also of those that still waited at the end
 * @param waitP99Ms 99 of 100 had waited less
 * @param wholeP99Ms 99 of 100 had taken less from the request to the end of the lease
 * @param processorMicros the processor's time of the whole JVM for each request, microseconds
 * @param carriersBusy the part of the carriers that ran a virtual thread, 0 to 1; null if that is not known
 * @param queued virtual threads that could go on and had no carrier, on average; null if that is not known
 * @param pinned how often a virtual thread kept its carrier while it waited
 * @param failed requests that failed
 * @param firstFailure the first failure in words; null if there was none
 */
public record Row(
        LeaseDatabase database,
        Variant variant,
        int round,
        double requestsPerSecond,
        double waitP50Ms,
        double waitP99Ms,
        double wholeP99Ms,
        double processorMicros,
        @Nullable Double carriersBusy,
        @Nullable Double queued,
        long pinned,
        long failed,
        @Nullable String firstFailure) {}
