// SPDX-License-Identifier: Apache-2.0
package io.flexpool.benchmarks.classes;

import io.flexpool.benchmarks.classes.SideBySide.Outcome;
import io.flexpool.benchmarks.kit.Environment;
import io.flexpool.benchmarks.kit.Spread;
import io.flexpool.benchmarks.kit.TextTable;
import io.flexpool.benchmarks.report.Columns;
import io.flexpool.benchmarks.report.Report;
import io.flexpool.benchmarks.report.Table;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * All that one run of the scenario says; its components are the JSON file's fields.
 *
 * @param scenario {@code classes}
 * @param environment where it was measured
 * @param results two for each way to share
 */
public record ClassesReport(String scenario, Environment environment, List<ClassesResult> results) implements Report {
    private static final double MOST_LONGER = 1.2;
    private static final double LEAST_OF_WHAT_IS_LEFT = 0.9;

    /**
     * Of rounds.
     *
     * @param rounds by way to share
     * @param batchAtMost leases a second that batch work can do on the connections that are left to it
     */
    static ClassesReport of(Map<Sharing, List<Outcome>> rounds, double batchAtMost) {
        double alone = waits(rounds, Sharing.ALONE);
        double longest = MOST_LONGER * alone;
        double least = LEAST_OF_WHAT_IS_LEFT * batchAtMost;
        List<ClassesResult> results = new ArrayList<>();
        results.add(result(Sharing.ALONE, Sharing.INTERACTIVE, alone, Double.NaN, true));
        for (Sharing sharing : Sharing.shared()) {
            double wait = waits(rounds, sharing);
            double batch = Spread.of(
                            rounds.getOrDefault(sharing, List.of()).stream().mapToDouble(Outcome::batchPerSecond))
                    .median();
            results.add(result(sharing, Sharing.INTERACTIVE, wait, longest, wait <= longest));
            results.add(result(sharing, Sharing.BATCH, batch, least, batch >= least));
        }
        return new ClassesReport("classes", Environment.here(), results);
    }

    private static double waits(Map<Sharing, List<Outcome>> rounds, Sharing sharing) {
        return Spread.of(rounds.getOrDefault(sharing, List.of()).stream().mapToDouble(Outcome::waitP99Ms))
                .median();
    }

    private static ClassesResult result(Sharing sharing, String ofClass, double value, double goal, boolean met) {
        return new ClassesResult("a", sharing.toString(), ofClass, value, goal, met);
    }

    @Override
    public List<String> notes() {
        return List.of(environment.summary());
    }

    /** Under names that Java keeps for itself. */
    @Override
    public Object json() {
        Map<String, Object> all = new LinkedHashMap<>();
        all.put("scenario", scenario);
        all.put("environment", environment);
        all.put("results", results.stream().map(ClassesReport::json).toList());
        return all;
    }

    private static Map<String, @Nullable Object> json(ClassesResult one) {
        Map<String, @Nullable Object> row = new LinkedHashMap<>();
        row.put("experiment", one.experiment());
        row.put("variant", one.variant());
        row.put("class", one.ofClass());
        row.put("value", one.value());
        row.put("goal", Double.isNaN(one.goal()) ? null : one.goal());
        row.put("met", one.met());
        return row;
    }

    @Override
    public List<Table> tables() {
        return List.of(Columns.<ClassesResult>of("shared by", ClassesResult::variant)
                .and("class", ClassesResult::ofClass)
                .number("wait p99 ms, or leases/s", 2, ClassesResult::value)
                .number("goal", 2, ClassesResult::goal)
                .table("", results));
    }

    @Override
    public Map<String, List<String>> goals() {
        return Map.of(
                "goals of classes",
                results.stream()
                        .filter(one -> one.variant().equals(Sharing.CLASSES.toString()))
                        .map(ClassesReport::judged)
                        .toList());
    }

    private static String judged(ClassesResult one) {
        boolean interactive = one.ofClass().equals(Sharing.INTERACTIVE);
        String goal = interactive
                ? "interactive requests wait at most 1.2 times as long as alone"
                : "batch work is at least 90 % of what its connections can do";
        return Report.judged(
                goal,
                one.met(),
                TextTable.number(one.value(), 2)
                        + (interactive ? " ms, at most " : "/s, at least ")
                        + TextTable.number(one.goal(), 2));
    }
}
