// SPDX-License-Identifier: Apache-2.0
package io.flexpool.advisor.scenario;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.zaxxer.hikari.HikariDataSource;
import io.flexpool.FlexPool;
import io.flexpool.FlexPoolDataSource;
import io.flexpool.adapter.tck.database.PostgresServer;
import io.flexpool.advisor.Advisor;
import io.flexpool.advisor.LeaseTrace;
import io.flexpool.advisor.LeaseTrace.Ending;
import io.flexpool.advisor.Question;
import io.flexpool.advisor.TraceFile;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.Connection;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * The advisor beside rules of thumb, the time of its replay, the completeness of a record, and its prediction on PostgreSQL.
 * <p>
 * The short form: {@code mvn -Pscenarios verify -pl flexpool-server/it-server -am -Dtest=AdvisorScenarioTest
 * -Dsurefire.failIfNoSpecifiedTests=false}. The published figures are of {@code -Dscenario.seeds=6 -Dscenario.minutes=10
 * -Dscenario.requests=1000000 -Dscenario.seconds=60}.
 */
@Tag("scenario")
class AdvisorScenarioTest {
    private static final int SEEDS = Integer.getInteger("scenario.seeds", 1);
    private static final int MINUTES = Integer.getInteger("scenario.minutes", 2);
    private static final int REQUESTS = Integer.getInteger("scenario.requests", 100_000);
    private static final int SECONDS = Integer.getInteger("scenario.seconds", 3);
    /** In shorter traces a percentile is no figure. */
    private static final int LEAST_MINUTES_OF_A_GOAL = 10;

    private static final int LEAST_SECONDS_OF_A_GOAL = 60;
    /** So far apart that no trace is another's fresh one. */
    private static final long FRESH = 1_000_000;
    /** Larger than the size of each method. */
    private static final int UNWATCHED = 1_000;

    private static final double MAX_SECONDS = 10;
    /** In a shorter run the compilation of the code is a large part. */
    private static final int LEAST_SECONDS_OF_A_RECORD = 10;

    private static final double NANOS = 1e9;
    private static final int LARGE = 40;
    private static final int THREADS = 4;

    private static PostgresServer server;

    @TempDir
    private Path folder;

    @BeforeAll
    static void start() throws Exception {
        assumeTrue(
                PostgresServer.unavailable().isEmpty(),
                () -> PostgresServer.unavailable().orElse(""));
        server = PostgresServer.start();
        try (Connection connection = server.dataSource().getConnection()) {
            Workload.create(connection);
        }
    }

    @AfterAll
    static void stop() {
        if (server != null) {
            server.close();
        }
    }

    /** One method on all traces. */
    private record Row(double metOnFresh, double overOptimum) {}

    private record Size(int size, int optimum) {}

    @Test
    void eachMethodIsTriedOnFreshTraces() {
        Question question = Question.of(UNWATCHED).withWaitTarget(Duration.ofMillis(10));
        Duration span = Duration.ofMinutes(MINUTES);
        Map<Method, List<Size>> sizes = new EnumMap<>(Method.class);
        LongStream.rangeClosed(1, SEEDS)
                .forEach(seed -> LoadProcess.all().forEach(process -> {
                    LeaseTrace seen = process.trace(seed, span);
                    int optimum = Advisor.smallest(process.trace(seed + FRESH, span), question);
                    for (Method method : Method.values()) {
                        sizes.computeIfAbsent(method, any -> new ArrayList<>())
                                .add(new Size(method.size(seen, question), optimum));
                    }
                }));
        Map<Method, Row> rows = new EnumMap<>(Method.class);
        sizes.forEach((method, its) -> rows.put(
                method,
                new Row(
                        (double) its.stream()
                                        .filter(one -> one.size() >= one.optimum())
                                        .count()
                                / its.size(),
                        its.stream()
                                .mapToDouble(one -> (double) one.size() / one.optimum() - 1)
                                .average()
                                .orElseThrow())));
        rows.forEach((method, row) -> System.out.printf(
                Locale.ROOT,
                "%-32s met on a fresh trace %.1f %%, above the optimum %.1f %%%n",
                method,
                100 * row.metOnFresh(),
                100 * row.overOptimum()));

        Row flexpool = Objects.requireNonNull(rows.get(Method.FLEXPOOL));
        Row little = Objects.requireNonNull(rows.get(Method.LITTLE));
        assertThat(flexpool.metOnFresh()).isGreaterThan(little.metOnFresh());
        if (MINUTES >= LEAST_MINUTES_OF_A_GOAL) {
            assertThat(flexpool.metOnFresh()).isGreaterThanOrEqualTo(0.95);
            assertThat(flexpool.overOptimum()).isLessThanOrEqualTo(0.2);
        }
    }

    /** The goal is one of a million requests. */
    @Test
    void aReplayOfFiftySizesTakesAtMostTenSeconds() {
        List<Integer> sizes = IntStream.rangeClosed(1, 50).boxed().toList();
        Question question = Question.of(50);
        LeaseTrace single = trace(false);
        LeaseTrace nested = trace(true);
        assertThat(seconds("replay", () -> Advisor.curve(single, question.timeout(), sizes)))
                .isLessThan(MAX_SECONDS);
        assertThat(seconds("advice", () -> Advisor.advise(single, question))).isLessThan(MAX_SECONDS);
        assertThat(seconds("replay, nested", () -> Advisor.curve(nested, question.timeout(), sizes)))
                .isLessThan(MAX_SECONDS);
    }

    private static double seconds(String name, Runnable work) {
        long begin = System.nanoTime();
        work.run();
        double seconds = (System.nanoTime() - begin) / NANOS;
        System.out.printf(Locale.ROOT, "%s of %d requests: %.2f s%n", name, REQUESTS, seconds);
        return seconds;
    }

