// SPDX-License-Identifier: Apache-2.0
package io.flexpool.benchmarks.shootout;

import io.flexpool.benchmarks.kit.TextTable;
import java.util.stream.DoubleStream;

/**
 * A figure over the repeats.
 *
 * @param median half are not above it
 * @param least the smallest
 * @param most the largest
 * @param repeats how many there are
 */
record Spread(double median, double least, double most, int repeats) {
    /**
     * Of one figure for each repeat.
     *
     * @param figures at least one
     */
    static Spread of(DoubleStream figures) {
        double[] sorted = figures.sorted().toArray();
        int half = sorted.length / 2;
        double median = sorted.length % 2 == 1 ? sorted[half] : (sorted[half - 1] + sorted[half]) / 2;
        return new Spread(median, sorted[0], sorted[sorted.length - 1], sorted.length);
    }

    /** The median, and in brackets the rest if there is any. */
    String text(int decimals) {
        String middle = TextTable.number(median, decimals);
        return repeats == 1
                ? middle
                : middle + " (" + TextTable.number(least, decimals) + "–" + TextTable.number(most, decimals) + ")";
    }
}
