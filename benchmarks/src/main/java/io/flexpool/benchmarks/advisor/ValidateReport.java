// SPDX-License-Identifier: Apache-2.0
package io.flexpool.benchmarks.advisor;

import static io.flexpool.benchmarks.kit.TextTable.number;

import io.flexpool.benchmarks.kit.Environment;
import io.flexpool.benchmarks.report.Columns;
import io.flexpool.benchmarks.report.Report;
import io.flexpool.benchmarks.report.Table;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * All that one run of the scenario says; its components are the JSON file's fields.
 *
 * @param scenario {@code advisor-validate}
 * @param environment where it ran
 * @param seconds the length of each run
 * @param waitTargetMs 99 % of the requests shall wait at most so long
 * @param results one for each workload
 */
public record ValidateReport(
        String scenario, Environment environment, int seconds, int waitTargetMs, List<ValidateRow> results)
        implements Report {
    static ValidateReport of(int seconds, int waitTargetMs, List<ValidateRow> results) {
        return new ValidateReport("advisor-validate", Environment.here(), seconds, waitTargetMs, results);
    }

    @Override
    public List<String> notes() {
        return List.of(environment.summary(), "Runs of " + seconds + " s on PostgreSQL.");
    }

    @Override
    public List<Table> tables() {
        return List.of(Columns.<ValidateRow>of("workload", row -> row.workload().toLowerCase(Locale.ROOT))
                .and("requests", ValidateRow::requests)
                .and("recommended", ValidateRow::recommended)
                .number("p99 wait of the record ms", 1, ValidateRow::firstP99Ms)
                .number("predicted of fresh requests ms", 1, ValidateRow::predictedP99Ms)
                .number("measured ms", 1, ValidateRow::measuredP99Ms)
                .and("off by", row -> percent(row.error()))
                .table("99 % of the requests shall wait at most " + waitTargetMs + " ms", results));
    }

    private static String percent(double share) {
        return number(100 * share, 1) + " %";
    }

    @Override
    public Map<String, List<String>> goals() {
        return Map.of(
                "flexpool",
                results.stream()
                        .filter(ValidateRow::judged)
                        .map(row -> Report.judged(
                                row.workload().toLowerCase(Locale.ROOT) + ": measured within 20 % of the prediction",
                                row.close(),
                                percent(row.error())))
                        .toList());
    }
}
