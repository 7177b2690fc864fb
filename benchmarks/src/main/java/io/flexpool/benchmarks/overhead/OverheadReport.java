// SPDX-License-Identifier: Apache-2.0
package io.flexpool.benchmarks.overhead;

import io.flexpool.benchmarks.kit.Environment;
import io.flexpool.benchmarks.kit.Report;
import io.flexpool.benchmarks.kit.TextTable;
import io.flexpool.benchmarks.overhead.isolated.Variant;
import io.flexpool.benchmarks.paired.PairedBenchmark;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/**
 * All that one run says; its components are the JSON file's fields.
 *
 * @param scenario {@code overhead}
 * @param environment where it was measured
 * @param rounds the rounds that counted
 * @param sliceMs how long a variant ran in each
 * @param figuresRead how many figures of each variant were read between the slices, as its reporter would
 * @param results one per load and variant
 */
public record OverheadReport(
        String scenario,
        Environment environment,
        int rounds,
        int sliceMs,
        Map<String, Long> figuresRead,
        List<OverheadRow> results)
        implements Report {

    static OverheadReport of(int rounds, Map<String, Long> figuresRead, List<OverheadRow> rows) {
        return new OverheadReport(
                "overhead", Environment.here(), rounds, PairedBenchmark.SLICE_MILLIS, figuresRead, List.copyOf(rows));
    }

    @Override
    public List<String> notes() {
        return List.of(
                environment.summary(),
                "getConnection() + close() on a stub driver; CPU ns per cycle, " + rounds + " rounds of " + sliceMs
                        + " ms slices; D = difference to bare in the same round; I = the ideal's D",
                "each variant's figures are read after every " + PairedBenchmark.READ_EVERY
                        + " rounds, between slices: not counted",
                "HikariCP with " + PairedBenchmark.WEAK_REFERENCES + "=false: in its own class loader it would"
                        + " else allocate 32 bytes more per cycle");
    }

    @Override
    public TextTable table() {
        TextTable table = new TextTable(
                "threads", "pool", "variant", "cpu ns", "D ns", "D p25", "D p75", "D / I", "bytes", "over bare");
        double bareBytes = 0;
        for (OverheadRow row : results) {
            bareBytes = row.variant().equals(Variant.BARE.toString()) ? row.bytesPerOp() : bareBytes;
            table.row(
                    Integer.toString(row.threads()),
                    Integer.toString(row.pool()),
                    row.variant(),
                    TextTable.number(row.cpuMedianNs(), 1),
                    TextTable.number(row.diffMedianNs(), 1),
                    TextTable.number(row.diffP25Ns(), 1),
                    TextTable.number(row.diffP75Ns(), 1),
                    TextTable.number(row.inIdeals() == null ? Double.NaN : row.inIdeals(), 2),
                    TextTable.number(row.bytesPerOp(), 1),
                    TextTable.number(row.bytesPerOp() - bareBytes, 1));
        }
        return table;
    }

    @Override
    public Map<String, List<String>> goals() {
        return goals(OverheadGoals::verdicts);
    }

    /** One row for each variant, and two columns for each load. */
    @Override
    public TextTable pageTable() {
        Map<Load, List<OverheadRow>> byLoad = byLoad();
        List<String> headings = new ArrayList<>(List.of("variant"));
        byLoad.keySet().forEach(load -> headings.addAll(List.of(load + " D ns", "D / I")));
        headings.add("bytes over bare");
        TextTable table = new TextTable(headings.toArray(String[]::new));
        List<OverheadRow> first = byLoad.values().iterator().next();
        for (int at = 0; at < first.size(); at++) {
            int variant = at;
            List<String> cells = new ArrayList<>(List.of(first.get(variant).variant()));
            byLoad.values().forEach(rows -> cells.addAll(cells(rows.get(variant))));
            cells.add(TextTable.number(
                    first.get(variant).bytesPerOp() - first.get(0).bytesPerOp(), 0));
            table.row(cells.toArray(String[]::new));
        }
        return table;
    }

    private static List<String> cells(OverheadRow row) {
        return List.of(
                TextTable.number(row.diffMedianNs(), 1),
                TextTable.number(row.inIdeals() == null ? Double.NaN : row.inIdeals(), 2));
    }

    @Override
    public Map<String, List<String>> pageGoals() {
        return goals(OverheadGoals::summary);
    }

    private Map<String, List<String>> goals(Function<OverheadGoals, List<String>> sentences) {
        Map<String, List<String>> goals = new LinkedHashMap<>();
        byLoad().forEach((load, rows) -> goals.put("goals, " + load, sentences.apply(new OverheadGoals(rows))));
        return goals;
    }

    /** Each load's rows, of every load the same variants in the same order. */
    private Map<Load, List<OverheadRow>> byLoad() {
        Map<Load, List<OverheadRow>> byLoad = new LinkedHashMap<>();
        results.forEach(row -> byLoad.computeIfAbsent(new Load(row.threads(), row.pool()), load -> new ArrayList<>())
                .add(row));
        return byLoad;
    }
}
