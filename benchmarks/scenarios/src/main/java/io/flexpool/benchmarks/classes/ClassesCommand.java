// SPDX-License-Identifier: Apache-2.0
package io.flexpool.benchmarks.classes;

import io.flexpool.adapter.tck.PostgresServer;
import io.flexpool.benchmarks.classes.SideBySide.Load;
import io.flexpool.benchmarks.classes.SideBySide.Outcome;
import io.flexpool.benchmarks.kit.Progress;
import io.flexpool.benchmarks.kit.Range;
import io.flexpool.benchmarks.kit.Subcommand;
import io.flexpool.benchmarks.report.ReportFiles;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The subcommand {@code classes}. */
@Command(
        name = "classes",
        description =
                "Batch work beside interactive requests on PostgreSQL: on one pool, on two, and on one with classes.")
public final class ClassesCommand extends Subcommand {
    @Range(max = 1_000)
    @Option(names = "--rounds", defaultValue = "3", description = "How often each way to share is measured.")
    private int rounds;

    @Range(max = 3_600)
    @Option(names = "--seconds", defaultValue = "20", description = "How long, each time.")
    private int seconds;

    @Range(max = 10_000)
    @Option(names = "--rate", defaultValue = "100", description = "Interactive requests a second.")
    private int rate;

    @Range(max = 1_000)
    @Option(names = "--batch-threads", defaultValue = "40", description = "Threads that do batch work.")
    private int batchThreads;

    @Range(max = 60_000)
    @Option(names = "--batch-lease", defaultValue = "2000", description = "How long a lease of theirs lasts, ms.")
    private int batchLease;

    @Range(min = 2, max = 80)
    @Option(names = "--connections", defaultValue = "20", description = "Connections in all.")
    private int connections;

    @Range(max = 79)
    @Option(names = "--batch-most", defaultValue = "8", description = "How many of them batch work may have.")
    private int batchMost;

    @Mixin
    private ReportFiles files = new ReportFiles();

    /** Made by the command line parser. */
    public ClassesCommand() {}

    @Override
    public Integer call() throws Exception {
        if (batchMost >= connections) {
            throw refused("--batch-most", batchMost, "must be below --connections, " + connections);
        }
        PostgresServer.unavailable().ifPresent(why -> {
            throw refused("PostgreSQL cannot run here: " + why);
        });
        files.publish(ClassesReport.of(measured(), batchMost * 1000.0 / batchLease), out());
        return 0;
    }

    /** Round by round, so that whatever the machine does meanwhile concerns all alike. */
    private Map<Sharing, List<Outcome>> measured() throws InterruptedException {
        Map<Sharing, List<Outcome>> outcomes = new EnumMap<>(Sharing.class);
        try (Progress progress = new Progress("classes", (long) rounds * Sharing.values().length);
                PostgresServer server = PostgresServer.start()) {
            for (int round = 0; round < rounds; round++) {
                for (Sharing sharing : Sharing.values()) {
                    Load load = new Load(seconds, rate, sharing == Sharing.ALONE ? 0 : batchThreads, batchLease);
                    try (Sharing.Source source = sharing.open(server.dataSource(), connections, batchMost)) {
                        outcomes.computeIfAbsent(sharing, any -> new ArrayList<>())
                                .add(new SideBySide(load, source).run());
                    }
                    progress.step(sharing.toString());
                }
            }
        }
        return outcomes;
    }
}
