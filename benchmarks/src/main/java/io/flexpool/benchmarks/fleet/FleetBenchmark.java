// SPDX-License-Identifier: Apache-2.0
package io.flexpool.benchmarks.fleet;

import io.flexpool.adapter.tck.database.PostgresServer;
import io.flexpool.benchmarks.kit.Interrupt;
import io.flexpool.benchmarks.kit.Steps;
import io.flexpool.benchmarks.report.Graph;
import io.flexpool.benchmarks.simulate.FleetOverload;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * All variants under all schedules, one after the other, on one PostgreSQL; then the latency of a renewal.
 *
 * @param plan how large and how long
 * @param kind of flexpool's store
 * @param variants those to run
 * @param schedules those to run; what happens to a store happens to variants with one only
 * @param latency how many members the store knows, for each figure
 * @param overloads how many runs in virtual time the figures of an overload are of
 * @param quick whether it is the small form
 */
record FleetBenchmark(
        Plan plan,
        StoreKind kind,
        Set<Variant> variants,
        Set<Schedule> schedules,
        List<Integer> latency,
        int overloads,
        boolean quick) {
    private static final Map<String, String> SETTINGS = Map.of(
            "max_connections", String.valueOf(Plan.MAX_CONNECTIONS),
            "fsync", "on",
            "synchronous_commit", "on",
            "full_page_writes", "on");

    /** One run. */
    record Run(Variant variant, Schedule schedule) {}

    private List<Run> runs() {
        List<Run> runs = new ArrayList<>();
        for (Variant variant : variants) {
            schedules.stream()
                    .filter(schedule -> variant.stored() || !schedule.ofStore())
                    .forEach(schedule -> runs.add(new Run(variant, schedule)));
        }
        return runs;
    }

    /** How many steps it has, about one for each second. */
    int steps() {
        return latency.size()
                + runs().stream()
                        .mapToInt(run -> Course.seconds(plan, run.schedule()))
                        .sum();
    }

    FleetReport run(Steps progress, Interrupt stop) throws Exception {
        List<FleetResult> results = new ArrayList<>();
        List<LatencyResult> latencies = new ArrayList<>();
        List<Graph> graphs = new ArrayList<>();
        boolean redisson = variants.contains(Variant.REDISSON);
        try (PostgresServer server = PostgresServer.start(SETTINGS);
                Store redis = redisson || kind == StoreKind.REDIS ? RedisStore.start() : Store.NONE) {
            Store own = kind == StoreKind.REDIS ? redis : new PostgresStore(server);
            for (Run run : runs()) {
                Store store = run.variant() == Variant.REDISSON
                        ? redis
                        : run.variant().stored() ? own : Store.NONE;
                Course course = new Course(server, plan, run.variant(), run.schedule(), store, progress, stop);
                Tally tally = course.run(kind);
                if (!stop.asked()) {
                    results.add(tally.result(run.variant(), run.schedule()));
                    graphs.add(FleetGraph.of(run, tally));
                }
            }
            for (int members : latency) {
                if (!stop.asked()) {
                    latencies.add(new Latency(kind, own, server.dataSource()).of(members));
                    progress.steps(1, members + " members");
                }
            }
        }
        List<FleetOverload.Row> overload = overloads == 0 ? List.of() : FleetOverload.rows(overloads);
        return FleetReport.of(quick, plan, kind, results, latencies, overload, graphs);
    }
}
