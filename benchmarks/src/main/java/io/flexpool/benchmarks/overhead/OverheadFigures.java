// SPDX-License-Identifier: Apache-2.0
package io.flexpool.benchmarks.overhead;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * One variant's figures, each list with one per JVM, as in {@link OverheadRow}.
 *
 * @param variant its name
 * @param cpuNs CPU time per cycle
 * @param dNs the same less bare's
 * @param dP25Ns the lower quartile of those differences
 * @param dP75Ns the upper quartile of those differences
 * @param inIdeals dNs over the ideal's; null where the ideal was not run
 * @param bytes allocated per cycle
 */
record OverheadFigures(
        String variant,
        List<Double> cpuNs,
        List<Double> dNs,
        List<Double> dP25Ns,
        List<Double> dP75Ns,
        @Nullable List<Double> inIdeals,
        List<Double> bytes) {

    static OverheadFigures of(String variant, List<OverheadRow> rows) {
        return new OverheadFigures(
                variant,
                each(rows, OverheadRow::cpuNs),
                each(rows, OverheadRow::dNs),
                each(rows, OverheadRow::dP25Ns),
                each(rows, OverheadRow::dP75Ns),
                inIdeals(rows),
                each(rows, OverheadRow::bytes));
    }

    private static @Nullable List<Double> inIdeals(List<OverheadRow> rows) {
        List<Double> inIdeals = new ArrayList<>();
        for (OverheadRow row : rows) {
            if (row.inIdeals() == null) {
                return null;
            }
            inIdeals.add(row.inIdeals());
        }
        return inIdeals;
    }

    private static List<Double> each(List<OverheadRow> rows, Function<OverheadRow, Double> figure) {
        return rows.stream().map(figure).toList();
    }
}
