// SPDX-License-Identifier: Apache-2.0
package io.flexpool.benchmarks.classes;

import io.flexpool.benchmarks.classes.SideBySide.Outcome;
import io.flexpool.benchmarks.kit.Environment;
import io.flexpool.benchmarks.kit.Spread;
import io.flexpool.benchmarks.kit.TextTable;
import io.flexpool.benchmarks.report.Columns;
import io.flexpool.benchmarks.report.QuickForm;
import io.flexpool.benchmarks.report.Report;
import io.flexpool.benchmarks.report.Table;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * All that one run of the scenario says; its components are the JSON file's fields.
 *
 * @param scenario {@code classes}
 * @param quick whether it was the small form
 * @param complete false if it was interrupted; what was measured until then is here
 * @param environment where it was measured
 * @param results of each figure one for each way to share
 */
record ClassesReport(
        String scenario, boolean quick, boolean complete, Environment environment, List<ClassesResult> results)
        implements Report {
    /** Of which there are goals. */
    private static final List<Sharing> OURS = List.of(Sharing.CLASSES, Sharing.CLASSES_SHED);

    private static final double MOST_LONGER = 1.2;
    private static final double LEAST_OF_WHAT_IS_LEFT = 0.9;

    /** Of what was measured. */
    static ClassesReport of(boolean quick, List<ClassesResult> results, boolean complete) {
        return new ClassesReport("classes", quick, complete, Environment.here(), List.copyOf(results));
    }

    /**
     * Of rounds with batch work beside interactive requests.
     *
     * @param rounds by way to share
     * @param batchAtMost leases a second that batch work can do on the connections that are left to it
     */
    static List<ClassesResult> sideBySide(Map<Sharing, List<Outcome>> rounds, double batchAtMost) {
        double alone = median(rounds.getOrDefault(Sharing.ALONE, List.of()), Outcome::waitP99Ms);
        List<ClassesResult> results = new ArrayList<>();
        if (rounds.containsKey(Sharing.ALONE)) {
            results.add(new ClassesResult(Figure.WAIT, Sharing.ALONE.toString(), alone, Double.NaN));
        }
        for (Sharing sharing : Sharing.shared()) {
            List<Outcome> its = rounds.getOrDefault(sharing, List.of());
            if (its.isEmpty()) {
                continue;
            }
            String variant = sharing.toString();
            results.add(new ClassesResult(Figure.WAIT, variant, median(its, Outcome::waitP99Ms), MOST_LONGER * alone));
            results.add(new ClassesResult(
                    Figure.BATCH, variant, median(its, Outcome::batchPerSecond), LEAST_OF_WHAT_IS_LEFT * batchAtMost));
        }
        return results;
    }

    /** The medians of rounds that all have the same figures in the same order. */
    static List<ClassesResult> medians(List<List<ClassesResult>> rounds) {
        List<ClassesResult> medians = new ArrayList<>();
        for (int at = 0; at < rounds.get(0).size(); at++) {
            int place = at;
            List<ClassesResult> same =
                    rounds.stream().map(round -> round.get(place)).toList();
            medians.add(new ClassesResult(
                    same.get(0).figure(),
                    same.get(0).variant(),
                    median(same, ClassesResult::value),
                    median(same, ClassesResult::goal)));
        }
        return medians;
    }

    private static <T> double median(List<T> rounds, ToDoubleFunction<T> figure) {
        return Spread.of(rounds.stream().mapToDouble(figure)).median();
    }

    @Override
    public List<String> head() {
        return complete ? List.of() : List.of("INTERRUPTED: what was measured until then");
    }

    @Override
    public List<String> notes() {
        return QuickForm.noted(quick, environment.summary());
    }

    /** Under names that Java keeps for itself. */
    @Override
    public Object json() {
        Map<String, Object> all = new LinkedHashMap<>();
        all.put("scenario", scenario);
        all.put("quick", quick);
        all.put("complete", complete);
        all.put("environment", environment);
        all.put("results", results.stream().map(ClassesReport::json).toList());
        return all;
    }

    private static Map<String, @Nullable Object> json(ClassesResult one) {
        Map<String, @Nullable Object> row = new LinkedHashMap<>();
        row.put("experiment", one.figure().experiment);
        row.put("variant", one.variant());
        row.put("class", one.figure().ofClass);
        row.put("value", known(one.value()));
        row.put("goal", known(one.goal()));
        row.put("met", one.met());
        return row;
    }

    /** JSON has no other word for what is not known. */
    private static @Nullable Double known(double figure) {
        return Double.isNaN(figure) ? null : figure;
    }

    @Override
    public List<Table> tables() {
        return results.stream()
                .collect(Collectors.groupingBy(ClassesResult::figure, LinkedHashMap::new, Collectors.toList()))
                .entrySet()
                .stream()
                .map(of -> Columns.<ClassesResult>of("shared by", ClassesResult::variant)
                        .number("value", 3, ClassesResult::value)
                        .number("goal", 3, ClassesResult::goal)
                        .table(title(of.getKey()), of.getValue()))
                .toList();
    }

    private static String title(Figure figure) {
        return "(" + figure.experiment + ") " + figure.ofClass + (figure.unit.isEmpty() ? "" : "," + figure.unit);
    }

    @Override
    public Map<String, List<String>> goals() {
        return Map.of(
                "goals of classes",
                results.stream()
                        .filter(one ->
                                OURS.stream().anyMatch(ours -> one.variant().endsWith(ours.toString())))
                        .map(ClassesReport::judged)
                        .toList());
    }

    private static String judged(ClassesResult one) {
        Figure figure = one.figure();
        return Report.judged(
                one.variant() + ": " + figure.goal,
                one.met(),
                TextTable.number(one.value(), 3)
                        + figure.unit
                        + (figure.least ? ", at least " : ", at most ")
                        + TextTable.number(one.goal(), 3));
    }
}
