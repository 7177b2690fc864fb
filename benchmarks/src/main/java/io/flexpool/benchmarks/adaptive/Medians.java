// SPDX-License-Identifier: Apache-2.0
package io.flexpool.benchmarks.adaptive;

import java.util.Arrays;

/** The middle of some figures. */
final class Medians {
    private Medians() {}

    /** NaN of none; of an even number the mean of the two in the middle. */
    static double of(double... figures) {
        double[] sorted = figures.clone();
        Arrays.sort(sorted);
        int middle = sorted.length / 2;
        if (sorted.length == 0) {
            return Double.NaN;
        }
        return sorted.length % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
    }
}