    /** A thousand requests a second of 20 ms each; with nested ones, a thread in twenty holds two connections. */
    private static LeaseTrace trace(boolean nested) {
        SplittableRandom random = new SplittableRandom(1);
        LeaseTrace.Builder trace = LeaseTrace.builder();
        double at = 0;
        for (int request = 0; request < REQUESTS; request++) {
            at += -Math.log(1 - random.nextDouble()) * 1e6;
            long lease = (long) (-Math.log(1 - random.nextDouble()) * 20e6);
            boolean holds = nested && request % 20 == 0 && ++request < REQUESTS;
            trace.add((long) at, 0, lease, Ending.RELEASED, "", holds ? request : 0);
            if (holds) {
                trace.add((long) at + lease / 4, 0, lease / 2, Ending.RELEASED, "", request);
            }
        }
        return trace.build();
    }

    /** 200,000 leases a second, of four threads. */
    @Test
    void eachLeaseIsInTheFileOrCountedAsLost() throws Exception {
        long made;
        try (HikariDataSource pool = RealRun.pool(server.dataSource(), THREADS);
                FlexPoolDataSource watched = recording(pool, "record")) {
            made = leases(watched);
        }
        TraceFile file = TraceFile.read(folder.resolve("record.fpt"));
        long kept = file.trace().requests();
        System.out.printf(
                Locale.ROOT, "%d leases in %d s: %d in the file, %d lost%n", made, SECONDS, kept, file.lost());
        assertThat(kept + file.lost()).isEqualTo(made);
        if (SECONDS >= LEAST_SECONDS_OF_A_RECORD) {
            assertThat(kept).isGreaterThan((long) (0.99 * made));
        }
    }

    private static long leases(DataSource pool) throws Exception {
        ExecutorService workers = Executors.newFixedThreadPool(THREADS);
        try {
            Callable<Long> one = () -> leasesOfOne(pool);
            long sum = 0;
            for (Future<Long> each : workers.invokeAll(List.of(one, one, one, one))) {
                sum += each.get();
            }
            return sum;
        } finally {
            workers.shutdownNow();
        }
    }

    private static long leasesOfOne(DataSource pool) throws Exception {
        long begin = System.nanoTime();
        long end = TimeUnit.SECONDS.toNanos(SECONDS);
        long made = 0;
        for (long spent = 0; spent < end; spent = System.nanoTime() - begin) {
            for (long due = (long) (spent * 200_000 / NANOS / THREADS); made < due; made++) {
                try (Connection connection = pool.getConnection()) {
                    connection.isReadOnly();
                }
            }
            LockSupport.parkNanos(Duration.ofMillis(2).toNanos());
        }
        return made;
    }

    private FlexPoolDataSource recording(DataSource pool, String name) {
        return FlexPool.wrap(pool)
                .name(name)
                .properties(Map.of("flexpool.record", folder.toString(), "flexpool.record.max-bytes", "1000000000"))
                .build();
    }

    /** A workload is recorded in a large pool, and fresh requests of it are measured in one of the recommended size. */
    @ParameterizedTest
    @EnumSource(Workload.class)
    void theWaitIsThePredictedOne(Workload workload) throws Exception {
        Validated row = validated(workload);
        System.out.println(row);
        assertThat(row.requests()).isGreaterThan(SECONDS * 30);
        assertThat(row.recommended()).isPositive();
        assertThat(row.measuredP99Ms()).isPositive();
        if (SECONDS >= LEAST_SECONDS_OF_A_GOAL && row.judged()) {
            assertThat(row.close()).as("%s", row).isTrue();
        }
    }

    private Validated validated(Workload workload) throws IOException, InterruptedException {
        DataSource database = server.dataSource();
        LeaseTrace planned = workload.process().trace(1, Duration.ofSeconds(SECONDS));
        LeaseTrace fresh = workload.process().trace(1 + FRESH, Duration.ofSeconds(SECONDS));
        // Classes, compiled code and the server's caches are not recorded.
        try (HikariDataSource pool = RealRun.pool(database, LARGE)) {
            RealRun.p99Ms(
                    workload, workload.process().trace(2 + FRESH, Duration.ofSeconds(Math.min(5, SECONDS))), pool);
        }
        LeaseTrace recorded = recorded(workload, watched -> RealRun.p99Ms(workload, planned, watched));
        Question question = Question.of(LARGE).withWaitTarget(Duration.ofMillis(40));
        int size = Advisor.advise(recorded, question).connections();
        double[] measured = new double[1];
        LeaseTrace beside;
        try (HikariDataSource small = RealRun.pool(database, size)) {
            beside = recorded(workload, watched -> measured[0] = RealRun.p99Ms(workload, fresh, small, watched));
        }
        return new Validated(
                workload.toString(),
                recorded.requests(),
                size,
                p99Ms(recorded, question, size),
                p99Ms(beside, question, size),
                measured[0]);
    }

    private static double p99Ms(LeaseTrace trace, Question question, int size) {
        return Advisor.curve(trace, question.timeout(), List.of(size)).get(0).p99Nanos() / 1e6;
    }

    @FunctionalInterface
    private interface Use {
        void with(DataSource pool) throws InterruptedException;
    }

    private LeaseTrace recorded(Workload workload, Use use) throws IOException, InterruptedException {
        try (HikariDataSource pool = RealRun.pool(server.dataSource(), LARGE);
                FlexPoolDataSource watched = recording(pool, workload.name())) {
            use.with(watched);
        }
        return TraceFile.read(folder.resolve(workload.name() + ".fpt")).trace();
    }
}
