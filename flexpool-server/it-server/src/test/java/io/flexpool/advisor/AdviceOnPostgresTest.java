// SPDX-License-Identifier: Apache-2.0
package io.flexpool.advisor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.flexpool.FlexPool;
import io.flexpool.FlexPoolDataSource;
import io.flexpool.adapter.tck.database.PostgresServer;
import io.flexpool.advice.PoolAdvice;
import io.flexpool.advice.PoolAdvice.Status;
import io.flexpool.advice.SizeAdvice;
import io.flexpool.advice.SizeAdvice.Verdict;
import io.flexpool.diagnostics.OpenLease;
import io.flexpool.pool.PoolMode;
import io.flexpool.spi.PartContext;
import io.flexpool.spi.PartKey;
import io.flexpool.spi.PoolPart;
import io.flexpool.spi.PoolPartProvider;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalInt;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * The most expensive advice is more connections for a database that is the bottleneck: PostgreSQL under load, through a pool of
 * four connections that twelve threads want.
 */
@Tag("scenario")
@Timeout(300)
class AdviceOnPostgresTest {
    private static final int CONNECTIONS = 4;
    private static final int[] THREADS = {1, 2, 3, 4, 12};
    /** About 20 ms of a processor. */
    private static final String BUSY = "select count(md5(each::text)) from generate_series(1, 40000) each";
    /** All wait for one lock, as for the row of a counter: leases take longer by what the others add. */
    private static final String LOCKED = "begin; select pg_advisory_xact_lock(7); select pg_sleep(0.004); commit";
    /** The more at once, the fewer in all. */
    private static final String THRASHING =
            "select pg_sleep(0.0005 * count(*) ^ 2) from pg_stat_activity where state = 'active'";

    private static PostgresServer server;
    private static @Nullable PoolAdvisor advisor;

    /** Found before the module's own provider, which it asks: a test does not wait for a minute until the pool does. */
    public static final class Provider implements PoolPartProvider {
        /** For the service loader. */
        public Provider() {}

        @Override
        public String name() {
            return new AdvicePartProvider().name();
        }

        @Override
        public List<PartKey<?>> keys() {
            return new AdvicePartProvider().keys();
        }

        @Override
        public PoolPart create(PartContext context) {
            LiveAdvisor made = new LiveAdvisor();
            advisor = made;
            return new AdvicePart(context, made);
        }
    }

    private static AdviceRequest request(long nowNanos, List<OpenLease> openLeases) {
        return new AdviceRequest(
                nowNanos,
                CONNECTIONS,
                Duration.ofMillis(5),
                Duration.ofSeconds(20),
                OptionalInt.empty(),
                Duration.ZERO,
                openLeases,
                List.of());
    }

    @BeforeAll
    static void start() throws SQLException {
        assumeTrue(
                PostgresServer.unavailable().isEmpty(),
                () -> PostgresServer.unavailable().orElse(""));
        server = PostgresServer.start(Map.of("max_connections", "20"));
    }

    @AfterAll
    static void stop() {
        if (server != null) {
            server.close();
        }
    }

    private static HikariDataSource four() {
        HikariConfig config = new HikariConfig();
        config.setDataSource(server.superuser());
        config.setMaximumPoolSize(CONNECTIONS);
        return new HikariDataSource(config);
    }

    /** Threads that do nothing but execute a statement, each with a connection of its own. */
    private static void load(FlexPoolDataSource pool, String statement, int threads, BooleanSupplier on)
            throws Exception {
        ExecutorService workers = Executors.newFixedThreadPool(threads);
        try {
            List<Future<?>> all = new ArrayList<>();
            for (int at = 0; at < threads; at++) {
                all.add(workers.submit(() -> {
                    while (on.getAsBoolean()) {
                        try (Connection connection = pool.getConnection();
                                Statement one = connection.createStatement()) {
                            one.execute(statement);
                        }
                    }
                    return null;
                }));
            }
            for (Future<?> each : all) {
                each.get();
            }
        } finally {
            workers.shutdownNow();
        }
    }

