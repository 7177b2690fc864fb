// SPDX-License-Identifier: Apache-2.0
package io.flexpool.benchmarks.simulate;

import static io.flexpool.benchmarks.kit.TextTable.number;

import io.flexpool.benchmarks.report.Columns;
import io.flexpool.benchmarks.report.Table;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.stream.IntStream;

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
            String group = switch (outcomes.group(outcome)) {
                case NEW -> "New scenarios: ";
                case HARD -> "Hard scenarios: ";
                default -> "";
            };
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
        return Columns.<GroupRow>of("group", GroupRow::group)
                .and("controller", GroupRow::controller)
                .number("mean regret", 3, GroupRow::meanRegret)
                .number("worst regret", 2, GroupRow::worstRegret)
                .and("in", GroupRow::where)
                .number("failures", 0, GroupRow::failures)
                .table("Groups of scenarios", outcomes.groups());
    }

    /** A scenario, its best static size, and what a contender did in it. */
    private record Line(String scenario, BestStatic best, Standing standing, Cell cell) {}

    private static Table cells(String group, Contest.Outcome outcome) {
        List<Line> lines = new ArrayList<>();
        for (int at = 0; at < outcome.scenarios().size(); at++) {
            for (Standing standing : outcome.shown()) {
                lines.add(new Line(
                        outcome.scenarios().get(at).name(),
                        outcome.statics().get(at),
                        standing,
                        standing.cells().get(at)));
            }
        }
        return Columns.<Line>of(
                        "scenario", line -> line.scenario() + " (" + line.best().size() + ")")
                .and("controller", line -> line.standing().contender())
                .number("failures", 0, line -> line.cell().mean(SimRow::failures))
                .number("p99 acquisition ms", 0, line -> line.cell().mean(SimRow::p99AcquireMs))
                .number("mean held", 1, line -> line.cell().mean(SimRow::meanHeld))
                .number("regret", 2, line -> line.cell().regret())
                .number("worst regret", 2, line -> line.cell().worstRegret())
                .number("changes", 0, line -> line.cell().mean(SimRow::changes))
                .number("most held", 0, line -> line.cell().maxHeld())
                .table(group + "Scenarios (in brackets the best static size)", lines);
    }

    private static Table overall(String group, Contest.Outcome outcome) {
        return Columns.<Standing>of("controller", Standing::contender)
                .number("mean regret", 2, Standing::meanRegret)
                .number("failures", 0, Standing::failures)
                .number("mean held", 1, Standing::meanHeld)
                .and(
                        "parameters, the best of the grid",
                        standing -> standing.candidate().parameters())
                .table(group + "All scenarios", outcome.shown());
    }

    private static Table statics(String group, Contest.Outcome outcome) {
        List<Scenario> scenarios = outcome.scenarios();
        Function<Integer, BestStatic> best = outcome.statics()::get;
        return Columns.<Integer>of("scenario", at -> scenarios.get(at).name())
                .number("best size", 0, at -> best.apply(at).size())
                .number("mean end-to-end ms", 1, at -> best.apply(at).meanSeconds() * MS_PER_SECOND)
                .number("size with the lowest mean", 0, at -> best.apply(at).lowestSize())
                .number("its mean ms", 1, at -> best.apply(at).lowestSeconds() * MS_PER_SECOND)
                .table(
                        group + "Static sizes",
                        IntStream.range(0, scenarios.size()).boxed().toList());
    }

    private static Table grids(String group, Contest.Outcome outcome) {
        return Columns.<Standing>of("controller", Standing::contender)
                .and("parameters", standing -> standing.candidate().parameters())
                .number("mean regret", 2, Standing::meanRegret)
                .number("failures", 0, Standing::failures)
                .number("mean held", 1, Standing::meanHeld)
                .table(group + "What each contender was tried with", outcome.standings());
    }

    private static Table drawn(String title, List<CurveRow> rows) {
        double best = CurveSummary.of(Contender.BEST_STATIC, rows).failures();
        Function<Contender, CurveSummary> summary = contender -> CurveSummary.of(contender, rows);
        return Columns.<Contender>of("controller", contender -> contender)
                .number("databases", 0, contender -> summary.apply(contender).curves())
                .number("mean regret", 2, contender -> summary.apply(contender).meanRegret())
                .number(
                        "worst database",
                        2,
                        contender -> summary.apply(contender).worstCurve())
                .number(
                        "worst database and scenario",
                        2,
                        contender -> summary.apply(contender).worst().row().regret())
                .and("which", contender -> summary.apply(contender).where())
                .and(
                        "failures of best static",
                        contender ->
                                best == 0 ? "" : number(summary.apply(contender).failures() / best, 2) + " x")
                .table(title, Outcomes.played(rows));
    }
}
