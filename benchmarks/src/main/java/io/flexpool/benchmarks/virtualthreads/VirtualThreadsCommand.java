// SPDX-License-Identifier: Apache-2.0
package io.flexpool.benchmarks.virtualthreads;

import io.flexpool.benchmarks.kit.Interrupt;
import io.flexpool.benchmarks.kit.Progress;
import io.flexpool.benchmarks.kit.Range;
import io.flexpool.benchmarks.kit.Subcommand;
import io.flexpool.benchmarks.report.ScenarioOptions;
import java.time.Instant;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The subcommand {@code virtual-threads}. */
@Command(
        name = "virtual-threads",
        description =
                "Thousands of virtual threads on a few connections of HikariCP: by itself, watched by flexpool, and"
                        + " behind flexpool's gate. Needs Java 21 or newer; 24 or newer for all figures.")
public final class VirtualThreadsCommand extends Subcommand {
    private static final int SECOND = 1_000;
    private static final int ROUNDS = 3;
    private static final int SECONDS = 8;
    private static final int WARM_UP_MILLIS = 2 * SECOND;
    private static final int QUICK_MILLIS = 500;

    @Option(names = "--db", description = "Databases: ${COMPLETION-CANDIDATES}. Default: both.")
    private Set<LeaseDatabase> databases = EnumSet.allOf(LeaseDatabase.class);

    @Option(
            names = "--variants",
            description = "Variants: ${COMPLETION-CANDIDATES}. Default: all. The goals need bare and gated.")
    private Set<Variant> variants = EnumSet.allOf(Variant.class);

    @Range(min = 2, max = 100_000)
    @Option(names = "--threads", defaultValue = "2000", description = "Virtual threads that ask for connections.")
    private int threads;

    @Range(max = 80)
    @Option(names = "--connections", defaultValue = "10", description = "Connections of the pool.")
    private int connections;

    @Range(max = 1_000_000)
    @Option(
            names = "--work",
            defaultValue = "1000",
            paramLabel = "MICROS",
            description = "For how long a thread keeps a connection busy, microseconds.")
    private int workMicros;

    @Range(max = 3_600)
    @Option(names = "--seconds", description = "How long each is measured. Default: 8; with --quick half a second.")
    private @Nullable Integer seconds;

    @Range(max = 100)
    @Option(names = "--rounds", description = "How often each is measured. Default: 3; with --quick 1.")
    private @Nullable Integer rounds;

    @Mixin
    private ScenarioOptions common = new ScenarioOptions();

    /** Made by the command line parser. */
    public VirtualThreadsCommand() {}

    @Override
    public Integer call() throws Exception {
        if (threads <= connections) {
            throw refused("--threads", threads, "must be above --connections, " + connections);
        }
        VirtualThreads.unavailable().ifPresent(why -> {
            throw refused(why);
        });
        for (LeaseDatabase database : databases) {
            database.unavailable().ifPresent(why -> {
                throw refused("--db", database, "cannot run here (" + why + ")");
            });
        }
        Plan plan = plan();
        Instant started = Instant.now();
        try (Interrupt stop = Interrupt.watch()) {
            List<Row> rows;
            try (Progress progress = new Progress("virtual-threads", plan.steps())) {
                rows = new VirtualThreadsBenchmark(plan, VirtualThreads::executor).run(progress, stop);
            }
            boolean complete = rows.size() == plan.steps();
            common.publish(new VirtualThreadsReport(plan, rows).result(started, complete, arguments()), out());
        }
        return 0;
    }

    private Plan plan() {
        boolean quick = common.quick();
        return new Plan(
                databases.stream().sorted().toList(),
                variants.stream().sorted().toList(),
                threads,
                connections,
                workMicros,
                quick ? QUICK_MILLIS : WARM_UP_MILLIS,
                seconds == null ? quick ? QUICK_MILLIS : SECONDS * SECOND : seconds * SECOND,
                common.value(rounds, ROUNDS, 1),
                common.seed());
    }
}
