// SPDX-License-Identifier: Apache-2.0
package io.flexpool.benchmarks.statementpath;

import static io.flexpool.benchmarks.kit.TextTable.number;

import io.flexpool.benchmarks.kit.Environment;
import io.flexpool.benchmarks.paired.PairedBenchmark;
import io.flexpool.benchmarks.paired.Rounds;
import io.flexpool.benchmarks.report.Columns;
import io.flexpool.benchmarks.report.Report;
import io.flexpool.benchmarks.report.Table;
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
    public List<Table> tables() {
        return List.of(Columns.<StatementPathRow>of("variant", StatementPathRow::variant)
                .number("cpu ns", 1, StatementPathRow::cpuMedianNs)
                .number("D ns", 1, StatementPathRow::diffMedianNs)
                .number("D p25", 1, StatementPathRow::diffP25Ns)
                .number("D p75", 1, StatementPathRow::diffP75Ns)
                .number("%", 1, StatementPathRow::diffPercent)
                .number("bytes", 1, StatementPathRow::bytesPerCycle)
                .number("over bare", 1, StatementPathRow::bytesOverBare)
                .number("per statement", 1, StatementPathRow::bytesOverBarePerStatement)
                .number("per result set", 1, StatementPathRow::bytesOverBarePerResultSet)
                .table("", results));
    }

    private List<String> verdicts(StatementPathRow flexpool) {
        return List.of(
                Report.judged(
                        "D at most " + number(goal.diffPercent(), 0) + " % of the bare cycle",
                        goal.isMetInTime(flexpool),
                        number(flexpool.diffPercent(), 1) + " %"),
                Report.judged(
                        "at most " + number(goal.bytesPerStatement(), 0) + " bytes per statement and "
                                + number(goal.bytesPerResultSet(), 0) + " per result set",
                        goal.isMetInBytes(flexpool),
                        number(flexpool.bytesOverBarePerStatement(), 1) + " and "
                                + number(flexpool.bytesOverBarePerResultSet(), 1)));
    }
}
