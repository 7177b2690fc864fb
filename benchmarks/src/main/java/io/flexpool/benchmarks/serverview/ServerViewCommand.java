// SPDX-License-Identifier: Apache-2.0
package io.flexpool.benchmarks.serverview;

import io.flexpool.adapter.tck.database.PostgresServer;
import io.flexpool.benchmarks.kit.Progress;
import io.flexpool.benchmarks.kit.Range;
import io.flexpool.benchmarks.kit.SeedConverter;
import io.flexpool.benchmarks.kit.Subcommand;
import io.flexpool.benchmarks.kit.WithProvider;
import io.flexpool.benchmarks.report.QuickForm;
import io.flexpool.benchmarks.report.ReportFiles;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The subcommand {@code server-view}. */
@Command(
        name = "server-view",
        description =
                "Stages ten situations in which a pool is exhausted, on PostgreSQL, and judges what flexpool says.")
public final class ServerViewCommand extends Subcommand {
    private static final int RUNS = 20;
    private static final int REQUESTS = 5;
    private static final int QUICK_REQUESTS = 2;

    @Range(max = 1_000)
    @Option(names = "--runs", description = "How often each situation is staged. Default: 20, with --quick 1.")
    private @Nullable Integer runs;

    @Range(max = 100)
    @Option(names = "--requests", description = "Failed requests per run. Default: 5, with --quick 2.")
    private @Nullable Integer requests;

    @Option(
            names = "--seed",
            defaultValue = "1",
            converter = SeedConverter.class,
            description = "Of the order of the runs.")
    private long seed;

    @Mixin
    private QuickForm form = new QuickForm();

    @Mixin
    private ReportFiles files = new ReportFiles();

    /** Made by the command line parser. */
    public ServerViewCommand() {}

    @Override
    public Integer call() throws Exception {
        PostgresServer.unavailable().ifPresent(why -> {
            throw refused("PostgreSQL cannot run here: " + why);
        });
        int times = form.value(runs, RUNS, 1);
        try (Progress progress = new Progress("server-view", ServerViewBenchmark.steps(times))) {
            ServerViewBenchmark benchmark =
                    new ServerViewBenchmark(times, form.value(requests, REQUESTS, QUICK_REQUESTS), seed);
            files.publish(
                    ServerViewReport.of(form.selected(), WithProvider.announced(() -> benchmark.run(progress))), out());
        }
        return 0;
    }
}
