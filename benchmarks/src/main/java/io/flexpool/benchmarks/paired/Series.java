// SPDX-License-Identifier: Apache-2.0
package io.flexpool.benchmarks.paired;

import java.util.Arrays;

/** One number per round. */
final class Series {
    private final double[] values;

    Series(int rounds) {
        values = new double[rounds];
    }

    void set(int round, double value) {
        values[round] = value;
    }

    /** Round by round: the rounds of two series saw the same neighbours on the machine. */
    Series minus(Series other) {
        Series difference = new Series(values.length);
        for (int round = 0; round < values.length; round++) {
            difference.values[round] = values[round] - other.values[round];
        }
        return difference;
    }

    double median() {
        return quantile(0.5);
    }

    /** Interpolated between the two nearest values. */
    double quantile(double q) {
        double[] sorted = values.clone();
        Arrays.sort(sorted);
        double at = q * (sorted.length - 1);
        int below = (int) at;
        int above = Math.min(below + 1, sorted.length - 1);
        return sorted[below] + (at - below) * (sorted[above] - sorted[below]);
    }
}
