// SPDX-License-Identifier: Apache-2.0
package io.flexpool.benchmarks.simulate;

import java.util.List;

/**
 * A contender with one choice of its parameters in all scenarios.
 *
 * @param contender which one
 * @param candidate its parameters
 * @param cells one per scenario, in their order
 */
record Standing(Contender contender, Candidate candidate, List<Cell> cells) {
    /** Over all scenarios, each counting at most {@link Cell#MOST_REGRET}. */
    double meanRegret() {
        return cells.stream().mapToDouble(Cell::cappedRegret).average().orElse(Double.NaN);
    }

    /** Of one run in the mean, summed over all scenarios. */
    double failures() {
        return cells.stream().mapToDouble(cell -> cell.mean(SimRow::failures)).sum();
    }

    double meanHeld() {
        return cells.stream()
                .mapToDouble(cell -> cell.mean(SimRow::meanHeld))
                .average()
                .orElse(Double.NaN);
    }

    List<SimRow> rows() {
        return cells.stream().flatMap(cell -> cell.rows().stream()).toList();
    }
}
