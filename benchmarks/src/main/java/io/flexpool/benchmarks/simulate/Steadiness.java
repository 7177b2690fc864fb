// SPDX-License-Identifier: Apache-2.0
package io.flexpool.benchmarks.simulate;

import java.util.List;

/**
 * How calm a controller is under a load that does not change.
 *
 * @param minutes how long a run is
 * @param changesPerMinute of the limit, mean over the seeds
 * @param mostChanges of the limit in one run
 * @param reversals how often, after the first minute, the limit moved against the way that it had moved before; all seeds
 *     together
 */
record Steadiness(double minutes, double changesPerMinute, int mostChanges, int reversals) {
    /** The decisive scenario. */
    static final String SCENARIO = "steady";

    private static final double SECONDS_PER_MINUTE = 60;

    static Steadiness of(Scenario scenario, Candidate candidate, Cell cell) {
        double minutes = scenario.seconds() / SECONDS_PER_MINUTE;
        int reversals = 0;
        for (SimRow row : cell.rows()) {
            reversals += reversals(
                    SimulateGraphs.trace(scenario, row.seed(), candidate).points());
        }
        return new Steadiness(
                minutes,
                cell.mean(SimRow::changes) / minutes,
                cell.rows().stream().mapToInt(SimRow::changes).max().orElse(0),
                reversals);
    }

    static int reversals(List<Trace.Point> points) {
        int reversals = 0;
        int way = 0;
        for (int at = 1; at < points.size(); at++) {
            int step =
                    Integer.compare(points.get(at).limit(), points.get(at - 1).limit());
            if (step != 0) {
                if (step == -way && points.get(at).second() > SECONDS_PER_MINUTE) {
                    reversals++;
                }
                way = step;
            }
        }
        return reversals;
    }
}
