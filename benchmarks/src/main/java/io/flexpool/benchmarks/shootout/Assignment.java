// SPDX-License-Identifier: Apache-2.0
package io.flexpool.benchmarks.shootout;

import java.util.List;

/**
 * What one JVM is to do, as it reads it from its standard input.
 *
 * @param pool which pool
 * @param variant what stands around it
 * @param endpoint the database
 * @param rounds one heat for each
 * @param warmUp cycles at the thread count of each round before the first heat, on a pool that is then closed
 */
record Assignment(
        ShootOutPool pool, Variant variant, ShootOutDatabase.Endpoint endpoint, List<Round> rounds, int warmUp) {
    /**
     * A load.
     *
     * @param threads how many share the cycles
     * @param cycles how many there are
     * @param holdMs how long a cycle keeps its connection after its query, milliseconds
     */
    record Round(int threads, int cycles, int holdMs) {
        /** Whether it is there to see what a pool does when it is full, and not to be timed. */
        boolean pressing() {
            return holdMs > 0;
        }
    }
}
