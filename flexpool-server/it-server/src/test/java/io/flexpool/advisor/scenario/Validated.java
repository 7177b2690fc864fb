// SPDX-License-Identifier: Apache-2.0
package io.flexpool.advisor.scenario;

/**
 * One workload.
 *
 * @param workload its name
 * @param requests how many were recorded
 * @param recommended the size that the advisor recommended
 * @param firstP99Ms the 99th percentile of the wait that it predicted for this size from that record
 * @param predictedP99Ms the same from what the large pool recorded while fresh requests were measured
 * @param measuredP99Ms the same as measured with these in a pool of this size
 */
record Validated(
        String workload,
        int requests,
        int recommended,
        double firstP99Ms,
        double predictedP99Ms,
        double measuredP99Ms) {
    /** Below it the wait of a thread for a processor is as long. */
    private static final double LEAST_MS = 2;

    private static final double TOLERANCE = 0.2;

    /** Whether the goal is about this row. */
    boolean judged() {
        return predictedP99Ms > LEAST_MS;
    }

    /** How far the measured wait is from the predicted one, as a share. */
    double error() {
        return measuredP99Ms / predictedP99Ms - 1;
    }

    boolean close() {
        return Math.abs(error()) <= TOLERANCE;
    }
}