    /** With so many threads at work, then so many, each phase for so long. */
    private static SizeAdvice advice(String statement, Duration phase, int... threads) throws Exception {
        try (FlexPoolDataSource pool = FlexPool.wrap(four()).name("busy").build()) {
            for (int each : threads) {
                long end = System.nanoTime() + phase.toNanos();
                load(pool, statement, each, () -> System.nanoTime() - end < 0);
            }
            // Two ticks, so that all of it has been passed on.
            TimeUnit.MILLISECONDS.sleep(600);
            SizeAdvice advice = Objects.requireNonNull(advisor).advise(request(System.nanoTime(), pool.openLeases()));
            return Objects.requireNonNull(advice);
        }
    }

    @Test
    void connectionsThatWaitForOneLockNeedNoMoreOfThem() throws Exception {
        SizeAdvice advice = advice(LOCKED, Duration.ofSeconds(3), THREADS);
        assertThat(advice.verdict()).isEqualTo(Verdict.DATABASE);
        assertThat(advice.connections()).isEqualTo(CONNECTIONS);
        assertThat(advice.text()).contains("do not add connections").contains("is unknown");
    }

    /**
     * The database's processors are busy. How clearly a record shows that depends on what else they do; that more connections
     * would help it never shows.
     */
    @Test
    void busyProcessorsNeedNoMoreConnections() throws Exception {
        SizeAdvice advice = advice(BUSY, Duration.ofSeconds(6), THREADS);
        assertThat(advice.verdict()).as(advice.text()).isIn(Verdict.DATABASE, Verdict.UNKNOWN);
        assertThat(advice.connections()).isEqualTo(CONNECTIONS);
        assertThat(advice.text()).contains("do not add connections").contains("is unknown");
    }

    /** From begin to end: nothing shows what fewer connections would have done, and so nothing what more of them would do. */
    @Test
    void processorsThatAreAlwaysBusyNeedNoMoreConnections() throws Exception {
        SizeAdvice advice = advice(BUSY, Duration.ofSeconds(15), THREADS[THREADS.length - 1]);
        assertThat(advice.verdict()).as(advice.text()).isEqualTo(Verdict.UNKNOWN);
        assertThat(advice.connections()).isEqualTo(CONNECTIONS);
        assertThat(advice.text()).contains("do not add connections").contains("is unknown");
    }

    /** The pool's own advice, a minute after its begin. */
    @Test
    void theKneeThatTheControllerMeasuredIsNamed() throws Exception {
        try (FlexPoolDataSource pool = FlexPool.wrap(four())
                .name("adapting")
                .set("mode", PoolMode.ADAPT)
                .set("ceiling", 2 * CONNECTIONS)
                .build()) {
            long end = System.nanoTime() + Duration.ofSeconds(100).toNanos();
            load(
                    pool,
                    THRASHING,
                    THREADS[THREADS.length - 1],
                    () -> System.nanoTime() - end < 0
                            && pool.view(PoolAdvice.class).orElseThrow().status() != Status.READY);
            String decisions = pool.diagnosis().decisions().toString();
            SizeAdvice advice = Objects.requireNonNull(
                    pool.view(PoolAdvice.class).orElseThrow().size(), decisions);
            assertThat(advice.verdict()).as(advice.text() + decisions).isEqualTo(Verdict.DATABASE);
            assertThat(advice.connections()).isBetween(1, CONNECTIONS);
            assertThat(advice.text()).contains("The sizing controller measured that the database");
        }
    }

    /** The control: a database with room, for which the same threads do need more. */
    @Test
    void aDatabaseWithRoomNeedsMoreConnections() throws Exception {
        SizeAdvice advice = advice("select pg_sleep(0.010)", Duration.ofSeconds(3), THREADS);
        assertThat(advice.verdict()).isEqualTo(Verdict.MORE);
        assertThat(advice.connections()).isGreaterThan(CONNECTIONS);
    }
}
