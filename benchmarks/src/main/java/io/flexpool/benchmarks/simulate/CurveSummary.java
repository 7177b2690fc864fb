// SPDX-License-Identifier: Apache-2.0
package io.flexpool.benchmarks.simulate;

import io.flexpool.benchmarks.kit.TextTable;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * One contender on all databases that were drawn.
 *
 * @param curves how many databases
 * @param meanRegret over databases and scenarios, each counting at most {@link Cell#MOST_REGRET}
 * @param worstCurve the mean over the scenarios of the database on which it is highest
 * @param worst the run with the highest regret
 * @param failures of all runs
 */
record CurveSummary(int curves, double meanRegret, double worstCurve, CurveRow worst, double failures) {
    static CurveSummary of(Contender contender, List<CurveRow> all) {
        List<CurveRow> own = all.stream()
                .filter(row -> row.row().controller().equals(contender.toString()))
                .toList();
        Map<Integer, Double> byCurve = own.stream()
                .collect(Collectors.groupingBy(CurveRow::curve, Collectors.averagingDouble(CurveSummary::capped)));
        return new CurveSummary(
                byCurve.size(),
                own.stream().mapToDouble(CurveSummary::capped).average().orElse(Double.NaN),
                byCurve.values().stream().mapToDouble(Double::doubleValue).max().orElse(Double.NaN),
                own.stream()
                        .max(Comparator.comparingDouble(row -> row.row().regret()))
                        .orElseThrow(),
                own.stream().mapToDouble(row -> row.row().failures()).sum());
    }

    private static double capped(CurveRow row) {
        return Math.min(Cell.MOST_REGRET, row.row().regret());
    }

    /** The worst run in words. */
    String where() {
        return "database " + worst.curve() + ", knee " + TextTable.number(worst.knee(), 1) + ", "
                + worst.row().scenario();
    }
}
