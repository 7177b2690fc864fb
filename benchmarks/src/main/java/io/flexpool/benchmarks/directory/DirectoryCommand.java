// SPDX-License-Identifier: Apache-2.0
package io.flexpool.benchmarks.directory;

import io.flexpool.benchmarks.kit.Database;
import io.flexpool.benchmarks.kit.Interrupt;
import io.flexpool.benchmarks.kit.Progress;
import io.flexpool.benchmarks.kit.Subcommand;
import io.flexpool.benchmarks.report.ScenarioOptions;
import java.io.PrintWriter;
import java.time.Instant;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The subcommand {@code directory}. */
@Command(
        name = "directory",
        description = "A small directory service over HTTP, steady and in bursts: failures, latencies, connections, and"
                + " where a request's time goes, of each pool bare and in flexpool, beside a published comparison.")
public final class DirectoryCommand extends Subcommand {
    @Option(
            names = "--pools",
            description = "Pools: ${COMPLETION-CANDIDATES}. Default: all. The published claims need all.")
    private Set<DirectoryPool> pools = EnumSet.allOf(DirectoryPool.class);

    @Option(
            names = "--variants",
            description = "Variants: ${COMPLETION-CANDIDATES}. Default: all. The findings need all.")
    private Set<Variant> variants = EnumSet.allOf(Variant.class);

    @Mixin
    private DirectoryOptions options = new DirectoryOptions();

    @Mixin
    private ScenarioOptions common = new ScenarioOptions();

    @Override
    public Integer call() throws Exception {
        Sizes sizes = options.sizes(common, this::refused);
        DirectoryLoad load = options.load(common, sizes, this::refused);
        PrintWriter out = out();
        Database database = available(out);
        Instant started = Instant.now();
        DirectoryBenchmark benchmark = new DirectoryBenchmark(load, sizes, common.seed(), common.quick() ? 600 : 3000);
        try (Interrupt stop = Interrupt.watch()) {
            DirectoryBenchmark.Outcome outcome;
            try (Database.Running running = database.start();
                    Progress progress = new Progress("directory", (long) pools.size() * variants.size())) {
                outcome = benchmark.run(running, pools, variants, progress, stop);
            }
            Map<String, String> asked = new LinkedHashMap<>();
            asked.put("pools", joined(pools));
            asked.put("variants", joined(variants));
            asked.put("quick", Boolean.toString(common.quick()));
            asked.put("seed", Long.toString(common.seed()));
            DirectoryResult result = new DirectoryResult(load, sizes, database, asked, outcome);
            boolean complete = outcome.measured().size() == pools.size() * variants.size();
            common.publish(result.of(started, complete, arguments()), out);
        }
        return 0;
    }

    /** PostgreSQL, or H2 if that cannot run, and said so. */
    private static Database available(PrintWriter out) {
        Optional<String> reason = Database.POSTGRES.unavailable();
        reason.ifPresent(why -> out.println("NOTICE: " + Database.POSTGRES + " cannot run here (" + why
                + "). Measuring on " + Database.H2MEM + " instead: its connects cost next to nothing."));
        out.flush();
        return reason.isPresent() ? Database.H2MEM : Database.POSTGRES;
    }
}
