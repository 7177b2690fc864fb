// SPDX-License-Identifier: Apache-2.0
package io.flexpool.benchmarks.simulate;

import static io.flexpool.benchmarks.kit.TextTable.number;

import io.flexpool.benchmarks.report.Table;
import java.util.ArrayList;
import java.util.List;

/** The tables of a contest. */
final class SimulateTables {
    private static final double MS_PER_SECOND = 1e3;

    private final Contest.Outcome outcome;
    private final List<Standing> shown;
    private final List<CurveRow> curves;

    SimulateTables(Contest.Outcome outcome, List<CurveRow> curves) {
        this.outcome = outcome;
        this.shown = outcome.shown();
        this.curves = curves;
    }

    List<Table> all() {
        List<Table> tables = new ArrayList<>(List.of(cells(), overall(), statics(), grids()));
        if (!curves.isEmpty()) {
            tables.add(drawn());
        }
        return tables;
    }

    private Table cells() {
        List<List<String>> rows = new ArrayList<>();
        for (int at = 0; at < outcome.scenarios().size(); at++) {
            String scenario = outcome.scenarios().get(at).name() + " ("
                    + outcome.statics().get(at).size() + ")";
            for (Standing standing : shown) {
                rows.add(cell(scenario, standing, standing.cells().get(at)));
            }
        }
        return new Table(
                "Scenarios (in brackets the best static size)",
                List.of(
                        "scenario",
                        "controller",
                        "failures",
                        "p99 acquisition ms",
                        "mean held",
                        "regret",
                        "worst regret",
                        "changes",
                        "most held"),
                rows);
    }

    private static List<String> cell(String scenario, Standing standing, Cell cell) {
        return List.of(
                scenario,
                standing.contender().toString(),
                number(cell.mean(SimRow::failures), 0),
                number(cell.mean(SimRow::p99AcquireMs), 0),
                number(cell.mean(SimRow::meanHeld), 1),
                number(cell.regret(), 2),
                number(cell.worstRegret(), 2),
                number(cell.mean(SimRow::changes), 0),
                number((double) cell.maxHeld(), 0));
    }

    private Table overall() {
        return new Table(
                "All scenarios",
                List.of("controller", "mean regret", "failures", "mean held", "parameters, the best of the grid"),
                shown.stream()
                        .map(standing -> List.of(
                                standing.contender().toString(),
                                number(standing.meanRegret(), 2),
                                number(standing.failures(), 0),
                                number(standing.meanHeld(), 1),
                                standing.candidate().parameters()))
                        .toList());
    }

    private Table statics() {
        List<List<String>> rows = new ArrayList<>();
        for (int at = 0; at < outcome.scenarios().size(); at++) {
            BestStatic best = outcome.statics().get(at);
            rows.add(List.of(
                    outcome.scenarios().get(at).name(),
                    number((double) best.size(), 0),
                    number(best.meanSeconds() * MS_PER_SECOND, 1),
                    number((double) best.lowestSize(), 0),
                    number(best.lowestSeconds() * MS_PER_SECOND, 1)));
        }
        return new Table(
                "Static sizes",
                List.of("scenario", "best size", "mean end-to-end ms", "size with the lowest mean", "its mean ms"),
                rows);
    }

    private Table grids() {
        return new Table(
                "What each contender was tried with",
                List.of("controller", "parameters", "mean regret", "failures", "mean held"),
                outcome.standings().stream()
                        .map(standing -> List.of(
                                standing.contender().toString(),
                                standing.candidate().parameters(),
                                number(standing.meanRegret(), 2),
                                number(standing.failures(), 0),
                                number(standing.meanHeld(), 1)))
                        .toList());
    }

    private Table drawn() {
        return new Table(
                "Databases drawn at random, nothing tuned on them: regret over all scenarios",
                List.of(
                        "controller",
                        "databases",
                        "mean regret",
                        "worst database",
                        "worst database and scenario",
                        "which",
                        "failures of best static"),
                shown.stream()
                        .map(standing -> drawn(standing.contender(), CurveSummary.of(standing.contender(), curves)))
                        .toList());
    }

    private List<String> drawn(Contender contender, CurveSummary summary) {
        double best = CurveSummary.of(Contender.BEST_STATIC, curves).failures();
        return List.of(
                contender.toString(),
                number((double) summary.curves(), 0),
                number(summary.meanRegret(), 2),
                number(summary.worstCurve(), 2),
                number(summary.worst().row().regret(), 2),
                summary.where(),
                best == 0 ? "" : number(summary.failures() / best, 2) + " x");
    }
}
