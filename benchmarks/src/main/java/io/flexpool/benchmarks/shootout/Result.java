// SPDX-License-Identifier: Apache-2.0
package io.flexpool.benchmarks.shootout;

import org.jspecify.annotations.Nullable;

/**
 * One pool, in one variant, in one round, once.
 *
 * @param pool which pool
 * @param variant what stood around it
 * @param repeat from 0 on
 * @param round the load
 * @param outcome what became of it
 * @param heat the figures; null unless {@link Outcome#MEASURED}
 * @param why empty if measured; else what is known
 */
record Result(
        ShootOutPool pool,
        Variant variant,
        int repeat,
        Assignment.Round round,
        Outcome outcome,
        @Nullable Heat heat,
        String why) {
    /** What became of it. */
    enum Outcome {
        /** It came to its end, with or without errors. */
        MEASURED,
        /** It took longer than the bound, and its JVM was ended. */
        HUNG,
        /** Its JVM ended without being stopped. */
        FAILED
    }
}
