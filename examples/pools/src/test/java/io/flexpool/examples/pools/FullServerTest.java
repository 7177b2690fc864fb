// SPDX-License-Identifier: Apache-2.0
package io.flexpool.examples.pools;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.mchange.v2.c3p0.ComboPooledDataSource;
import com.zaxxer.hikari.HikariDataSource;
import io.flexpool.FlexPool;
import io.flexpool.FlexPoolDataSource;
import io.flexpool.adapter.tck.database.PostgresServer;
import io.flexpool.adapter.tck.faults.Crowd;
import io.flexpool.event.PoolEvent;
import io.flexpool.event.PoolEvent.ResizeCause;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicBoolean;
import javax.sql.DataSource;
import org.apache.commons.dbcp2.BasicDataSource;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.postgresql.ds.PGSimpleDataSource;

/** A pool with base 8 and ceiling 40 for 30 threads, at a PostgreSQL that has 11 connections left: by pool. */
@Timeout(600)
class FullServerTest {
    private static final int BASE = 8;
    private static final int ROOM = 11;
    private static final int THREADS = 30;
    private static final int TIMEOUT_MILLIS = 400;
    private static final Duration PATIENCE = Duration.ofMinutes(4);

    private static PostgresServer server;

    /** A pool with the base's size and a short acquisition timeout. */
    enum Pool {
        HIKARICP {
            @Override
            DataSource of(PGSimpleDataSource driver) {
                HikariDataSource pool = new HikariDataSource();
                pool.setDataSource(driver);
                pool.setMaximumPoolSize(BASE);
                pool.setConnectionTimeout(TIMEOUT_MILLIS);
                pool.setValidationTimeout(TIMEOUT_MILLIS);
                return pool;
            }
        },
        C3P0 {
            @Override
            DataSource of(PGSimpleDataSource driver) {
                ComboPooledDataSource pool = new ComboPooledDataSource();
                pool.setJdbcUrl(driver.getURL());
                pool.setUser(driver.getUser());
                pool.setPassword(driver.getPassword());
                pool.setMaxPoolSize(BASE);
                pool.setCheckoutTimeout(TIMEOUT_MILLIS);
                return pool;
            }
        },
        TOMCAT {
            @Override
            DataSource of(PGSimpleDataSource driver) {
                org.apache.tomcat.jdbc.pool.DataSource pool = new org.apache.tomcat.jdbc.pool.DataSource();
                pool.setDataSource(driver);
                pool.setMaxActive(BASE);
                pool.setMaxIdle(BASE);
                pool.setInitialSize(0);
                pool.setMaxWait(TIMEOUT_MILLIS);
                return pool;
            }
        },
        DBCP2 {
            @Override
            DataSource of(PGSimpleDataSource driver) {
                BasicDataSource pool = new BasicDataSource();
                pool.setUrl(driver.getURL());
                pool.setUsername(driver.getUser());
                pool.setPassword(driver.getPassword());
                pool.setMaxTotal(BASE);
                pool.setMaxIdle(BASE);
                pool.setMaxWait(Duration.ofMillis(TIMEOUT_MILLIS));
                return pool;
            }
        };

        abstract DataSource of(PGSimpleDataSource driver) throws SQLException;
    }

    @BeforeAll
    static void start() {
        assumeTrue(
                PostgresServer.unavailable().isEmpty(),
                () -> PostgresServer.unavailable().orElse(""));
        server = PostgresServer.start(Map.of("max_connections", "60"));
    }

    @AfterAll
    static void stop() {
        if (server != null) {
            server.close();
        }
    }

    private static int sessions() {
        try (Connection connection = server.dataSource().getConnection();
                Statement statement = connection.createStatement();
                ResultSet row =
                        statement.executeQuery("select count(*) from pg_stat_activity where usename = current_user")) {
            row.next();
            return row.getInt(1);
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    /** All connections that the server grants, but those that the pool may have. */
    private static List<Connection> others() throws SQLException, InterruptedException {
        List<Connection> others = new ArrayList<>();
        assertThat(Crowd.eventually(PATIENCE, () -> sessions() == 1))
                .as("the sessions of the last pool have ended")
                .isTrue();
        try {
            while (true) {
                others.add(server.dataSource().getConnection());
            }
        } catch (SQLException full) {
            assertThat(full.getSQLState()).isEqualTo("53300");
        }
        for (int left = 0; left < ROOM; left++) {
            others.remove(others.size() - 1).close();
        }
        return others;
    }

    /**
     * Was, with each pool: 11 to 30 and back every five seconds, because a request always waits, with a failed connect
     * for each of them.
     */
    @ParameterizedTest
    @EnumSource
    void theLimitDoesNotSwingAndGrowsWhenTheServerHasConnectionsAgain(Pool kind) throws Exception {
        List<Connection> others = others();
        List<PoolEvent.Resized> moves = new CopyOnWriteArrayList<>();
        AtomicBoolean ended = new AtomicBoolean();
        ExecutorService threads = Executors.newFixedThreadPool(THREADS);
        try (FlexPoolDataSource pool = FlexPool.wrap(kind.of((PGSimpleDataSource) server.dataSource()))
                .set("base", BASE)
                .set("ceiling", 40)
                .set("grow-on-wait.enabled", true)
                .listener(event -> {
                    if (event instanceof PoolEvent.Resized moved) {
                        moves.add(moved);
                    }
                })
                .build()) {
            for (int thread = 0; thread < THREADS; thread++) {
                threads.execute(() -> work(pool, ended));
            }
            assertThat(Crowd.eventually(PATIENCE, () -> probes(moves) > 0))
                    .as("a step above what the server grants, after a refused one: %s", moves)
                    .isTrue();
            assertThat(afterRefusal(moves))
                    .as("steps after the first refusal")
                    .allSatisfy(to -> assertThat(to).isLessThan(2 * ROOM));
            for (Connection other : others) {
                other.close();
            }
            assertThat(Crowd.eventually(PATIENCE, () -> pool.state().limit() >= 2 * ROOM))
                    .as("the limit follows when the server has room again: %s", moves)
                    .isTrue();
        } finally {
            ended.set(true);
            threads.shutdownNow();
            for (Connection other : others) {
                other.close();
            }
        }
    }

    private static void work(DataSource pool, AtomicBoolean ended) {
        while (!ended.get()) {
            try (Connection connection = pool.getConnection();
                    Statement statement = connection.createStatement()) {
                statement.execute("select pg_sleep(0.1)");
            } catch (SQLException refused) {
                // More requests than connections.
            }
        }
    }

    /** The limits that growth tried after the first refusal. */
    private static List<Integer> afterRefusal(List<PoolEvent.Resized> moves) {
        return moves.stream()
                .dropWhile(moved -> moved.cause() != ResizeCause.CONNECT_FAILURE)
                .filter(moved -> moved.cause() == ResizeCause.DEMAND)
                .map(PoolEvent.Resized::to)
                .toList();
    }

    private static long probes(List<PoolEvent.Resized> moves) {
        return afterRefusal(moves).stream().filter(to -> to > ROOM).count();
    }
}
