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
 * @param scenario {@code advisor-replay}
 * @param environment where it ran; its heap is the most that was used
 * @param requests requests of the trace
 * @param sizes with how many sizes it was replayed
 * @param rows what took how long
 */
public record ReplayReport(String scenario, Environment environment, int requests, int sizes, List<ReplayRow> rows)
        implements Report {
    private static final double MOST_SECONDS = 10;
    private static final int GOAL_REQUESTS = 1_000_000;
    private static final int GOAL_SIZES = 50;

    static ReplayReport of(int requests, int sizes, List<ReplayRow> rows) {
        return new ReplayReport("advisor-replay", Environment.here(), requests, sizes, rows);
    }

    @Override
    public List<String> notes() {
        return List.of(environment.summary() + ", heap of at most " + environment.maxHeapMb() + " MB");
    }

    @Override
    public List<Table> tables() {
        return List.of(Columns.<ReplayRow>of("what", ReplayRow::what)
                .number("seconds", 2, ReplayRow::seconds)
                .table(requests + " requests, " + sizes + " sizes, one thread", rows));
    }

    @Override
    public Map<String, List<String>> goals() {
        if (requests < GOAL_REQUESTS || sizes < GOAL_SIZES) {
            return Map.of();
        }
        return Map.of(
                "flexpool",
                rows.stream()
                        .map(row -> Report.judged(
                                row.what() + " in at most 10 s",
                                row.seconds() <= MOST_SECONDS,
                                number(row.seconds(), 2) + " s"))
                        .toList());
    }
}
