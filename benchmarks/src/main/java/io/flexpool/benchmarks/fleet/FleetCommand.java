// SPDX-License-Identifier: Apache-2.0
package io.flexpool.benchmarks.fleet;

import io.flexpool.adapter.tck.database.PostgresServer;
import io.flexpool.benchmarks.kit.Interrupt;
import io.flexpool.benchmarks.kit.Progress;
import io.flexpool.benchmarks.kit.Range;
import io.flexpool.benchmarks.kit.Subcommand;
import io.flexpool.benchmarks.report.QuickForm;
import io.flexpool.benchmarks.report.ReportFiles;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
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
    private static final int MEMBERS = 12;
    private static final int QUICK_MEMBERS = 4;
    private static final int PROCESSES = 4;
    private static final int SECONDS = 90;
    private static final int QUICK_SECONDS = 3;
    private static final int WARM_UP = 40;
    private static final int OUTAGE = 30;

    @Option(
            names = "--store",
            defaultValue = "postgresql",
            description = "Where flexpool's fleet is kept: ${COMPLETION-CANDIDATES}. The semaphore is always in Redis.")
    private StoreKind store;

    @Option(
            names = "--variants",
            description = "Variants: ${COMPLETION-CANDIDATES}. Default: all, with --quick flexpool.")
    private @Nullable Set<Variant> variants;

    @Option(names = "--schedules", description = "What happens: ${COMPLETION-CANDIDATES}. Default: all.")
    private Set<Schedule> schedules = EnumSet.allOf(Schedule.class);

    @Range(max = 1_000)
    @Option(names = "--members", description = "Pools, a multiple of the JVMs. Default: 12, with --quick 4.")
    private @Nullable Integer members;

    @Range(max = 100)
    @Option(names = "--processes", description = "JVMs. Default: 4, with --quick 2.")
    private @Nullable Integer processes;

    @Range(max = 86_400)
    @Option(
            names = "--seconds",
            description = "Of each run, besides what happens in it: a third before, two thirds after. Default: 90, with"
                    + " --quick 3.")
    private @Nullable Integer seconds;

    @Range(max = 3_600)
    @Option(
            names = "--warm-up",
            description = "How many seconds it takes at most until each member has its fair share. Default: 40, with"
                    + " --quick 1.")
    private @Nullable Integer warmUp;

    @Range(max = 3_600)
    @Option(
            names = "--outage",
            description = "How many seconds a JVM or the store is stopped. Default: 30, with --quick 1.")
    private @Nullable Integer outage;

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
    private QuickForm form = new QuickForm();

    @Mixin
    private ReportFiles files = new ReportFiles();

    /** Made by the command line parser. */
    public FleetCommand() {}

    @Override
    public Integer call() throws Exception {
        PostgresServer.unavailable().ifPresent(why -> {
            throw refused("PostgreSQL cannot run here: " + why);
        });
        Plan plan = new Plan(
                form.value(members, MEMBERS, QUICK_MEMBERS),
                form.value(processes, PROCESSES, 2),
                form.value(seconds, SECONDS, QUICK_SECONDS),
                form.value(warmUp, WARM_UP, 1),
                form.value(outage, OUTAGE, 1),
                steady,
                seed);
        if (plan.members() % plan.processes() != 0) {
            throw refused("--members", plan.members(), "must be a multiple of --processes, " + plan.processes());
        }
        boolean alone = (!latency.isEmpty() || overload > 0)
                && variants == null
                && given("--schedules").isEmpty();
        if (alone && form.selected()) {
            throw refused("--quick shortens the runs of --variants and --schedules, and "
                    + (latency.isEmpty() ? "--overload" : "--latency") + " alone has none");
        }
        Set<Variant> played =
                alone ? Set.of() : form.value(variants, EnumSet.allOf(Variant.class), EnumSet.of(Variant.FLEXPOOL));
        FleetBenchmark benchmark = new FleetBenchmark(
                plan, store, new TreeSet<>(played), new TreeSet<>(schedules), latency, overload, form.selected());
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
