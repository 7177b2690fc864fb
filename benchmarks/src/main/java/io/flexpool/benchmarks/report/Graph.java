// SPDX-License-Identifier: Apache-2.0
package io.flexpool.benchmarks.report;

import java.util.List;

/**
 * Figures over something.
 *
 * @param title what it shows
 * @param x the horizontal axis
 * @param y the vertical axis
 * @param series one or more lines
 */
public record Graph(String title, Axis x, Axis y, List<Series> series) {
    /**
     * An axis.
     *
     * @param label what it is
     * @param unit as in {@code s} or {@code messages/s}; empty if it has none
     * @param logarithmic whether its steps are factors; then all values are above 0
     */
    public record Axis(String label, String unit, boolean logarithmic) {}

    /**
     * A line.
     *
     * @param name what it is of
     * @param points from left to right
     */
    public record Series(String name, List<Point> points) {}

    /**
     * A point.
     *
     * @param x in the unit of the horizontal axis
     * @param y in the unit of the vertical axis
     */
    public record Point(double x, double y) {}
}
