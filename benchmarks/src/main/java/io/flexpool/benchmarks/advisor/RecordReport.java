// SPDX-License-Identifier: Apache-2.0
package io.flexpool.benchmarks.advisor;

import static io.flexpool.benchmarks.kit.TextTable.number;

import io.flexpool.benchmarks.kit.Environment;
import io.flexpool.benchmarks.report.Columns;
import io.flexpool.benchmarks.report.Report;
import io.flexpool.benchmarks.report.Table;
import java.util.List;
import java.util.Map;

/**
 * All that one run of the scenario says; its components are the JSON file's fields.
 *
 * @param scenario {@code advisor-record}
 * @param environment where it ran
 * @param threads how many threads made leases
 * @param rate how many leases a second they were to make
 * @param rows what became of them, one row
 */
public record RecordReport(String scenario, Environment environment, int threads, int rate, List<RecordRow> rows)
        implements Report {
    private static final double MOST_MISSING = 0.01;
    private static final int GOAL_RATE = 200_000;
    /** Of the rate that was asked for: a thread that comes late makes its leases later. */
    private static final double REACHED = 0.98;

    static RecordReport of(int threads, int rate, RecordRow row) {
        return new RecordReport("advisor-record", Environment.here(), threads, rate, List.of(row));
    }

    @Override
    public List<String> notes() {
        return List.of(environment.summary());
    }

    @Override
    public List<Table> tables() {
        return List.of(Columns.<RecordRow>of("leases", row -> Long.toString(row.made()))
                .number("a second", 0, RecordRow::perSecond)
                .number("in the file", 0, RecordRow::inFile)
                .number("lost", 0, RecordRow::lost)
                .number("missing, %", 3, row -> 100 * row.missing())
                .table(threads + " threads, " + rate + " leases a second", rows));
    }

    @Override
    public Map<String, List<String>> goals() {
        RecordRow row = rows.get(0);
        return row.perSecond() < REACHED * GOAL_RATE
                ? Map.of()
                : Map.of(
                        "flexpool",
                        List.of(Report.judged(
                                "at most 1 % is not in the file",
                                row.missing() <= MOST_MISSING, number(100 * row.missing(), 3) + " %")));
    }
}
