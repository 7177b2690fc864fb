// SPDX-License-Identifier: Apache-2.0
package io.flexpool.benchmarks.openclose;

import com.codahale.metrics.Snapshot;

/**
 * One variant in one round.
 *
 * @param db the database
 * @param variant {@code unpooled}, a pool's name, or a pool's name and {@code +flexpool}
 * @param round from 0; the first includes the start of the JVM's code and of the pool
 * @param minMs the shortest cycle
 * @param maxMs the longest cycle
 * @param meanMs the arithmetic mean
 * @param stddevMs the standard deviation
 * @param medianMs the median
 */
public record OpenCloseResult(
        String db,
        String variant,
        int round,
        double minMs,
        double maxMs,
        double meanMs,
        double stddevMs,
        double medianMs) {
    private static final double NANOS_PER_MS = 1e6;

    /** From a timer's snapshot, which is in nanoseconds. */
    static OpenCloseResult of(String db, String variant, int round, Snapshot nanos) {
        return new OpenCloseResult(
                db,
                variant,
                round,
                nanos.getMin() / NANOS_PER_MS,
                nanos.getMax() / NANOS_PER_MS,
                nanos.getMean() / NANOS_PER_MS,
                nanos.getStdDev() / NANOS_PER_MS,
                nanos.getMedian() / NANOS_PER_MS);
    }
}
