// SPDX-License-Identifier: Apache-2.0
package io.flexpool.benchmarks.advisor;

import static io.flexpool.benchmarks.kit.TextTable.number;

import io.flexpool.benchmarks.kit.Environment;
import io.flexpool.benchmarks.report.Columns;
import io.flexpool.benchmarks.report.QuickForm;
import io.flexpool.benchmarks.report.Report;
import io.flexpool.benchmarks.report.Table;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * All that one run of the scenario says; its components are the JSON file's fields.
 *
 * @param scenario {@code advisor}
 * @param quick whether it was the small form
 * @param complete false if it was interrupted; the traces of each seed that was done for all processes are here
 * @param environment where it ran; nothing in it depends on the machine
 * @param waitTargetMs 99 % of the requests shall wait at most so long
 * @param results one for each method
 * @param rows one for each method and trace
 */
public record AdvisorReport(
        String scenario,
        boolean quick,
        boolean complete,
        Environment environment,
        double waitTargetMs,
        List<AdvisorResult> results,
        List<AdvisorRow> rows)
        implements Report {
    private static final double MET = 0.95;
    private static final double OVER = 0.2;

    static AdvisorReport of(boolean quick, boolean complete, double waitTargetMs, List<AdvisorRow> rows) {
        List<AdvisorResult> results = new ArrayList<>();
        for (Method method : Method.values()) {
            List<AdvisorRow> its = rows.stream()
                    .filter(row -> row.method().equals(method.toString()))
                    .toList();
            results.add(new AdvisorResult(
                    method.toString(),
                    its.size(),
                    (double) its.stream().filter(AdvisorRow::met).count() / its.size(),
                    its.stream()
                            .mapToDouble(row -> (double) row.size() / row.optimum() - 1)
                            .average()
                            .orElse(Double.NaN)));
        }
        return new AdvisorReport("advisor", quick, complete, Environment.here(), waitTargetMs, results, rows);
    }

    @Override
    public List<String> head() {
        return complete ? List.of() : List.of("INTERRUPTED: what was measured until then");
    }

    @Override
    public List<String> notes() {
        return QuickForm.noted(quick, environment.summary());
    }

    @Override
    public List<Table> tables() {
        return List.of(Columns.<AdvisorResult>of("method", AdvisorResult::method)
                .and("traces", AdvisorResult::traces)
                .and("met on a fresh trace", result -> percent(result.metOnFresh()))
                .and("above the optimum", result -> percent(result.meanOverOptimum()))
                .table("99 % of the requests wait at most " + number(waitTargetMs, 0) + " ms", results));
    }

    private static String percent(double share) {
        return number(100 * share, 1) + " %";
    }

    @Override
    public Map<String, List<String>> goals() {
        AdvisorResult flexpool = results.get(0);
        return Map.of(
                "flexpool",
                List.of(
                        Report.judged(
                                "at least 95 % of fresh traces meet the target",
                                flexpool.metOnFresh() >= MET, percent(flexpool.metOnFresh())),
                        Report.judged(
                                "at most 20 % above the optimum on average",
                                flexpool.meanOverOptimum() <= OVER, percent(flexpool.meanOverOptimum()))));
    }
}
