// SPDX-License-Identifier: Apache-2.0
package io.flexpool.adapter.hikaricp.classes;

/**
 * One figure.
 *
 * @param figure what was measured
 * @param variant how the connections are shared, and where
 * @param value the median of the rounds
 * @param goal what it must not exceed, or not fall below; NaN where it is only compared with
 */
record ClassesResult(Figure figure, String variant, double value, double goal) {
    /** Whether it is within the goal. A value that is not known is not. */
    boolean met() {
        return Double.isNaN(goal) || (figure.least ? value >= goal : value <= goal);
    }
}
