// SPDX-License-Identifier: Apache-2.0
package io.flexpool.benchmarks.serverview;

import io.flexpool.adapter.tck.PostgresServer;
import io.flexpool.benchmarks.kit.Progress;
import io.flexpool.benchmarks.kit.Range;
import io.flexpool.benchmarks.kit.SeedConverter;
import io.flexpool.benchmarks.kit.Subcommand;
import io.flexpool.benchmarks.kit.WithProvider;
import io.flexpool.benchmarks.report.ReportFiles;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The subcommand {@code server-view}. */
@Command(
        name = "server-view",
        description =
                "Stages ten situations in which a pool is exhausted, on PostgreSQL, and judges what flexpool says.")
public final class ServerViewCommand extends Subcommand {
    @Range(max = 1_000)
    @Option(names = "--runs", defaultValue = "20", description = "How often each situation is staged.")
    private int runs;

    @Range(max = 100)
    @Option(names = "--requests", defaultValue = "5", description = "Failed requests per run.")
    private int requests;

    @Option(
            names = "--seed",
            defaultValue = "1",
            converter = SeedConverter.class,
            description = "Of the order of the runs.")
    private long seed;

    @Mixin
    private ReportFiles files = new ReportFiles();

    /** Made by the command line parser. */
    public ServerViewCommand() {}

    @Override
    public Integer call() throws Exception {
        PostgresServer.unavailable().ifPresent(why -> {
            throw refused("PostgreSQL cannot run here: " + why);
        });
        try (Progress progress = new Progress("server-view", ServerViewBenchmark.steps(runs))) {
            ServerViewBenchmark benchmark = new ServerViewBenchmark(runs, requests, seed);
            files.publish(ServerViewReport.of(WithProvider.announced(() -> benchmark.run(progress))), out());
        }
        return 0;
    }
}
