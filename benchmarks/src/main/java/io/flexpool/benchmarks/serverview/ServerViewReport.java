// SPDX-License-Identifier: Apache-2.0
package io.flexpool.benchmarks.serverview;

import io.flexpool.benchmarks.kit.Environment;
import io.flexpool.benchmarks.kit.TextTable;
import io.flexpool.benchmarks.report.Columns;
import io.flexpool.benchmarks.report.QuickForm;
import io.flexpool.benchmarks.report.Report;
import io.flexpool.benchmarks.report.Table;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.stream.DoubleStream;

/**
 * All that one run of the scenario says; its components are the JSON file's fields.
 *
 * @param scenario {@code server-view}
 * @param quick whether it was the small form
 * @param environment where it was measured
 * @param results one per situation
 * @param confusion by situation, how often each cause was named first
 * @param excerpts by situation, a real explanation
 */
public record ServerViewReport(
        String scenario,
        boolean quick,
        Environment environment,
        List<ServerViewResult> results,
        Map<String, Map<String, Integer>> confusion,
        Map<String, String> excerpts)
        implements Report {
    private static final double MOST_RIGHT = 0.95;
    private static final double MOST_ADDED_MEDIAN_MS = 5;
    private static final double MOST_ADDED_MS = 200;

    static ServerViewReport of(boolean quick, List<Explained> all) {
        Map<String, Map<String, Integer>> confusion = new LinkedHashMap<>();
        Map<String, String> excerpts = new LinkedHashMap<>();
        all.forEach(one -> {
            confusion.put(one.situation().toString(), one.causes());
            excerpts.put(one.situation().toString(), one.excerpt());
        });
        return new ServerViewReport(
                "server-view",
                quick,
                Environment.here(),
                all.stream().map(Explained::result).toList(),
                confusion,
                excerpts);
    }

    @Override
    public List<String> notes() {
        return QuickForm.noted(quick, environment.summary());
    }

    @Override
    public List<Table> tables() {
        return List.of(
                Columns.<ServerViewResult>of("situation", ServerViewResult::situation)
                        .and("runs", ServerViewResult::runs)
                        .and("cause right", ServerViewResult::causeRight)
                        .and("culprit right", ServerViewResult::culpritRight)
                        .and("culprit wrong", ServerViewResult::culpritWrong)
                        .number("added ms, median", 2, ServerViewResult::addedMedianMs)
                        .number("added ms, most", 1, ServerViewResult::addedMaxMs)
                        .table("", results),
                matrix());
    }

    private Table matrix() {
        List<String> causes = new ArrayList<>(new TreeSet<>(confusion.values().stream()
                .flatMap(row -> row.keySet().stream())
                .toList()));
        List<String> heads = new ArrayList<>(List.of("situation"));
        heads.addAll(causes);
        List<List<String>> rows = new ArrayList<>();
        confusion.forEach((situation, named) -> {
            List<String> row = new ArrayList<>(List.of(situation));
            causes.forEach(cause -> row.add(named.containsKey(cause) ? String.valueOf(named.get(cause)) : ""));
            rows.add(row);
        });
        return new Table("what was staged, and the cause that was named first", heads, rows);
    }

    @Override
    public Map<String, List<String>> goals() {
        int runs = results.stream().mapToInt(ServerViewResult::runs).sum();
        int causes = results.stream().mapToInt(ServerViewResult::causeRight).sum();
        int culprits = results.stream().mapToInt(ServerViewResult::culpritRight).sum();
        int wrong = results.stream().mapToInt(ServerViewResult::culpritWrong).sum();
        double median = most(results.stream().mapToDouble(ServerViewResult::addedMedianMs));
        double longest = most(results.stream().mapToDouble(ServerViewResult::addedMaxMs));
        return Map.of(
                "goals",
                List.of(
                        Report.judged(
                                "cause right in at least 95 %", causes >= MOST_RIGHT * runs, causes + " of " + runs),
                        Report.judged(
                                "culprit right in at least 95 %",
                                culprits >= MOST_RIGHT * runs, culprits + " of " + runs),
                        Report.judged("no wrong culprit", wrong == 0, String.valueOf(wrong)),
                        Report.judged(
                                "a failed request takes at most 5 ms longer, by the median of each situation",
                                median <= MOST_ADDED_MEDIAN_MS,
                                TextTable.number(median, 2) + " ms at most"),
                        Report.judged(
                                "and never 200 ms",
                                longest < MOST_ADDED_MS,
                                TextTable.number(longest, 1) + " ms at most")));
    }

    private static double most(DoubleStream figures) {
        return figures.max().orElse(Double.NaN);
    }
}
