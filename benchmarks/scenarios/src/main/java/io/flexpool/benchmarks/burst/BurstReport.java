// SPDX-License-Identifier: Apache-2.0
package io.flexpool.benchmarks.burst;

import io.flexpool.benchmarks.kit.Environment;
import io.flexpool.benchmarks.kit.TextTable;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * All that one run says; its components are the JSON file's fields.
 *
 * @param scenario {@code burst}
 * @param environment where it was measured
 * @param db the database
 * @param seed of the order of the variants
 * @param load the load
 * @param sizes the pools' sizes and timeouts
 * @param results one per pool and variant
 * @param connectMs by pool: the median time of a physical connect in this run
 * @param connectLaw by pool: how it opens connections when it has room
 * @param model by pool: the worst latency of a burst that arithmetic gives flexpool, milliseconds
 * @param verdicts by pool, where flexpool and the bare pool as large as the ceiling were measured
 */
public record BurstReport(
        String scenario,
        Environment environment,
        String db,
        long seed,
        BurstLoad load,
        Sizes sizes,
        List<BurstRow> results,
        Map<String, Double> connectMs,
        Map<String, String> connectLaw,
        Map<String, Double> model,
        List<BurstVerdict> verdicts) {

    /** The selected options. */
    record Setup(BurstDatabase database, long seed, BurstLoad load, Sizes sizes) {}

    static BurstReport of(Setup setup, List<BurstRow> rows, Map<BurstPool, Double> connectMs) {
        Map<String, Double> connects = new LinkedHashMap<>();
        Map<String, String> laws = new LinkedHashMap<>();
        Map<String, Double> models = new LinkedHashMap<>();
        List<BurstVerdict> verdicts = new ArrayList<>();
        connectMs.forEach((pool, connect) -> {
            double worst = model(setup, pool, connect);
            connects.put(pool.toString(), connect);
            laws.put(pool.toString(), pool.subject().connectLaw().words());
            models.put(pool.toString(), worst);
            row(rows, pool, Variant.FLEXPOOL)
                    .flatMap(flexpool -> row(rows, pool, Variant.BARE_CEILING)
                            .map(ceiling -> BurstVerdict.of(flexpool, ceiling, setup.sizes(), worst)))
                    .ifPresent(verdicts::add);
        });
        return new BurstReport(
                "burst",
                Environment.here(),
                setup.database().toString(),
                setup.seed(),
                setup.load(),
                setup.sizes(),
                rows,
                connects,
                laws,
                models,
                verdicts);
    }

    /** flexpool's growth begins after a tenth of the acquisition timeout; from then on the pool opens as it can. */
    static double model(Setup setup, BurstPool pool, double connectMs) {
        Sizes sizes = setup.sizes();
        List<Double> ready = pool.subject().connectLaw().readyMs(sizes.ceiling() - sizes.base(), connectMs).stream()
                .map(ms -> ms + sizes.growAfterMs())
                .toList();
        return new BurstModel(setup.load(), sizes.base(), sizes.deadlineMs())
                .grown(ready)
                .worstMs();
    }

    private static Optional<BurstRow> row(List<BurstRow> rows, BurstPool pool, Variant variant) {
        return rows.stream()
                .filter(row ->
                        row.pool().equals(pool.toString()) && row.variant().equals(variant.toString()))
                .findFirst();
    }

    void print(PrintWriter out) {
        out.println();
        out.println(environment.summary() + ", " + versions());
        out.println(db + ": " + load.ratePerSecond() + " requests/s, and " + load.size() + " at once every "
                + load.periodMs() + " ms, " + load.bursts() + " times; each holds its connection for " + load.holdMs()
                + " ms; base " + sizes.base() + ", ceiling " + sizes.ceiling() + ", acquisition timeout "
                + sizes.timeoutMs() + " ms, deadline " + sizes.deadlineMs() + " ms; seed " + seed);
        out.println("flexpool " + sizes.keepInWords());
        out.println("latency: from the intended arrival to the end of the hold, of requests that were served;"
                + " held: physical connections, mean over time since the first burst");
        out.println();
        printRows(out);
        out.println();
        printModel(out);
        out.println();
        verdicts.forEach(verdict -> out.println(verdict.describe()));
        out.flush();
    }

    private String versions() {
        Map<String, String> others = new TreeMap<>(environment.versions());
        others.keySet().retainAll(List.of("tomcat-jdbc", "c3p0", "druid", "commons-dbcp2", "flexy-pool"));
        return String.join(
                ", ",
                others.entrySet().stream()
                        .map(entry -> entry.getKey() + " " + entry.getValue())
                        .toList());
    }

    private void printRows(PrintWriter out) {
        TextTable table = new TextTable(
                "pool",
                "variant",
                "failed per burst",
                "steady failed",
                "median worst ms",
                "max ms",
                "p99 ms",
                "mean held",
                "max physical",
                "late start ms");
        for (BurstRow row : results) {
            table.row(
                    row.pool(),
                    row.variant(),
                    row.steadyFailures() == null ? "not measured" : failures(row),
                    row.steadyFailures() == null ? "-" : row.steadyFailures().toString(),
                    TextTable.number(row.medianWorstMs(), 0),
                    number(row.maxLatencyMs(), 0),
                    number(row.p99LatencyMs(), 0),
                    number(row.meanHeld(), 1),
                    row.maxPhysical() == null ? "-" : row.maxPhysical().toString(),
                    number(row.latestStartMs(), 1));
        }
        table.print(out);
        results.stream()
                .filter(row -> row.note() != null && row.steadyFailures() == null)
                .forEach(row -> out.println(row.pool() + " " + row.variant() + ": " + row.note()));
    }

    private static String failures(BurstRow row) {
        int least = row.failuresPerBurst().stream()
                .mapToInt(Integer::intValue)
                .min()
                .orElse(0);
        int most = row.failuresPerBurst().stream()
                .mapToInt(Integer::intValue)
                .max()
                .orElse(0);
        return least == most ? Integer.toString(least) : least + "-" + most;
    }

    private static String number(@Nullable Double value, int decimals) {
        return TextTable.number(value == null ? Double.NaN : value, decimals);
    }

    private void printModel(PrintWriter out) {
        TextTable table = new TextTable("model", "connect ms", "worst ms", "opens connections");
        model.forEach((pool, worst) -> table.row(
                pool, number(connectMs.get(pool), 1), TextTable.number(worst, 0), connectLaw.getOrDefault(pool, "")));
        table.print(out);
        BurstModel fixed = new BurstModel(load, sizes.base(), sizes.timeoutMs());
        out.println("arithmetic for any pool that stays at " + sizes.base() + ": "
                + fixed.fixed().burstFailures() + " of each burst fail");
    }
}
