// SPDX-License-Identifier: Apache-2.0
package io.flexpool.benchmarks.kit;

import java.util.List;
import java.util.stream.DoubleStream;

/**
 * The same figure of several runs.
 *
 * @param median the middle one; NaN if there is none
 * @param least the smallest
 * @param most the largest
 * @param count how many there are
 */
public record Spread(double median, double least, double most, int count) {
    /**
     * Of runs.
     *
     * @param figures one each; those that are NaN are left out
     * @return their spread
     */
    public static Spread of(List<Double> figures) {
        return of(figures.stream().mapToDouble(Double::doubleValue));
    }

    /**
     * Of runs.
     *
     * @param figures one each; those that are NaN are left out
     * @return their spread
     */
    public static Spread of(DoubleStream figures) {
        double[] sorted =
                figures.filter(figure -> !Double.isNaN(figure)).sorted().toArray();
        int count = sorted.length;
        return count == 0
                ? new Spread(Double.NaN, Double.NaN, Double.NaN, 0)
                : new Spread((sorted[(count - 1) / 2] + sorted[count / 2]) / 2, sorted[0], sorted[count - 1], count);
    }

    /**
     * Whether there is a figure.
     *
     * @return false if no run had one
     */
    public boolean known() {
        return !Double.isNaN(median);
    }

    /**
     * For a table.
     *
     * @param decimals digits after the point
     * @return the median, or nothing if there is none
     */
    public String text(int decimals) {
        return known() ? TextTable.number(median, decimals) : "";
    }

    /**
     * For a table.
     *
     * @param decimals digits after the point
     * @return the smallest and the largest, one figure if they are the same, or nothing if there is none
     */
    public String range(int decimals) {
        if (!known()) {
            return "";
        }
        String from = TextTable.number(least, decimals);
        String to = TextTable.number(most, decimals);
        return from.equals(to) ? from : from + " to " + to;
    }

    /**
     * For a table.
     *
     * @param decimals digits after the point
     * @return the median, of several runs with the smallest and the largest in brackets, or nothing if there is none
     */
    public String textAndRange(int decimals) {
        return count <= 1
                ? text(decimals)
                : text(decimals) + " (" + TextTable.number(least, decimals) + "–" + TextTable.number(most, decimals)
                        + ")";
    }
}
