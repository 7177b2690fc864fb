// SPDX-License-Identifier: Apache-2.0
package io.flexpool.server.postgresql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.flexpool.FlexPool;
import io.flexpool.FlexPoolDataSource;
import io.flexpool.adapter.tck.PostgresServer;
import io.flexpool.advice.AdviceRequest;
import io.flexpool.advice.AdvisorProvider;
import io.flexpool.advice.PoolAdvisor;
import io.flexpool.advice.SizeAdvice;
import io.flexpool.advice.SizeAdvice.Verdict;
import io.flexpool.advisor.LiveAdvisorProvider;
import io.flexpool.diagnostics.OpenLease;
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
@Timeout(120)
class AdviceOnPostgresTest {
    private static final int CONNECTIONS = 4;
    private static final int[] THREADS = {1, 2, 3, 4, 12};

    private static PostgresServer server;
    private static @Nullable PoolAdvisor advisor;

    /** Found before the module's own provider, which it asks: a test does not wait for a minute until the pool does. */
    public static final class Provider implements AdvisorProvider {
        /** For the service loader. */
        public Provider() {}

        @Override
        public PoolAdvisor advisor(String pool) {
            PoolAdvisor made = new LiveAdvisorProvider().advisor(pool);
            advisor = made;
            return made;
        }
    }

    private record Request(long nowNanos, List<OpenLease> openLeases) implements AdviceRequest {
        @Override
        public int current() {
            return CONNECTIONS;
        }

        @Override
        public Duration waitTarget() {
            return Duration.ofMillis(5);
        }

        @Override
        public Duration timeout() {
            return Duration.ofSeconds(20);
        }

        @Override
        public OptionalInt knee() {
            return OptionalInt.empty();
        }

        @Override
        public Duration connectP99() {
            return Duration.ZERO;
        }
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

    /** With one thread after the other at work, each phase for so long. */
    private static SizeAdvice advice(String statement, Duration phase) throws Exception {
        HikariConfig config = new HikariConfig();
        config.setDataSource(server.superuser());
        config.setMaximumPoolSize(CONNECTIONS);
        ExecutorService workers = Executors.newFixedThreadPool(THREADS[THREADS.length - 1]);
        try (FlexPoolDataSource pool =
                FlexPool.wrap(new HikariDataSource(config)).name("busy").build()) {
            for (int threads : THREADS) {
                long end = System.nanoTime() + phase.toNanos();
                List<Future<?>> all = new ArrayList<>();
                for (int at = 0; at < threads; at++) {
                    all.add(workers.submit(() -> {
                        while (System.nanoTime() - end < 0) {
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
            }
            // Two ticks, so that all of it has been passed on.
            TimeUnit.MILLISECONDS.sleep(600);
            SizeAdvice advice =
                    Objects.requireNonNull(advisor).advise(new Request(System.nanoTime(), pool.openLeases()));
            return Objects.requireNonNull(advice);
        } finally {
            workers.shutdownNow();
        }
    }

    /** All wait for one lock, as for the row of a counter: leases take longer by what the others add. */
    @Test
    void connectionsThatWaitForOneLockNeedNoMoreOfThem() throws Exception {
        SizeAdvice advice =
                advice("begin; select pg_advisory_xact_lock(7); select pg_sleep(0.004); commit", Duration.ofSeconds(3));
        assertThat(advice.verdict()).isEqualTo(Verdict.DATABASE);
        assertThat(advice.connections()).isEqualTo(CONNECTIONS);
        assertThat(advice.text()).contains("do not add connections").contains("is unknown");
    }

    /** The control: a database with room, for which the same threads do need more. */
    @Test
    void aDatabaseWithRoomNeedsMoreConnections() throws Exception {
        SizeAdvice advice = advice("select pg_sleep(0.010)", Duration.ofSeconds(3));
        assertThat(advice.verdict()).isEqualTo(Verdict.MORE);
        assertThat(advice.connections()).isGreaterThan(CONNECTIONS);
    }
}
