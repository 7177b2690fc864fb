// SPDX-License-Identifier: Apache-2.0
package io.flexpool.benchmarks.fleet;

import io.flexpool.benchmarks.kit.Environment;
import io.flexpool.benchmarks.kit.TextTable;
import io.flexpool.benchmarks.report.Columns;
import io.flexpool.benchmarks.report.Graph;
import io.flexpool.benchmarks.report.QuickForm;
import io.flexpool.benchmarks.report.Report;
import io.flexpool.benchmarks.report.Table;
import io.flexpool.benchmarks.simulate.FleetOverload;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * All that one run of the scenario says; its components are the JSON file's fields.
 *
 * @param scenario {@code fleet}
 * @param quick whether it was the small form
 * @param environment where it was measured
 * @param store of flexpool's fleet
 * @param plan how large the fleet is, and how long each run takes
 * @param results one for each variant and schedule
 * @param latency of a renewal, by the number of members
 * @param overload of a database that several instances share, in virtual time
 * @param graphs the runs over time
 */
public record FleetReport(
        String scenario,
        boolean quick,
        Environment environment,
        String store,
        Map<String, Long> plan,
        List<FleetResult> results,
        List<LatencyResult> latency,
        List<FleetOverload.Row> overload,
        List<Graph> graphs)
        implements Report {
    private static final int MOST_SECONDS_BELOW = 15;
    private static final double MOST_UNMET_OVER_IDEAL = 1.8;
    private static final double LEAST_OF_BEST = 0.95;
    private static final double MOST_RENEWAL_MICROS = 1_000;

    static FleetReport of(
            boolean quick,
            Plan plan,
            StoreKind kind,
            List<FleetResult> results,
            List<LatencyResult> latency,
            List<FleetOverload.Row> overload,
            List<Graph> graphs) {
        Map<String, Long> size = new LinkedHashMap<>();
        size.put("members", (long) plan.members());
        size.put("processes", (long) plan.processes());
        size.put("maxConnections", (long) Plan.MAX_CONNECTIONS);
        size.put("cap", (long) plan.rules().cap());
        size.put("reserve", (long) plan.rules().reserve());
        size.put("instancesMax", (long) plan.rules().instancesMax());
        size.put("share", (long) plan.rules().share());
        size.put("seconds", (long) plan.seconds());
        size.put("outageSeconds", (long) plan.outageSeconds());
        size.put("steadySeconds", (long) plan.steadySeconds());
        size.put("seed", plan.seed());
        return new FleetReport(
                "fleet", quick, Environment.here(), kind.toString(), size, results, latency, overload, graphs);
    }

    @Override
    public List<String> notes() {
        return QuickForm.noted(
                quick,
                environment.summary(),
                "store " + store + "; " + plan.get("members") + " members in " + plan.get("processes") + " JVMs share "
                        + plan.get("cap") + " of " + plan.get("maxConnections") + " connections, the fair share is "
                        + plan.get("share"));
    }

    @Override
    public List<Table> tables() {
        List<Table> tables = new ArrayList<>();
        if (!results.isEmpty()) {
            tables.add(Columns.<FleetResult>of("variant", FleetResult::variant)
                    .and("schedule", FleetResult::schedule)
                    .and("samples", FleetResult::samples)
                    .and("above the cap", FleetResult::samplesAboveCap)
                    .and("most sessions", FleetResult::mostSessions)
                    .and("refused (53300)", FleetResult::refused53300)
                    .and("below fair share, s", FleetResult::secondsBelowFairShare)
                    .number("unmet / ideal", 2, FleetResult::unmetOverIdeal)
                    .number("unmet", 1, FleetResult::unmet)
                    .number("ideal", 1, FleetResult::idealUnmet)
                    .table("", results));
        }
        if (!latency.isEmpty()) {
            tables.add(Columns.<LatencyResult>of("store", LatencyResult::store)
                    .and("members", LatencyResult::members)
                    .number("p50, µs", 0, LatencyResult::p50Micros)
                    .number("p99, µs", 0, LatencyResult::p99Micros)
                    .table("a renewal", latency));
        }
        if (!overload.isEmpty()) {
            tables.add(Columns.<FleetOverload.Row>of("instances", FleetOverload.Row::instances)
                    .and("share", FleetOverload.Row::fleetMax)
                    .and("requests", FleetOverload.Row::requests)
                    .and("completed", FleetOverload.Row::completions)
                    .and("each alone", FleetOverload.Row::completionsEachAlone)
                    .and("best static sum", FleetOverload.Row::bestStaticSum)
                    .and("completed by that", FleetOverload.Row::bestStaticCompletions)
                    .number("of the best", 3, FleetOverload.Row::ofBestStatic)
                    .table("overload, in virtual time", overload));
        }
        return tables;
    }

    @Override
    public Map<String, List<String>> goals() {
        List<FleetResult> ours = results.stream()
                .filter(one -> one.variant().equals(Variant.FLEXPOOL.toString()))
                .toList();
        List<String> goals = new ArrayList<>();
        if (!ours.isEmpty()) {
            int above = ours.stream().mapToInt(FleetResult::samplesAboveCap).sum();
            int samples = ours.stream().mapToInt(FleetResult::samples).sum();
            int refused = ours.stream().mapToInt(FleetResult::refused53300).sum();
            int below = ours.stream()
                    .mapToInt(FleetResult::secondsBelowFairShare)
                    .max()
                    .orElse(0);
            double unmet =
                    ours.stream().mapToDouble(FleetResult::unmetOverIdeal).max().orElse(Double.NaN);
            goals.add(Report.judged("no sample above the cap", above == 0, above + " of " + samples));
            goals.add(Report.judged("no connect refused", refused == 0, String.valueOf(refused)));
            goals.add(Report.judged(
                    "at most 15 s below the fair share", below <= MOST_SECONDS_BELOW, below + " s at most"));
            goals.add(Report.judged(
                    "unmet demand at most 1.8 times the ideal",
                    unmet <= MOST_UNMET_OVER_IDEAL,
                    TextTable.number(unmet, 2) + " at most"));
        }
        latency.forEach(one -> goals.add(Report.judged(
                "a renewal in at most 1 ms, " + one.members() + " members",
                one.p99Micros() <= MOST_RENEWAL_MICROS,
                TextTable.number(one.p99Micros(), 0) + " µs by the 99th percentile")));
        overload.forEach(one -> goals.add(Report.judged(
                one.instances() + " instances that share " + one.fleetMax()
                        + " complete at least 0.95 of what the best static sum does",
                one.ofBestStatic() >= LEAST_OF_BEST,
                TextTable.number(one.ofBestStatic(), 3))));
        return goals.isEmpty() ? Map.of() : Map.of("goals", goals);
    }
}
