// SPDX-License-Identifier: Apache-2.0
package io.flexpool.benchmarks.tail;

/**
 * What one window gave. A lease counts in the window in which it ends. Waits are wall time of {@code getConnection()}, to
 * three significant digits.
 *
 * @param leases all that ended in the window
 * @param opsPerSecond leases per second
 * @param meanMicros the mean wait, microseconds
 * @param p50Micros half of the timed requests waited no longer
 * @param p99Micros 99 of 100 waited no longer
 * @param p999Micros 999 of 1,000 waited no longer
 * @param maxMicros the longest wait of a timed request
 * @param fewest leases of the client that got fewest
 * @param most leases of the client that got most
 * @param cpuMicrosPerOp processor time of the whole JVM per lease, microseconds
 * @param clientCpuMicrosPerOp processor time of the clients alone per lease, microseconds
 * @param busy connections that clients held, on the average over time
 * @param mostOpen the most connections that were open at once, from the start of the JVM to the end of the window
 */
record TailWindow(
        long leases,
        double opsPerSecond,
        double meanMicros,
        double p50Micros,
        double p99Micros,
        double p999Micros,
        double maxMicros,
        long fewest,
        long most,
        double cpuMicrosPerOp,
        double clientCpuMicrosPerOp,
        double busy,
        int mostOpen) {}
