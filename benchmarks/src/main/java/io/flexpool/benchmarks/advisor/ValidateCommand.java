// SPDX-License-Identifier: Apache-2.0
package io.flexpool.benchmarks.advisor;

import com.zaxxer.hikari.HikariDataSource;
import io.flexpool.FlexPool;
import io.flexpool.FlexPoolDataSource;
import io.flexpool.adapter.tck.database.PostgresServer;
import io.flexpool.advisor.Advisor;
import io.flexpool.advisor.LeaseTrace;
import io.flexpool.advisor.Question;
import io.flexpool.advisor.TraceFile;
import io.flexpool.benchmarks.kit.Progress;
import io.flexpool.benchmarks.kit.Range;
import io.flexpool.benchmarks.kit.Subcommand;
import io.flexpool.benchmarks.report.ReportFiles;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import javax.sql.DataSource;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The subcommand {@code advisor-validate}. */
@Command(
        name = "advisor-validate",
        description =
                "Records workloads on PostgreSQL in a large pool of HikariCP, asks the advisor, and measures the waits in a"
                        + " pool of the recommended size: with the same requests again, and with fresh ones.")
@SuppressWarnings("NullAway.Init") // the command line parser fills the fields
public final class ValidateCommand extends Subcommand {
    /** Large enough that next to nothing waits. */
    private static final int LARGE = 40;

    private static final long FRESH = 1_000_000;
    private static final Duration WARM_UP = Duration.ofSeconds(5);
    private static final double NANOS_PER_MS = 1e6;

    @Range(max = 3_600)
    @Option(
            names = "--seconds",
            defaultValue = "60",
            description = "Length of each of a workload's two runs, after 5 s of warm-up.")
    private int seconds;

    @Range(max = 10_000)
    @Option(
            names = "--wait-target-ms",
            defaultValue = "40",
            description = "The wait that 99 of 100 requests shall not exceed.")
    private int targetMs;

    @Option(names = "--workloads", description = "Workloads: ${COMPLETION-CANDIDATES}. Default: all.")
    private Set<Workload> workloads = EnumSet.allOf(Workload.class);

    @Mixin
    private ReportFiles files = new ReportFiles();

    /** Made by the command line parser. */
    public ValidateCommand() {}

    @Override
    public Integer call() throws SQLException, IOException, InterruptedException {
        PostgresServer.unavailable().ifPresent(why -> {
            throw refused("PostgreSQL cannot run here: " + why);
        });
        Path folder = Files.createTempDirectory("advisor-validate");
        List<ValidateRow> rows = new ArrayList<>();
        try (PostgresServer server = PostgresServer.start();
                Progress progress = new Progress("advisor-validate", workloads.size())) {
            try (Connection connection = server.dataSource().getConnection()) {
                Workload.create(connection);
            }
            for (Workload workload : workloads) {
                rows.add(validated(workload, server.dataSource(), folder));
                progress.steps(1, workload.toString());
            }
        } finally {
            delete(folder);
        }
        files.publish(ValidateReport.of(seconds, targetMs, rows), out());
        return 0;
    }

    private ValidateRow validated(Workload workload, DataSource database, Path folder)
            throws IOException, InterruptedException {
        LeaseTrace planned = workload.process().trace(1, Duration.ofSeconds(seconds));
        LeaseTrace fresh = workload.process().trace(1 + FRESH, Duration.ofSeconds(seconds));
        // Classes, compiled code and the server's caches: not what is recorded.
        try (HikariDataSource pool = RealRun.pool(database, LARGE)) {
            RealRun.p99Ms(workload, workload.process().trace(2 + FRESH, WARM_UP), pool);
        }
        LeaseTrace recorded =
                recorded(workload, database, folder, watched -> RealRun.p99Ms(workload, planned, watched));
        Question question = Question.of(LARGE).withWaitTarget(Duration.ofMillis(targetMs));
        int size = Advisor.advise(recorded, question).connections();
        double[] measured = new double[1];
        LeaseTrace beside;
        try (HikariDataSource small = RealRun.pool(database, size)) {
            beside = recorded(workload, database, folder, watched -> {
                measured[0] = RealRun.p99Ms(workload, fresh, small, watched);
            });
        }
        return new ValidateRow(
                workload.toString(),
                recorded.requests(),
                size,
                p99Ms(recorded, question, size),
                p99Ms(beside, question, size),
                measured[0]);
    }

    private static double p99Ms(LeaseTrace trace, Question question, int size) {
        return Advisor.curve(trace, question.timeout(), List.of(size)).get(0).p99Nanos() / NANOS_PER_MS;
    }

    /** What is done with a pool. */
    @FunctionalInterface
    private interface Use {
        void with(DataSource pool) throws InterruptedException;
    }

    /** What the large pool did, as flexpool records it. */
    private static LeaseTrace recorded(Workload workload, DataSource database, Path folder, Use use)
            throws IOException, InterruptedException {
        Map<String, String> properties =
                Map.of("flexpool.record", "file", "flexpool.record.directory", folder.toString());
        try (HikariDataSource pool = RealRun.pool(database, LARGE);
                FlexPoolDataSource watched = FlexPool.wrap(pool)
                        .name(workload.name())
                        .properties(properties)
                        .build()) {
            use.with(watched);
        }
        return TraceFile.read(folder.resolve(workload.name() + ".fpt")).trace();
    }

    private static void delete(Path folder) throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            for (Path file : files.toList()) {
                Files.delete(file);
            }
        }
        Files.delete(folder);
    }
}
