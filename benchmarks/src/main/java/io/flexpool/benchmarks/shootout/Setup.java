// SPDX-License-Identifier: Apache-2.0
package io.flexpool.benchmarks.shootout;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.stream.Stream;

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
 * @param quick whether this is the small form, not for quoting
 */
record Setup(
        Set<ShootOutPool> pools,
        Set<Variant> variants,
        ShootOutDatabase database,
        List<Integer> threads,
        int cycles,
        int repeats,
        Duration bound,
        long seed,
        boolean quick) {
    /** Twice as many as there are connections. */
    static final int PRESSING_THREADS = 2 * Sizes.MAX;

    /** How long each keeps its connection, so that the pool is full for certain. */
    static final int PRESSING_HOLD_MS = 10;

    private static final int PRESSING_CYCLES_EACH = 10;
    private static final int WARM_UP_SHARE = 4;
    /** By then the compiler is done. */
    private static final int LONGEST_WARM_UP = 50_000;

    /** Heats of one variant, if the run comes to its end. */
    int heatsOfEachVariant() {
        return pools.size() * repeats * (threads.size() + 1);
    }

    /** JVMs that start if none hangs. */
    int jvms() {
        return pools.size() * variants.size() * repeats;
    }

    /** One for each thread count, in a random order, and last one that presses. */
    List<Assignment.Round> rounds(Random random) {
        List<Integer> shuffled = new ArrayList<>(threads);
        Collections.shuffle(shuffled, random);
        return Stream.concat(
                        shuffled.stream().map(count -> new Assignment.Round(count, cycles, 0)),
                        Stream.of(new Assignment.Round(
                                PRESSING_THREADS, PRESSING_THREADS * PRESSING_CYCLES_EACH, PRESSING_HOLD_MS)))
                .toList();
    }

    /** Cycles at the thread count of each round before a JVM's first heat. */
    int warmUp() {
        return Math.min(cycles / WARM_UP_SHARE, LONGEST_WARM_UP);
    }
}
