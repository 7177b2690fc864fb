// SPDX-License-Identifier: Apache-2.0
package io.flexpool.benchmarks.paired;

import java.util.Arrays;

/** One number per round. For use by one thread. */
public final class Series {
    private final double[] values;

    /**
     * All zero.
     *
     * @param rounds how many numbers, from 1
     */
    public Series(int rounds) {
        values = new double[rounds];
    }

    /**
     * Sets a round's number.
     *
     * @param round from 0
     * @param value the number
     */
    public void set(int round, double value) {
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

    /**
     * The middle.
     *
     * @return half of the numbers are no larger
     */
    public double median() {
        return quantile(0.5);
    }

    /**
     * Interpolated between the two nearest values.
     *
     * @param q from 0 to 1
     * @return that share of the numbers is no larger
     */
    public double quantile(double q) {
        double[] sorted = values.clone();
        Arrays.sort(sorted);
        double at = q * (sorted.length - 1);
        int below = (int) at;
        int above = Math.min(below + 1, sorted.length - 1);
        return sorted[below] + (at - below) * (sorted[above] - sorted[below]);
    }
}
