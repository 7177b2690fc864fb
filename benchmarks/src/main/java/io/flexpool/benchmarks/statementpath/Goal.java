// SPDX-License-Identifier: Apache-2.0
package io.flexpool.benchmarks.statementpath;

/**
 * What flexpool may cost at most.
 *
 * @param diffPercent D in per cent of the bare cycle
 * @param bytesPerStatement bytes over bare: one object
 * @param bytesPerResultSet bytes over bare: one object
 */
public record Goal(double diffPercent, double bytesPerStatement, double bytesPerResultSet) {
    /** Half a byte: less than any object, more than the counting's error. */
    private static final double BYTES_TOLERANCE = 0.5;

    static final Goal GOAL = new Goal(5, 24, 24);

    boolean isMetInTime(StatementPathRow row) {
        return row.diffPercent() <= diffPercent;
    }

    boolean isMetInBytes(StatementPathRow row) {
        return row.bytesOverBarePerStatement() <= bytesPerStatement + BYTES_TOLERANCE
                && row.bytesOverBarePerResultSet() <= bytesPerResultSet + BYTES_TOLERANCE;
    }
}
