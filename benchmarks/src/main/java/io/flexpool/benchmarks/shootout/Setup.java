// SPDX-License-Identifier: Apache-2.0
package io.flexpool.benchmarks.shootout;

import java.time.Duration;
import java.util.List;
import java.util.Set;

/**
 * What is run.
 *
 * @param pools the pools
 * @param variants what stands around them
 * @param database what they connect to
 * @param threads thread counts, each once, from low to high
 * @param cycles cycles of each heat
 * @param repeats JVMs of each pool and variant
 * @param bound how long a heat may take
 * @param seed of the order
 */
record Setup(
        Set<ShootOutPool> pools,
        Set<Variant> variants,
        ShootOutDatabase database,
        List<Integer> threads,
        int cycles,
        int repeats,
        Duration bound,
        long seed) {
    private static final int WARM_UP_SHARE = 4;

    /** JVMs that start if none hangs. */
    int jvms() {
        return pools.size() * variants.size() * repeats;
    }

    /** Cycles at each thread count before a JVM's first heat. */
    int warmUp() {
        return cycles / WARM_UP_SHARE;
    }
}
