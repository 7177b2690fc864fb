// SPDX-License-Identifier: Apache-2.0
package io.flexpool.benchmarks.advisor;

import com.zaxxer.hikari.HikariDataSource;
import io.flexpool.FlexPool;
import io.flexpool.FlexPoolDataSource;
import io.flexpool.advisor.TraceFile;
import io.flexpool.benchmarks.kit.Range;
import io.flexpool.benchmarks.kit.Subcommand;
import io.flexpool.benchmarks.report.ReportFiles;
import io.flexpool.benchmarks.stub.StubConnection;
import io.flexpool.benchmarks.stub.StubDataSource;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import javax.sql.DataSource;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The subcommand {@code advisor-record}. */
@Command(
        name = "advisor-record",
        description =
                "How much of what a fast pool does is in the file that flexpool.record writes: HikariCP over a driver that"
                        + " answers at once, from several threads at a steady rate.")
@SuppressWarnings("NullAway.Init") // the command line parser fills the fields
public final class RecordCommand extends Subcommand {
    private static final String POOL = "record";
    /** More than all requests take, so that the first ones are still there in the end. */
    private static final String MOST_BYTES = Integer.toString(1_000_000_000);
    /** Each thread makes the leases of so long at once. */
    private static final long STEP_NANOS = Duration.ofMillis(2).toNanos();

    private static final double NANOS = 1e9;

    @Range(max = 60)
    @Option(names = "--seconds", defaultValue = "10", description = "How long.")
    private int seconds;

    @Range(max = 100)
    @Option(names = "--threads", defaultValue = "4", description = "Threads, each with one lease after the other.")
    private int threads;

    @Range
    @Option(names = "--rate", defaultValue = "200000", description = "Leases a second of all threads.")
    private int rate;

    @Mixin
    private ReportFiles files = new ReportFiles();

    /** Made by the command line parser. */
    public RecordCommand() {}

    @Override
    public Integer call() throws IOException, InterruptedException {
        Path folder = Files.createTempDirectory("advisor-record");
        try {
            files.publish(RecordReport.of(threads, rate, recorded(folder)), out());
        } finally {
            Path older = folder.resolve(POOL + ".fpt.1");
            for (Path file : List.of(folder.resolve(POOL + ".fpt"), folder.resolve(POOL + ".lock"), older, folder)) {
                Files.deleteIfExists(file);
            }
        }
        return 0;
    }

    private RecordRow recorded(Path folder) throws IOException, InterruptedException {
        Map<String, String> properties = Map.of(
                "flexpool.record",
                "file",
                "flexpool.record.directory",
                folder.toString(),
                "flexpool.record.max-bytes",
                MOST_BYTES);
        long made;
        long took;
        try (HikariDataSource pool = StubDataSource.pool(POOL, StubConnection::new, threads);
                FlexPoolDataSource watched =
                        FlexPool.wrap(pool).name(POOL).properties(properties).build()) {
            long begin = System.nanoTime();
            made = leases(watched, begin);
            took = System.nanoTime() - begin;
        }
        TraceFile file = TraceFile.read(folder.resolve(POOL + ".fpt"));
        return new RecordRow(made / (took / NANOS), made, file.trace().requests(), file.lost());
    }

    /** How many were made. */
    private long leases(DataSource pool, long begin) throws InterruptedException {
        ExecutorService workers = Executors.newFixedThreadPool(threads);
        try {
            List<Future<Long>> all = new ArrayList<>();
            for (int at = 0; at < threads; at++) {
                all.add(workers.submit(() -> leasesOfOne(pool, begin)));
            }
            long sum = 0;
            for (Future<Long> each : all) {
                sum += each.get();
            }
            return sum;
        } catch (ExecutionException failed) {
            throw new IllegalStateException("a lease failed", failed.getCause());
        } finally {
            workers.shutdownNow();
        }
    }

    private long leasesOfOne(DataSource pool, long begin) throws SQLException {
        double perNano = rate / NANOS / threads;
        long end = TimeUnit.SECONDS.toNanos(seconds);
        long made = 0;
        for (long spent = 0; spent < end; spent = System.nanoTime() - begin) {
            for (long due = (long) (spent * perNano); made < due; made++) {
                try (Connection connection = pool.getConnection()) {
                    connection.isReadOnly();
                }
            }
            LockSupport.parkNanos(STEP_NANOS);
        }
        return made;
    }
}
