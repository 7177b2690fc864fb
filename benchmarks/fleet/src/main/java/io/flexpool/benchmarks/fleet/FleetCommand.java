// SPDX-License-Identifier: Apache-2.0
package io.flexpool.benchmarks.fleet;

import io.flexpool.adapter.tck.PostgresServer;
import io.flexpool.benchmarks.kit.Interrupt;
import io.flexpool.benchmarks.kit.Progress;
import io.flexpool.benchmarks.kit.Range;
import io.flexpool.benchmarks.kit.Subcommand;
import io.flexpool.benchmarks.report.ReportFiles;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The subcommand {@code fleet}. */
@Command(
        name = "fleet",
        description =
                "Pools of several JVMs share the connections of a PostgreSQL with 60, with demands that wander, while"
                        + " JVMs and the store fail: flexpool's fleet, a fixed share for each, each alone, and Redisson's"
                        + " semaphore.")
@SuppressWarnings("NullAway.Init") // the command line parser fills the fields
public final class FleetCommand extends Subcommand {
    @Option(
            names = "--store",
            defaultValue = "postgresql",
            description = "Where flexpool's fleet is kept: ${COMPLETION-CANDIDATES}. The semaphore is always in Redis.")
    private StoreKind store;

    @Option(names = "--variants", description = "Variants: ${COMPLETION-CANDIDATES}. Default: all.")
    private Set<Variant> variants = EnumSet.allOf(Variant.class);

    @Option(names = "--schedules", description = "What happens: ${COMPLETION-CANDIDATES}. Default: all.")
    private Set<Schedule> schedules = EnumSet.allOf(Schedule.class);

    @Range(max = 1_000)
    @Option(names = "--members", defaultValue = "12", description = "Pools, a multiple of the JVMs.")
    private int members;

    @Range(max = 100)
    @Option(names = "--processes", defaultValue = "4", description = "JVMs.")
    private int processes;

    @Range(max = 86_400)
    @Option(
            names = "--seconds",
            defaultValue = "90",
            description = "Of each run, besides what happens in it: a third before, two thirds after.")
    private int seconds;

    @Range(max = 3_600)
    @Option(
            names = "--warm-up",
            defaultValue = "40",
            description = "How many seconds it takes at most until each member has its fair share.")
    private int warmUp;

    @Range(max = 3_600)
    @Option(names = "--outage", defaultValue = "30", description = "How many seconds a JVM or the store is stopped.")
    private int outage;

    @Range(max = 10_000)
    @Option(
            names = "--latency",
            description =
                    "How long a renewal takes in a store of so many members, as in 10,100,1000. With neither --variants"
                            + " nor --schedules nothing else is measured.")
    private List<Integer> latency = List.of();

    @Range(min = 0, max = 1_000)
    @Option(
            names = "--overload",
            defaultValue = "0",
            description =
                    "What two and four instances complete under more load than the database can do, in so many runs in"
                            + " virtual time. Alone, as --latency.")
    private int overload;

    @Range(max = 3_600)
    @Option(
            names = "--steady",
            defaultValue = "15",
            description = "How many seconds a demand stays as it is, on the average.")
    private int steady;

    @Option(names = "--seed", defaultValue = "1", description = "Of the demands.")
    private long seed;

    @Mixin
    private ReportFiles files = new ReportFiles();

    /** Made by the command line parser. */
    public FleetCommand() {}

    @Override
    public Integer call() throws Exception {
        PostgresServer.unavailable().ifPresent(why -> {
            throw refused("PostgreSQL cannot run here: " + why);
        });
        if (members % processes != 0) {
            throw refused("--members", members, "must be a multiple of --processes, " + processes);
        }
        if ((!latency.isEmpty() || overload > 0)
                && given("--variants").isEmpty()
                && given("--schedules").isEmpty()) {
            variants = Set.of();
        }
        Plan plan = new Plan(members, processes, seconds, warmUp, outage, steady, seed);
        FleetBenchmark benchmark =
                new FleetBenchmark(plan, store, new TreeSet<>(variants), new TreeSet<>(schedules), latency, overload);
        try (Interrupt stop = Interrupt.watch()) {
            FleetReport report;
            try (Progress progress = new Progress("fleet", benchmark.steps())) {
                report = benchmark.run(progress, stop);
            }
            files.publish(report, out());
        }
        return 0;
    }
}
