// SPDX-License-Identifier: Apache-2.0
package io.flexpool.benchmarks.virtualthreads;

import java.util.List;

/**
 * What is measured.
 *
 * @param databases the databases
 * @param variants what the threads ask for connections
 * @param threads how many ask, all the time
 * @param connections how many there are
 * @param workMicros for how long a thread keeps a connection busy, microseconds
 * @param warmUpMillis how long they ask before they are measured
 * @param millis how long they are measured
 * @param rounds how often each variant is measured on each database
 * @param seed of the order in which the variants are measured
 */
public record Plan(
        List<LeaseDatabase> databases,
        List<Variant> variants,
        int threads,
        int connections,
        int workMicros,
        int warmUpMillis,
        int millis,
        int rounds,
        long seed) {
    /** Copies the lists. */
    public Plan {
        databases = List.copyOf(databases);
        variants = List.copyOf(variants);
    }

    /** How many measurements there are. */
    long steps() {
        return (long) databases.size() * variants.size() * rounds;
    }
}
