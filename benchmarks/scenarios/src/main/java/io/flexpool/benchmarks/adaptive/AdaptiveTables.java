// SPDX-License-Identifier: Apache-2.0
package io.flexpool.benchmarks.adaptive;

import static io.flexpool.benchmarks.kit.TextTable.number;

import io.flexpool.benchmarks.report.Finding;
import io.flexpool.benchmarks.report.Table;
import java.util.ArrayList;
import java.util.List;
import java.util.function.ToDoubleFunction;

/** The figures for readers: the goals, then a table per scenario, medians over its runs. */
final class AdaptiveTables {
    private AdaptiveTables() {}

    static List<Table> of(List<Heat> heats, List<Finding> goals) {
        List<Table> tables = new ArrayList<>();
        if (!goals.isEmpty()) {
            tables.add(new Table(
                    "Goals",
                    List.of("goal", "measured", "met"),
                    goals.stream()
                            .map(goal -> List.of(
                                    goal.claim(),
                                    goal.measured(),
                                    goal.verdict().words()))
                            .toList()));
        }
        for (RealScenario scenario : RealScenario.values()) {
            List<Heat> runs =
                    heats.stream().filter(heat -> heat.scenario() == scenario).toList();
            if (!runs.isEmpty()) {
                tables.add(table(scenario, runs));
                if (scenario.contends()) {
                    tables.add(turns(scenario, runs));
                }
            }
        }
        return tables;
    }

    private static Table table(RealScenario scenario, List<Heat> runs) {
        List<List<String>> rows = new ArrayList<>();
        for (Competitor competitor : Competitor.values()) {
            List<RealRow> own = runs.stream().map(heat -> heat.row(competitor)).toList();
            rows.add(List.of(
                    competitor == Competitor.BEST_STATIC
                            ? competitor + " (" + runs.get(0).best().smallest() + ")"
                            : competitor.toString(),
                    number(median(own, RealRow::requests), 0),
                    number(median(own, RealRow::failures), 0),
                    number(median(own, RealRow::p99AcquireMs), 0),
                    number(median(own, RealRow::p99Ms), 0),
                    number(median(own, RealRow::regret), 2),
                    number(median(own, RealRow::meanHeld), 1),
                    number(median(own, RealRow::maxHeld), 0),
                    number(median(own, RealRow::changes), 0)));
        }
        return new Table(
                scenario + ", medians of " + runs.size() + (runs.size() == 1 ? " run" : " runs"),
                List.of(
                        "pool",
                        "requests",
                        "failures",
                        "p99 acquisition ms",
                        "p99 end-to-end ms",
                        "regret",
                        "mean held",
                        "most held",
                        "changes"),
                rows);
    }

    private static Table turns(RealScenario scenario, List<Heat> runs) {
        return new Table(
                scenario + ", one after the other",
                List.of(
                        "run",
                        "pool",
                        "size at the start",
                        "the database did before, requests/s",
                        "failures",
                        "p99 end-to-end ms",
                        "mean end-to-end ms"),
                runs.stream()
                        .flatMap(heat -> heat.turns().stream())
                        .map(one -> List.of(
                                Integer.toString(one.run()),
                                one.competitor(),
                                Integer.toString(one.size()),
                                number(one.peak(), 0),
                                number((double) one.failures(), 0),
                                number(one.p99Ms(), 0),
                                number(one.meanMs(), 1)))
                        .toList());
    }

    private static double median(List<RealRow> rows, ToDoubleFunction<RealRow> figure) {
        return Medians.of(rows.stream().mapToDouble(figure).toArray());
    }
}
