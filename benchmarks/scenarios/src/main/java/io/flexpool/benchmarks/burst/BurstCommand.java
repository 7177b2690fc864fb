// SPDX-License-Identifier: Apache-2.0
package io.flexpool.benchmarks.burst;

import io.flexpool.benchmarks.kit.JsonFile;
import io.flexpool.benchmarks.kit.OptionRules;
import io.flexpool.benchmarks.kit.Progress;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.EnumSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** The subcommand {@code burst}. */
@Command(
        modelTransformer = OptionRules.class,
        name = "burst",
        description = "Steady requests with bursts: failures, latencies and connections of each pool, bare, larger, in"
                + " FlexyPool and in flexpool, beside what arithmetic says.",
        mixinStandardHelpOptions = true,
        sortOptions = false)
@SuppressWarnings("NullAway.Init") // the command line parser fills the fields
public final class BurstCommand implements Callable<Integer> {
    @Option(
            names = "--pools",
            split = ",",
            defaultValue = "hikaricp,tomcat,c3p0,druid,dbcp2",
            paramLabel = "POOL",
            description = "Pools: ${COMPLETION-CANDIDATES}. Default: ${DEFAULT-VALUE}.")
    private Set<BurstPool> pools = new LinkedHashSet<>();

    @Option(
            names = "--variants",
            split = ",",
            paramLabel = "VARIANT",
            description = "Variants: ${COMPLETION-CANDIDATES}. Default: all. The verdicts need bare-ceiling and"
                    + " flexpool.")
    private Set<Variant> variants = EnumSet.allOf(Variant.class);

    @Option(
            names = "--db",
            defaultValue = "stub",
            paramLabel = "DB",
            description = "The database: ${COMPLETION-CANDIDATES}. Default: ${DEFAULT-VALUE}.")
    private BurstDatabase database;

    @Mixin
    private BurstOptions options = new BurstOptions();

    @Option(
            names = "--json",
            converter = JsonFile.Converter.class,
            paramLabel = "FILE",
            description = "Also writes the figures to this file.")
    private @Nullable JsonFile json;

    @Spec
    private CommandSpec spec;

    /** Made by the command line parser. */
    public BurstCommand() {}

    @Override
    public Integer call() throws Exception {
        Sizes sizes = options.sizes(spec.commandLine());
        BurstLoad load = options.load(spec.commandLine());
        PrintWriter out = spec.commandLine().getOut();
        BurstReport.Setup setup = new BurstReport.Setup(available(out), options.seed(), load, sizes);
        BurstBenchmark benchmark = new BurstBenchmark(setup, Duration.ofMillis(options.connectMs()), options.warmUp());
        List<BurstRow> rows;
        try (Progress progress = new Progress("burst", (long) pools.size() * variants.size())) {
            rows = benchmark.run(pools, variants, progress);
        }
        BurstReport report = BurstReport.of(setup, rows, benchmark.connectMs());
        report.print(out);
        if (json != null) {
            json.write(report);
        }
        return 0;
    }

    /** The selected database, or the stub, with a message, if that cannot run. */
    private BurstDatabase available(PrintWriter out) {
        Optional<String> reason = database.unavailable();
        reason.ifPresent(why -> out.println("NOTICE: " + database + " cannot run here (" + why + "). Measuring "
                + BurstDatabase.STUB + " instead: its figures are not those of " + database + "."));
        out.flush();
        return reason.isPresent() ? BurstDatabase.STUB : database;
    }
}
