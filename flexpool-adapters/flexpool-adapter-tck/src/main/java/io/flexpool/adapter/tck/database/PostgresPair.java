// SPDX-License-Identifier: Apache-2.0
package io.flexpool.adapter.tck.database;

import java.io.IOException;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import javax.sql.DataSource;
import org.postgresql.ds.PGSimpleDataSource;

/**
 * Two PostgreSQL servers on this machine, a primary and its streaming standby, behind one address that leads to the
 * writer. A failover promotes the standby, moves the address, and makes the old primary refuse writes. Open connections
 * stay with the old primary, as after a change of a DNS entry. Always embedded. Thread-safe.
 */
public final class PostgresPair implements AutoCloseable {
    private static final Duration PATIENCE = Duration.ofMinutes(3);

    private final PostgresServer first;
    private final PostgresServer second;
    private final TcpProxy address;

    private PostgresPair(PostgresServer first, PostgresServer second) {
        this.first = first;
        this.second = second;
        this.address = TcpProxy.to(first.port());
    }

    /**
     * Starts both servers.
     *
     * @return the pair, with streaming replication
     * @throws IllegalStateException if a server cannot be started
     */
    public static PostgresPair start() {
        String password = PostgresServer.randomPassword();
        try {
            EmbeddedPostgresEngine primary = new EmbeddedPostgresEngine(Map.of());
            PostgresServer first = null;
            try {
                primary.create(PostgresServer.USER, password);
                primary.stop();
                EmbeddedPostgresEngine standby = EmbeddedPostgresEngine.standbyOf(primary);
                primary.startAgain();
                first = PostgresServer.of(primary, password);
                standby.startAgain();
                return new PostgresPair(first, PostgresServer.of(standby, password));
            } catch (IOException | SQLException | RuntimeException | Error failed) {
                if (first == null) {
                    primary.delete();
                } else {
                    first.close();
                }
                throw failed;
            }
        } catch (IOException | SQLException failed) {
            throw new IllegalStateException("no pair of servers: " + failed.getMessage(), failed);
        }
    }

    /**
     * A data source of connections to the current writer.
     *
     * @param application the application name of their sessions
     * @return an unpooled data source of the driver
     */
    public DataSource writer(String application) {
        PGSimpleDataSource driver = new PGSimpleDataSource();
        driver.setServerNames(new String[] {"127.0.0.1"});
        driver.setPortNumbers(new int[] {address.port()});
        driver.setDatabaseName(first.user());
        driver.setUser(first.user());
        driver.setPassword(first.password());
        driver.setApplicationName(application);
        return driver;
    }

    /**
     * Waits until the standby has all data of the primary, and makes it the writer. Returns when the old primary
     * refuses writes.
     *
     * @throws SQLException if a server refuses
     * @throws InterruptedException if the thread is interrupted while it waits
     * @throws IllegalStateException if the standby does not follow
     */
    public void failOver() throws SQLException, InterruptedException {
        String here = text(first, "select pg_current_wal_lsn()");
        long end = System.nanoTime() + PATIENCE.toNanos();
        while (!follows(here)) {
            if (System.nanoTime() - end > 0) {
                throw new IllegalStateException("the standby does not stream from the primary");
            }
            TimeUnit.MILLISECONDS.sleep(2);
        }
        text(second, "select pg_promote()");
        address.leadTo(second.port());
        text(first, "alter system set default_transaction_read_only = on");
        text(first, "select pg_reload_conf()");
    }

    private boolean follows(String position) {
        try {
            return "t".equals(text(second, "select pg_last_wal_replay_lsn() >= '" + position + "'"));
        } catch (SQLException notYet) {
            return false;
        }
    }

    /**
     * The number of an application's sessions on the first writer.
     *
     * @param application as for {@link #writer(String)}
     * @return never negative
     * @throws SQLException if the query fails
     */
    public int sessionsOfTheFirst(String application) throws SQLException {
        return Integer.parseInt(
                text(first, "select count(*) from pg_stat_activity where application_name = '" + application + "'"));
    }

    /** Runs a query as the superuser. Returns an empty text without a row. */
    private static String text(PostgresServer server, String sql) throws SQLException {
        try (Connection connection = server.superuser().getConnection();
                Statement statement = connection.createStatement()) {
            if (!statement.execute(sql)) {
                return "";
            }
            try (ResultSet answer = statement.getResultSet()) {
                return answer.next() ? String.valueOf(answer.getString(1)) : "";
            }
        }
    }

    /** Stops both servers and deletes their data. */
    @Override
    public void close() {
        address.close();
        try {
            second.close();
        } finally {
            first.close();
        }
    }
}
