// SPDX-License-Identifier: Apache-2.0
package io.flexpool.benchmarks.burst;

import io.flexpool.benchmarks.kit.Environment;
import io.flexpool.benchmarks.kit.TextTable;
import io.flexpool.benchmarks.report.Columns;
import io.flexpool.benchmarks.report.Report;
import io.flexpool.benchmarks.report.Table;
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
        List<BurstVerdict> verdicts)
        implements Report {

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
            laws.put(pool.toString(), pool.connectLaw().words());
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
        List<Double> ready = pool.connectLaw().readyMs(sizes.ceiling() - sizes.base(), connectMs).stream()
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

    @Override
    public List<String> notes() {
        return List.of(
                environment.summary() + ", " + versions(),
                db + ": " + load.ratePerSecond() + " requests/s, and " + load.size() + " at once every "
                        + load.periodMs() + " ms, " + load.bursts() + " times; each holds its connection for "
                        + load.holdMs() + " ms; base " + sizes.base() + ", ceiling " + sizes.ceiling()
                        + ", acquisition timeout " + sizes.timeoutMs() + " ms, deadline " + sizes.deadlineMs()
                        + " ms; seed " + seed,
                "flexpool " + sizes.keepInWords(),
                "latency: from the intended arrival to the end of the hold, of requests that were served;"
                        + " held: physical connections, mean over time since the first burst",
                "arithmetic for any pool that stays at " + sizes.base() + ": "
                        + new BurstModel(load, sizes.base(), sizes.timeoutMs())
                                .fixed()
                                .burstFailures()
                        + " of each burst fail");
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

    @Override
    public List<Table> tables() {
        return List.of(
                Columns.<BurstRow>of("pool", BurstRow::pool)
                        .and("variant", BurstRow::variant)
                        .and("failed per burst", row -> row.isMeasured() ? failures(row) : "not measured")
                        .and("steady failed", row -> orDash(row.steadyFailures()))
                        .number("median worst ms", 0, BurstRow::medianWorstMs)
                        .and("max ms", row -> number(row.maxLatencyMs(), 0))
                        .and("p99 ms", row -> number(row.p99LatencyMs(), 0))
                        .and("mean held", row -> number(row.meanHeld(), 1))
                        .and("max physical", row -> orDash(row.maxPhysical()))
                        .and("late start ms", row -> number(row.latestStartMs(), 1))
                        .table("", results),
                Columns.<String>of("model", pool -> pool)
                        .and("connect ms", pool -> number(connectMs.get(pool), 1))
                        .and("worst ms", pool -> number(model.get(pool), 0))
                        .and("opens connections", pool -> connectLaw.getOrDefault(pool, ""))
                        .table("", model.keySet()));
    }

    private static String orDash(@Nullable Integer value) {
        return value == null ? "-" : value.toString();
    }

    @Override
    public Map<String, List<String>> goals() {
        Map<String, List<String>> goals = new LinkedHashMap<>();
        goals.put(
                "not measured",
                results.stream()
                        .filter(row -> row.note() != null && !row.isMeasured())
                        .map(row -> row.pool() + " " + row.variant() + ": " + row.note())
                        .toList());
        goals.put("goals", verdicts.stream().map(BurstVerdict::describe).toList());
        goals.values().removeIf(List::isEmpty);
        return goals;
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
}
