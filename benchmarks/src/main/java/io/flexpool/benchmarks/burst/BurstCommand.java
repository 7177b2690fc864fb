// SPDX-License-Identifier: Apache-2.0
package io.flexpool.benchmarks.burst;

import io.flexpool.benchmarks.kit.Progress;
import io.flexpool.benchmarks.kit.Subcommand;
import io.flexpool.benchmarks.report.ReportFiles;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.EnumSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The subcommand {@code burst}. */
@Command(
        name = "burst",
        description = "Steady requests with bursts: failures, latencies and connections of each pool, bare, larger, in"
                + " FlexyPool and in flexpool, beside what arithmetic says.")
@SuppressWarnings("NullAway.Init") // the command line parser fills the fields
public final class BurstCommand extends Subcommand {
    @Option(
            names = "--pools",
            defaultValue = "hikaricp,tomcat,c3p0,druid,dbcp2",
            description = "Pools: ${COMPLETION-CANDIDATES}.")
    private Set<BurstPool> pools = new LinkedHashSet<>();

    @Option(
            names = "--variants",
            description = "Variants: ${COMPLETION-CANDIDATES}. Default: all. The verdicts need bare-ceiling and"
                    + " flexpool.")
    private Set<Variant> variants = EnumSet.allOf(Variant.class);

    @Option(names = "--db", defaultValue = "stub", description = "The database: ${COMPLETION-CANDIDATES}.")
    private BurstDatabase database;

    @Mixin
    private BurstOptions options = new BurstOptions();

    @Mixin
    private ReportFiles files = new ReportFiles();

    @Override
    public Integer call() throws Exception {
        Sizes sizes = options.sizes(this::refused);
        BurstLoad load = options.load(this::refused);
        PrintWriter out = out();
        BurstReport.Setup setup = new BurstReport.Setup(available(out), options.seed(), load, sizes);
        BurstBenchmark benchmark = new BurstBenchmark(setup, Duration.ofMillis(options.connectMs()), options.warmUp());
        List<BurstRow> rows;
        try (Progress progress = new Progress("burst", (long) pools.size() * variants.size())) {
            rows = benchmark.run(pools, variants, progress);
        }
        files.publish(BurstReport.of(setup, rows, benchmark.connectMs()), out);
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
