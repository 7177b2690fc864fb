// SPDX-License-Identifier: Apache-2.0
package io.flexpool.benchmarks.shootout;

import io.flexpool.benchmarks.kit.Interrupt;
import io.flexpool.benchmarks.kit.Progress;
import io.flexpool.benchmarks.kit.Range;
import io.flexpool.benchmarks.kit.Subcommand;
import io.flexpool.benchmarks.report.ScenarioOptions;
import java.time.Duration;
import java.time.Instant;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The subcommand {@code shoot-out}. */
@Command(
        name = "shoot-out",
        description = "The pools side by side, as Druid's comparison of 2013 had them: a million times getConnection,"
                + " a query, close, shared by more and more threads; bare and in flexpool, each in JVMs of its own.")
@SuppressWarnings("NullAway.Init") // the command line parser fills the fields
public final class ShootOutCommand extends Subcommand {
    private static final int CYCLES = 200_000;
    private static final int QUICK_CYCLES = 4_000;
    private static final int REPEATS = 3;
    private static final List<Integer> QUICK_THREADS = List.of(1, 100);

    @Option(names = "--pools", description = "Pools: ${COMPLETION-CANDIDATES}. Default: all.")
    private Set<ShootOutPool> pools = EnumSet.allOf(ShootOutPool.class);

    @Option(
            names = "--variants",
            defaultValue = "bare,flexpool",
            description = "Variants: ${COMPLETION-CANDIDATES}. The claims are about bare.")
    private Set<Variant> variants = EnumSet.noneOf(Variant.class);

    @Option(names = "--db", defaultValue = "stub", description = "The database: ${COMPLETION-CANDIDATES}.")
    private ShootOutDatabase database;

    @Range(max = 1_000)
    @Option(names = "--threads", description = "Thread counts. Default: 1,2,5,10,20,50,100; with --quick 1,100.")
    private @Nullable List<Integer> threads;

    @Range
    @Option(
            names = "--cycles",
            description = "Cycles at each thread count, shared by the threads. Default: 200000; published are 1000000;"
                    + " with --quick 4000.")
    private @Nullable Integer cycles;

    @Range(max = 100)
    @Option(
            names = "--repeats",
            description = "JVMs of each pool and variant, in random order. Default: 3; with --quick 1.")
    private @Nullable Integer repeats;

    @Range(max = 3_600)
    @Option(
            names = "--bound",
            defaultValue = "120",
            paramLabel = "S",
            description = "Seconds that a pool may take for the cycles of one thread count; one that takes longer is"
                    + " ended and the run continues.")
    private int boundSeconds;

    @Mixin
    private ScenarioOptions options = new ScenarioOptions();

    @Override
    public Integer call() throws Exception {
        database.unavailable().ifPresent(this::refuse);
        Setup setup = setup();
        Instant started = Instant.now();
        try (Interrupt stop = Interrupt.watch()) {
            List<Result> results;
            try (Progress progress = new Progress("shoot-out", setup.jvms())) {
                results = new ShootOutBenchmark(setup, stop::asked).run(progress);
            }
            options.publish(new ShootOutReport(new Standings(setup, results)).result(started, !stop.asked()), out());
        }
        return 0;
    }

    private Setup setup() {
        return new Setup(
                pools,
                variants,
                database,
                List.copyOf(new TreeSet<>(options.value(threads, Published.threads(), QUICK_THREADS))),
                options.value(cycles, CYCLES, QUICK_CYCLES),
                options.value(repeats, REPEATS, 1),
                Duration.ofSeconds(boundSeconds),
                options.seed(),
                options.quick());
    }

    /** Figures of another database would be taken for those of the selected one. */
    private void refuse(String why) {
        throw refused(
                "--db",
                database,
                "cannot run here (" + why + "); must be one of: "
                        + Stream.of(ShootOutDatabase.values())
                                .filter(other -> other.unavailable().isEmpty())
                                .map(ShootOutDatabase::toString)
                                .collect(Collectors.joining(", ")));
    }
}
