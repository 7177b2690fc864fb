// SPDX-License-Identifier: Apache-2.0
package io.flexpool.examples.plainjdbc;

import io.flexpool.adapter.tck.database.PostgresServer;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Optional;
import javax.sql.DataSource;

/** A real PostgreSQL on this machine, over TCP with SCRAM-SHA-256. */
final class PostgresDatabase implements DemoDatabase {
    private final PostgresServer server = PostgresServer.start();
    private final String version = version();

    /** Why PostgreSQL cannot run here, if so. */
    static Optional<String> unavailable() {
        return PostgresServer.unavailable();
    }

    private String version() {
        try (Connection connection = server.dataSource().getConnection()) {
            return connection.getMetaData().getDatabaseProductVersion();
        } catch (SQLException e) {
            server.close();
            throw new IllegalStateException("PostgreSQL does not answer", e);
        }
    }

    @Override
    public String description() {
        return "PostgreSQL " + version + ", over TCP with SCRAM-SHA-256: " + jdbcUrl();
    }

    @Override
    public String jdbcUrl() {
        return server.jdbcUrl();
    }

    @Override
    public String user() {
        return server.user();
    }

    @Override
    public String password() {
        return server.password();
    }

    @Override
    public DataSource unpooled() {
        return server.dataSource();
    }

    @Override
    public String slowQuery(int millis) {
        return "select pg_sleep(" + millis / 1_000.0 + ")";
    }

    @Override
    public boolean hasServerView() {
        return true;
    }

    @Override
    public int sessions() throws SQLException {
        return sessions("");
    }

    @Override
    public int sessionsOfPools() throws SQLException {
        // Its last statement identifies flexpool's session: it has the same application name as the pool's.
        return sessions(" and query not like '%pg_blocking_pids%'");
    }

    private int sessions(String only) throws SQLException {
        try (Connection connection = unpooled().getConnection();
                Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery("select count(*) from pg_stat_activity"
                        + " where datname = current_database() and pid <> pg_backend_pid()" + only)) {
            rows.next();
            return rows.getInt(1);
        }
    }

    @Override
    public void stop() {
        server.stop();
    }

    @Override
    public void startAgain() {
        server.startAgain();
    }

    @Override
    public void close() {
        server.close();
    }
}
