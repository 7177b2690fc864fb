// SPDX-License-Identifier: Apache-2.0
package io.flexpool.benchmarks.adaptive;

import java.util.Locale;

/** Who is compared, side by side. */
public enum Competitor {
    /** A pool of the one size that is best for the whole scenario, as the simulator finds it. */
    BEST_STATIC,
    /** FlexyPool around a pool of the base's size, growing on timeouts up to the ceiling. */
    FLEXYPOOL,
    /** Netflix's {@code Gradient2Limit} as the limit of the same gate that flexpool has. */
    GRADIENT2,
    /** flexpool in mode adapt, with its defaults. */
    FLEXPOOL;

    /** The name in reports. */
    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
