// SPDX-License-Identifier: Apache-2.0
package io.flexpool.fleet.scenario;

import io.flexpool.adapter.tck.database.PostgresServer;
import io.flexpool.fleet.jdbc.JdbcBudgetProvider;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Objects;

/**
 * The table in the database. It is stopped by another name: each renewal fails, while the database serves on, which is harder than
 * a database that is down for all.
 */
final class PostgresStore implements Store {
    private final PostgresServer server;

    PostgresStore(PostgresServer server) {
        this.server = server;
    }

    @Override
    public void reset() throws SQLException, IOException {
        run("drop table if exists flexpool_fleet");
        run("drop table if exists flexpool_away");
        run(script());
        run("grant select, insert, update, delete on flexpool_fleet to " + server.user());
    }

    /** The migration script as a user runs it. */
    private static String script() throws IOException {
        try (InputStream script = JdbcBudgetProvider.class.getResourceAsStream("postgresql.sql")) {
            return new String(Objects.requireNonNull(script, "script").readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    @Override
    public void stop() throws SQLException {
        run("alter table flexpool_fleet rename to flexpool_away");
    }

    @Override
    public void startAgain() throws SQLException {
        run("alter table flexpool_away rename to flexpool_fleet");
    }

    @Override
    public void empty() throws SQLException {
        run("delete from flexpool_fleet");
    }

    private void run(String statement) throws SQLException {
        try (Connection connection = server.superuser().getConnection();
                Statement run = connection.createStatement()) {
            run.execute(statement);
        }
    }
}
