// SPDX-License-Identifier: Apache-2.0
package io.flexpool.benchmarks.simulate;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Set;

/**
 * A contender with one choice of its parameters in all scenarios.
 *
 * @param contender which one
 * @param candidate its parameters
 * @param cells one per scenario, in their order
 */
record Standing(Contender contender, Candidate candidate, List<Cell> cells) {
    /** The best static sizes, and those of the contenders that have one choice of parameters alone; nothing has run. */
    static List<Standing> withoutParameters(Set<Contender> contenders) {
        List<Standing> standings = new ArrayList<>(List.of(bestStatic(List.of())));
        contenders.stream()
                .filter(contender -> contender.candidates().size() == 1)
                .forEach(contender -> standings.add(
                        new Standing(contender, contender.candidates().get(0), List.of())));
        return standings;
    }

    /** The best static sizes as a contender. */
    static Standing bestStatic(List<Cell> cells) {
        return new Standing(Contender.BEST_STATIC, new Candidate("of each scenario", StaticSize::new), cells);
    }

    /** Over all scenarios, each counting at most {@link Cell#MOST_REGRET}. */
    double meanRegret() {
        return cells.stream().mapToDouble(Cell::cappedRegret).average().orElse(Double.NaN);
    }

    /** The scenario with the highest regret. */
    Cell worst() {
        return cells.stream().max(Comparator.comparingDouble(Cell::regret)).orElseThrow();
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
