// SPDX-License-Identifier: Apache-2.0
package io.flexpool.benchmarks.statementpath;

import io.flexpool.benchmarks.kit.Environment;
import io.flexpool.benchmarks.kit.Report;
import io.flexpool.benchmarks.kit.TextTable;
import io.flexpool.benchmarks.paired.PairedBenchmark;
import io.flexpool.benchmarks.paired.Rounds;
import io.flexpool.benchmarks.statementpath.isolated.Variant;
import java.util.List;
import java.util.Map;

/**
 * All that one run says; its components are the JSON file's fields.
 *
 * @param scenario {@code statement-path}
 * @param environment where it was measured
 * @param threads threads, each with its own connection
 * @param parameters calls of setInt of each statement
 * @param rows rows of each result set
 * @param columns columns read of each row
 * @param rounds the rounds that counted
 * @param compilations how often every variant was loaded and compiled anew for them
 * @param sliceMs how long a variant ran in each
 * @param goal what flexpool may cost at most
 * @param results one per variant
 */
public record StatementPathReport(
        String scenario,
        Environment environment,
        int threads,
        int parameters,
        int rows,
        int columns,
        int rounds,
        int compilations,
        int sliceMs,
        Goal goal,
        List<StatementPathRow> results)
        implements Report {

    static StatementPathReport of(Load load, Rounds rounds, List<StatementPathRow> results) {
        return new StatementPathReport(
                "statement-path",
                Environment.here(),
                load.threads(),
                load.parameters(),
                load.rows(),
                load.columns(),
                rounds.counting(),
                rounds.compilations(),
                PairedBenchmark.SLICE_MILLIS,
                Goal.GOAL,
                List.copyOf(results));
    }

    @Override
    public List<String> notes() {
        return List.of(
                environment.summary(),
                "prepareStatement, setInt, executeQuery, " + rows + " rows of " + columns + " columns, close both;"
                        + " on a connection that is already out; stub driver; parameters: " + parameters
                        + "; threads: " + threads,
                "CPU ns per cycle, " + rounds + " rounds of " + sliceMs + " ms slices, compilations: " + compilations
                        + "; D = difference to bare in the same round; % = D over the bare cycle",
                "over bare: bytes per cycle, of these per statement and per result set");
    }

    @Override
    public Map<String, List<String>> goals() {
        return results.stream()
                .filter(row -> row.variant().equals(Variant.FLEXPOOL.toString()))
                .findFirst()
                .map(row -> Map.of("goals", verdicts(row)))
                .orElse(Map.of());
    }

    @Override
    public TextTable table() {
        TextTable table = new TextTable(
                "variant",
                "cpu ns",
                "D ns",
                "D p25",
                "D p75",
                "%",
                "bytes",
                "over bare",
                "per statement",
                "per result set");
        for (StatementPathRow row : results) {
            table.row(
                    row.variant(),
                    TextTable.number(row.cpuMedianNs(), 1),
                    TextTable.number(row.diffMedianNs(), 1),
                    TextTable.number(row.diffP25Ns(), 1),
                    TextTable.number(row.diffP75Ns(), 1),
                    TextTable.number(row.diffPercent(), 1),
                    TextTable.number(row.bytesPerCycle(), 1),
                    TextTable.number(row.bytesOverBare(), 1),
                    TextTable.number(row.bytesOverBarePerStatement(), 1),
                    TextTable.number(row.bytesOverBarePerResultSet(), 1));
        }
        return table;
    }

    private List<String> verdicts(StatementPathRow flexpool) {
        return List.of(
                "D at most " + TextTable.number(goal.diffPercent(), 0) + " % of the bare cycle: "
                        + word(goal.isMetInTime(flexpool)) + " (" + TextTable.number(flexpool.diffPercent(), 1)
                        + " %)",
                "at most " + TextTable.number(goal.bytesPerStatement(), 0) + " bytes per statement and "
                        + TextTable.number(goal.bytesPerResultSet(), 0) + " per result set: "
                        + word(goal.isMetInBytes(flexpool)) + " ("
                        + TextTable.number(flexpool.bytesOverBarePerStatement(), 1) + " and "
                        + TextTable.number(flexpool.bytesOverBarePerResultSet(), 1) + ")");
    }

    private static String word(boolean met) {
        return met ? "met" : "missed";
    }
}
