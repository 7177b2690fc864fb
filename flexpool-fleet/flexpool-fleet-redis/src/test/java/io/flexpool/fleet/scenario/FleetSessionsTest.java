// SPDX-License-Identifier: Apache-2.0
package io.flexpool.fleet.scenario;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.zaxxer.hikari.HikariDataSource;
import io.flexpool.FlexPool;
import io.flexpool.FlexPoolDataSource;
import io.flexpool.adapter.tck.database.PostgresServer;
import io.flexpool.fleet.FleetStatus;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.postgresql.ds.PGSimpleDataSource;
import redis.embedded.RedisServer;

/**
 * Counts the sessions that a real server has of a fleet whose pools are always exhausted. flexpool then also opens connections for
 * the server view and for the store, and these count too.
 */
@Tag("scenario")
@Timeout(600)
class FleetSessionsTest {
    private static final Duration PATIENCE = Duration.ofMinutes(2);
    private static final String APPLICATION = "fleet of orders";
    private static final int SAMPLES = 300;
    private static final long BETWEEN_MILLIS = 20;
    private static final int THREADS = 12;

    private final List<FlexPoolDataSource> pools = new ArrayList<>();
    private final AtomicInteger failed = new AtomicInteger();
    private volatile boolean over;
    private PostgresServer server;

    @BeforeEach
    void start() {
        assumeTrue(
                PostgresServer.unavailable().isEmpty(),
                () -> PostgresServer.unavailable().orElse(""));
        server = PostgresServer.start(Map.of("max_connections", "100"));
    }

    @AfterEach
    void stop() {
        over = true;
        pools.forEach(FlexPoolDataSource::close);
        if (server != null) {
            server.close();
        }
    }

    private PGSimpleDataSource source(String application) {
        PGSimpleDataSource source = new PGSimpleDataSource();
        source.setServerNames(new String[] {"127.0.0.1"});
        source.setPortNumbers(new int[] {server.port()});
        source.setDatabaseName(server.user());
        source.setUser(server.user());
        source.setPassword(server.password());
        source.setApplicationName(application);
        return source;
    }

    /** A pool that is always exhausted. */
    private void pool(Map<String, String> store, int number) {
        HikariDataSource hikari = new HikariDataSource();
        hikari.setDataSource(source(APPLICATION));
        hikari.setMaximumPoolSize(10);
        hikari.setMinimumIdle(0);
        hikari.setConnectionTimeout(300);
        hikari.setInitializationFailTimeout(-1);
        Map<String, String> keys = new HashMap<>(store);
        keys.putAll(Map.of(
                "flexpool.fleet.name", "orders",
                "flexpool.fleet.max", String.valueOf(number),
                "flexpool.fleet.instances-max", "4",
                "flexpool.base", "10"));
        FlexPoolDataSource pool = FlexPool.wrap(hikari)
                .name("orders-" + pools.size())
                .properties(keys)
                .build();
        pools.add(pool);
        for (int at = 0; at < THREADS; at++) {
            Thread thread = new Thread(() -> work(pool), "works " + at);
            thread.setDaemon(true);
            thread.start();
        }
    }

    private void work(FlexPoolDataSource pool) {
        while (!over) {
            try (Connection connection = pool.getConnection();
                    Statement statement = connection.createStatement()) {
                statement.execute("select pg_sleep(0.1 + random() * 0.4)");
            } catch (SQLException exhausted) {
                failed.incrementAndGet();
            }
        }
    }

    private static int sessions(PreparedStatement count) throws SQLException {
        try (ResultSet row = count.executeQuery()) {
            row.next();
            return row.getInt(1);
        }
    }

    private static int most(PreparedStatement count) throws Exception {
        int most = 0;
        for (int at = 0; at < SAMPLES; at++) {
            most = Math.max(most, sessions(count));
            Thread.sleep(BETWEEN_MILLIS);
        }
        return most;
    }

    private int granted() {
        return pools.stream()
                .mapToInt(pool -> pool.view(FleetStatus.class).orElseThrow().granted())
                .sum();
    }

    private void until(Callable<Boolean> reached) throws Exception {
        for (long begun = System.nanoTime(); !reached.call(); ) {
            assertThat(System.nanoTime() - begun)
                    .as(() -> ""
                            + pools.stream()
                                    .map(pool -> pool.view(FleetStatus.class))
                                    .toList())
                    .isLessThan(PATIENCE.toNanos());
            Thread.sleep(BETWEEN_MILLIS);
        }
    }

    private void neverAboveTheNumber(Map<String, String> store) throws Exception {
        try (Connection observer = source("observer").getConnection();
                PreparedStatement count =
                        observer.prepareStatement("select count(*) from pg_stat_activity where application_name = ?")) {
            count.setString(1, APPLICATION);
            for (int at = 0; at < 3; at++) {
                pool(store, 16);
            }
            // 15 without the reserve, and one is kept for the fourth member.
            until(() -> granted() == 14);
            assertThat(most(count)).isBetween(8, 16);
            // A lower number, as in a rolling update.
            pool(store, 12);
            until(() -> granted() == 11 && sessions(count) <= 12);
            assertThat(most(count)).isBetween(6, 12);
            // One that leaves a member a single connection: the server view's own must go.
            pool(store, 8);
            until(() -> granted() <= 7 && sessions(count) <= 8);
            assertThat(most(count)).isBetween(4, 8);
            assertThat(failed).hasPositiveValue();
        }
    }

    @Test
    void sessionsOfAFleetInPostgresql() throws Exception {
        neverAboveTheNumber(Map.of("flexpool.fleet", "postgresql", "flexpool.fleet.create-tables", "true"));
    }

    @Test
    void sessionsOfAFleetInRedis() throws Exception {
        int port;
        try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            port = free.getLocalPort();
        }
        RedisServer redis = redis(port);
        redis.start();
        try {
            neverAboveTheNumber(Map.of("flexpool.fleet", "redis", "flexpool.fleet.uri", "redis://127.0.0.1:" + port));
        } finally {
            over = true;
            pools.forEach(FlexPoolDataSource::close);
            redis.stop();
        }
    }

    private static RedisServer redis(int port) throws IOException {
        return RedisServer.newRedisServer()
                .port(port)
                .bind("127.0.0.1")
                .setting("save \"\"")
                .build();
    }
}
