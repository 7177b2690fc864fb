// SPDX-License-Identifier: Apache-2.0
package io.flexpool.benchmarks.simulate;

import static io.flexpool.benchmarks.kit.TextTable.number;

import io.flexpool.benchmarks.report.Table;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** The tables of a contest. */
final class SimulateTables {
    private static final double MS_PER_SECOND = 1e3;

    private final Outcomes outcomes;

    SimulateTables(Outcomes outcomes) {
        this.outcomes = outcomes;
    }

    List<Table> all() {
        List<Table> tables = new ArrayList<>();
        if (!outcomes.groups().isEmpty()) {
            tables.add(groups());
        }
        for (Contest.Outcome outcome : outcomes.contests()) {
            String group = outcome.equals(outcomes.published()) ? "" : "New scenarios: ";
            tables.addAll(List.of(
                    cells(group, outcome), overall(group, outcome), statics(group, outcome), grids(group, outcome)));
        }
        if (!outcomes.curves().isEmpty()) {
            tables.add(drawn(
                    "Databases drawn at random, nothing tuned on them: regret over all scenarios", outcomes.curves()));
        }
        if (!outcomes.kinds().isEmpty()) {
            tables.add(drawn("Scenarios of the new kinds drawn at random", outcomes.kinds()));
        }
        return tables;
    }

    private Table groups() {
        return new Table(
                "Groups of scenarios",
                List.of("group", "controller", "mean regret", "worst regret", "in", "failures"),
                outcomes.groups().stream()
                        .map(row -> List.of(
                                row.group(),
                                row.controller(),
                                number(row.meanRegret(), 3),
                                number(row.worstRegret(), 2),
                                row.where(),
                                number(row.failures(), 0)))
                        .toList());
    }

    private static Table cells(String group, Contest.Outcome outcome) {
        List<List<String>> rows = new ArrayList<>();
        for (int at = 0; at < outcome.scenarios().size(); at++) {
            String scenario = outcome.scenarios().get(at).name() + " ("
                    + outcome.statics().get(at).size() + ")";
            for (Standing standing : outcome.shown()) {
                rows.add(cell(scenario, standing, standing.cells().get(at)));
            }
        }
        return new Table(
                group + "Scenarios (in brackets the best static size)",
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

    private static Table overall(String group, Contest.Outcome outcome) {
        return new Table(
                group + "All scenarios",
                List.of("controller", "mean regret", "failures", "mean held", "parameters, the best of the grid"),
                outcome.shown().stream()
                        .map(standing -> List.of(
                                standing.contender().toString(),
                                number(standing.meanRegret(), 2),
                                number(standing.failures(), 0),
                                number(standing.meanHeld(), 1),
                                standing.candidate().parameters()))
                        .toList());
    }

    private static Table statics(String group, Contest.Outcome outcome) {
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
                group + "Static sizes",
                List.of("scenario", "best size", "mean end-to-end ms", "size with the lowest mean", "its mean ms"),
                rows);
    }

    private static Table grids(String group, Contest.Outcome outcome) {
        return new Table(
                group + "What each contender was tried with",
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

    private static Table drawn(String title, List<CurveRow> rows) {
        return new Table(
                title,
                List.of(
                        "controller",
                        "databases",
                        "mean regret",
                        "worst database",
                        "worst database and scenario",
                        "which",
                        "failures of best static"),
                Stream.of(Contender.values())
                        .filter(contender -> rows.stream()
                                .anyMatch(row -> row.row().controller().equals(contender.toString())))
                        .map(contender -> drawn(contender, rows))
                        .toList());
    }

    private static List<String> drawn(Contender contender, List<CurveRow> rows) {
        CurveSummary summary = CurveSummary.of(contender, rows);
        double best = CurveSummary.of(Contender.BEST_STATIC, rows).failures();
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
