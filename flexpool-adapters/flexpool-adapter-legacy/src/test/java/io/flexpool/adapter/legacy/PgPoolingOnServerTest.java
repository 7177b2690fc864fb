// SPDX-License-Identifier: Apache-2.0
package io.flexpool.adapter.legacy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.flexpool.FlexPool;
import io.flexpool.FlexPoolDataSource;
import io.flexpool.adapter.PoolAdapter;
import io.flexpool.adapter.tck.database.PostgresServer;
import io.flexpool.pool.AcquisitionOutcome;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.postgresql.ds.PGPoolingDataSource;

/** What the contract cannot see on its stub: the driver's own connections. */
@SuppressWarnings("deprecation") // PostgreSQL has deprecated its pool
class PgPoolingOnServerTest {
    private static PostgresServer server;

    @BeforeAll
    static void start() {
        assumeTrue(
                PostgresServer.unavailable().isEmpty(),
                () -> PostgresServer.unavailable().orElse(""));
        server = PostgresServer.start();
    }

    @AfterAll
    static void stop() {
        if (server != null) {
            server.close();
        }
    }

    private static PGPoolingDataSource pool(String name) {
        PGPoolingDataSource pool = new PGPoolingDataSource();
        pool.setDataSourceName(name);
        pool.setServerNames(new String[] {"127.0.0.1"});
        pool.setPortNumbers(new int[] {server.port()});
        pool.setDatabaseName(server.user());
        pool.setUser(server.user());
        pool.setPassword(server.password());
        pool.setMaxConnections(1);
        return pool;
    }

    private static FlexPoolDataSource wrap(PGPoolingDataSource pool) {
        return FlexPool.wrap(pool)
                .name("on server")
                .set("base", 1)
                .set("acquisition-timeout", Duration.ofSeconds(5))
                .build();
    }

    private static void endTheSession(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            assertThatThrownBy(() -> statement.execute("select pg_terminate_backend(pg_backend_pid())"))
                    .isInstanceOf(SQLException.class);
        }
    }

    @Test
    void aConnectionThatDiesDuringItsLeaseCostsNoPlace() throws Exception {
        try (FlexPoolDataSource pool = wrap(pool("dies"))) {
            for (int round = 0; round < 3; round++) {
                try (Connection connection = pool.getConnection()) {
                    endTheSession(connection);
                }
            }
            try (Connection connection = pool.getConnection()) {
                assertThat(connection.isValid(1)).isTrue();
            }
            assertThat(pool.statistics()
                            .total()
                            .acquisition(AcquisitionOutcome.OK)
                            .count())
                    .isEqualTo(4);
        }
    }

    @Test
    void aConnectionWhoseUnwrapFailedIsDroppedAndLeftOpen() throws Exception {
        try (FlexPoolDataSource pool = wrap(pool("unwrap"));
                Connection past = server.dataSource().getConnection();
                Statement statement = past.createStatement()) {
            try (Connection connection = pool.getConnection()) {
                connection.setClientInfo("ApplicationName", "left open");
                assertThatThrownBy(() -> connection.unwrap(Comparable.class)).isInstanceOf(SQLException.class);
            }
            pool.getConnection().close();
            try (ResultSet rows = statement.executeQuery(
                    "select count(*) from pg_stat_activity where application_name = 'left open'")) {
                rows.next();
                assertThat(rows.getInt(1)).isOne();
            }
        }
    }

    @Test
    void anAbortedConnectionIsNoClosedPool() throws Exception {
        try (FlexPoolDataSource pool = wrap(pool("aborted"))) {
            pool.getConnection().abort(Runnable::run);
            assertThatThrownBy(pool::getConnection)
                    .isInstanceOfSatisfying(
                            SQLException.class,
                            thrown -> assertThat(thrown.getSQLState()).isEqualTo("08003"));
            assertThat(pool.statistics()
                            .total()
                            .acquisition(AcquisitionOutcome.REJECTED)
                            .count())
                    .isZero();
            try (Connection connection = pool.getConnection()) {
                assertThat(connection.isValid(1)).isTrue();
            }
        }
    }

    @Test
    void onceClosedTheNameIsFreeAndNoPoolIsOpened() throws Exception {
        PGPoolingDataSource raw = pool("closed");
        FlexPoolDataSource pool = wrap(raw);
        pool.getConnection().close();
        pool.close();
        assertThat(PGPoolingDataSource.getDataSource("closed")).isNull();
        assertThatThrownBy(raw::getConnection)
                .isInstanceOfSatisfying(
                        SQLException.class,
                        thrown -> assertThat(thrown.getSQLState()).isEqualTo("08003"));
    }

    /** Its close throws then, after all is closed; it would prevent the closes after it. */
    @Test
    void aPoolWithoutANameIsClosedWithoutAnError() throws Exception {
        PGPoolingDataSource raw = new PGPoolingDataSource();
        PoolAdapter adapter = new LegacyAdapterProvider().adapt(raw).orElseThrow();
        adapter.close();
        assertThat(adapter.isClosed()).isTrue();
        assertThatThrownBy(raw::close).isInstanceOfAny(NullPointerException.class, AssertionError.class);
    }
}
