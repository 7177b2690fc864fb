// SPDX-License-Identifier: Apache-2.0
package io.flexpool.benchmarks.overhead;

import io.flexpool.benchmarks.kit.Environment;
import io.flexpool.benchmarks.kit.TextTable;
import io.flexpool.benchmarks.overhead.isolated.Variant;
import io.flexpool.benchmarks.paired.PairedBenchmark;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * All that one run says; its components are the JSON file's fields.
 *
 * @param scenario {@code overhead}
 * @param environment where it was measured
 * @param rounds the rounds that counted
 * @param sliceMs how long a variant ran in each
 * @param results one per load and variant
 */
public record OverheadReport(
        String scenario, Environment environment, int rounds, int sliceMs, List<OverheadRow> results) {

    static OverheadReport of(int rounds, List<OverheadRow> rows) {
        return new OverheadReport(
                "overhead", Environment.here(), rounds, PairedBenchmark.SLICE_MILLIS, List.copyOf(rows));
    }

    void print(PrintWriter out) {
        out.println();
        out.println(environment.summary());
        out.println("getConnection() + close() on a stub driver; CPU ns per cycle, " + rounds + " rounds of " + sliceMs
                + " ms slices; D = difference to bare in the same round; I = the ideal's D");
        out.println("HikariCP with " + PairedBenchmark.WEAK_REFERENCES + "=false: in a class loader of its own it would"
                + " else allocate 32 bytes more per cycle");
        out.println();
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
        table.print(out);
        printGoals(out);
        out.flush();
    }

    private void printGoals(PrintWriter out) {
        Map<Load, List<OverheadRow>> byLoad = new LinkedHashMap<>();
        results.forEach(row -> byLoad.computeIfAbsent(new Load(row.threads(), row.pool()), load -> new ArrayList<>())
                .add(row));
        byLoad.forEach((load, rows) -> {
            out.println();
            out.println("goals, " + load + ":");
            new OverheadGoals(rows).verdicts().forEach(out::println);
        });
    }
}
