// SPDX-License-Identifier: Apache-2.0
package io.flexpool.benchmarks.adaptive;

import static io.flexpool.benchmarks.kit.TextTable.number;

import io.flexpool.benchmarks.report.Columns;
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
            tables.add(Columns.<Finding>of("goal", Finding::claim)
                    .and("measured", Finding::measured)
                    .and("met", goal -> goal.verdict().words())
                    .table("Goals", goals));
        }
        for (RealScenario scenario : RealScenario.values()) {
            List<Heat> runs =
                    heats.stream().filter(heat -> heat.scenario() == scenario).toList();
            if (!runs.isEmpty()) {
                tables.add(table(scenario, runs));
            }
        }
        return tables;
    }

    private static Table table(RealScenario scenario, List<Heat> runs) {
        return Columns.<Competitor>of("pool", one -> name(one, runs))
                .and("requests", one -> median(runs, one, RealRow::requests, 0))
                .and("failures", one -> median(runs, one, RealRow::failures, 0))
                .and("p99 acquisition ms", one -> median(runs, one, RealRow::p99AcquireMs, 0))
                .and("p99 end-to-end ms", one -> median(runs, one, RealRow::p99Ms, 0))
                .and("regret", one -> median(runs, one, RealRow::regret, 2))
                .and("mean held", one -> median(runs, one, RealRow::meanHeld, 1))
                .and("most held", one -> median(runs, one, RealRow::maxHeld, 0))
                .and("changes", one -> median(runs, one, RealRow::changes, 0))
                .table(
                        scenario + ", medians of " + runs.size() + (runs.size() == 1 ? " run" : " runs"),
                        List.of(Competitor.values()));
    }

    private static String name(Competitor competitor, List<Heat> runs) {
        return competitor == Competitor.BEST_STATIC
                ? competitor + " (" + runs.get(0).best().smallest() + ")"
                : competitor.toString();
    }

    private static String median(
            List<Heat> runs, Competitor competitor, ToDoubleFunction<RealRow> figure, int decimals) {
        return number(
                Medians.of(runs.stream()
                        .map(heat -> heat.row(competitor))
                        .mapToDouble(figure)
                        .toArray()),
                decimals);
    }
}
