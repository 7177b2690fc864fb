// SPDX-License-Identifier: Apache-2.0
package io.flexpool.benchmarks.shootout;

import java.util.List;

/**
 * What one JVM is to do, as it reads it from its standard input.
 *
 * @param pool which pool
 * @param variant what stands around it
 * @param endpoint the database
 * @param threads thread counts, one heat for each
 * @param cycles cycles of each heat, shared by its threads
 * @param warmUp cycles of each thread count before the first heat, on a pool that is then closed
 */
record Assignment(
        ShootOutPool pool,
        Variant variant,
        ShootOutDatabase.Endpoint endpoint,
        List<Integer> threads,
        int cycles,
        int warmUp) {}
