// SPDX-License-Identifier: Apache-2.0
package io.flexpool.fleet.jdbc;

import io.flexpool.fleet.ConnectionBudget;
import io.flexpool.fleet.ConnectionBudgetProvider.Connections;
import io.flexpool.fleet.FleetLedger;
import io.flexpool.fleet.FleetLedger.Outcome;
import io.flexpool.fleet.FleetLedger.Row;
import io.flexpool.fleet.FleetLedger.State;
import io.flexpool.fleet.Grant;
import io.flexpool.fleet.Renewal;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A fleet in a table: a row for each member, and one without a name, whose lock puts the transactions one after the other and
 * in which it stands until when nothing grows. Each renewal is one short transaction on a connection that is closed
 * after it. Thread-safe.
 */
final class JdbcBudget implements ConnectionBudget {
    /** The name of the row that stands for the fleet. */
    private static final String FLEET = "";

    private static final int PATIENCE_SECONDS = 1;

    private final Dialect dialect;
    private final String fleet;
    private final boolean mayCreate;
    private final Connections connections;

    JdbcBudget(Dialect dialect, String fleet, boolean mayCreate, Connections connections) {
        this.dialect = dialect;
        this.fleet = fleet;
        this.mayCreate = mayCreate;
        this.connections = connections;
    }

    @Override
    public Grant renew(Renewal renewal) throws SQLException {
        try (Connection connection = connections.get()) {
            try {
                return renew(connection, renewal);
            } catch (SQLException refused) {
                if (!mayCreate || !dialect.missing.equals(refused.getSQLState())) {
                    throw refused;
                }
                create(connection);
                return renew(connection, renewal);
            }
        }
    }

    private void create(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute(dialect.create());
        }
    }

    private Grant renew(Connection connection, Renewal renewal) throws SQLException {
        boolean autoCommit = connection.getAutoCommit();
        connection.setAutoCommit(false);
        boolean done = false;
        try {
            try (Statement statement = connection.createStatement()) {
                statement.execute(dialect.begin);
            }
            Long calmUntil = lock(connection);
            Outcome outcome = read(connection, calmUntil, renewal);
            write(connection, outcome, calmUntil);
            connection.commit();
            done = true;
            return outcome.grant();
        } finally {
            try {
                if (!done) {
                    connection.rollback();
                }
            } finally {
                connection.setAutoCommit(autoCommit);
            }
        }
    }

    /** From here to the end of the transaction no other member renews. Null if there was no such fleet. */
    private @Nullable Long lock(Connection connection) throws SQLException {
        Long known = locked(connection);
        if (known != null) {
            return known;
        }
        try (PreparedStatement insert = connection.prepareStatement(dialect.insert)) {
            fill(insert, new Row(FLEET, 0, 0, 0, 0, 0, 0, 0));
            // None if another member was faster: then its calm holds.
            return insert.executeUpdate() == 1 ? null : locked(connection);
        }
    }

    private @Nullable Long locked(Connection connection) throws SQLException {
        String text = "SELECT renewals FROM flexpool_fleet WHERE fleet = ? AND member_name = ? FOR UPDATE";
        try (PreparedStatement select = connection.prepareStatement(text)) {
            select.setQueryTimeout(dialect == Dialect.POSTGRESQL ? 0 : PATIENCE_SECONDS);
            select.setString(1, fleet);
            select.setString(2, FLEET);
            try (ResultSet rows = select.executeQuery()) {
                return rows.next() ? (Long) rows.getLong(1) : null;
            }
        }
    }

    private Outcome read(Connection connection, @Nullable Long calmUntil, Renewal renewal) throws SQLException {
        String text = "SELECT member_name, granted, held, want, cap, reserve, renewals, renewed_ms, " + dialect.clock
                + " FROM flexpool_fleet WHERE fleet = ?";
        try (PreparedStatement select = connection.prepareStatement(text)) {
            select.setString(1, fleet);
            List<Row> members = new ArrayList<>();
            long now = 0;
            try (ResultSet rows = select.executeQuery()) {
                while (rows.next()) {
                    now = rows.getLong(9);
                    if (!Objects.equals(rows.getString(1), FLEET)) {
                        members.add(row(rows));
                    }
                }
            }
            return FleetLedger.renew(new State(calmUntil, members), now, renewal);
        }
    }

    private static Row row(ResultSet rows) throws SQLException {
        return new Row(
                rows.getString(1),
                rows.getInt(2),
                rows.getInt(3),
                rows.getInt(4),
                rows.getInt(5),
                rows.getInt(6),
                rows.getLong(7),
                rows.getLong(8));
    }

    private void write(Connection connection, Outcome outcome, @Nullable Long calmUntil) throws SQLException {
        if (calmUntil == null || calmUntil != outcome.calmUntilMillis()) {
            update(connection, new Row(FLEET, 0, 0, 0, 0, 0, outcome.calmUntilMillis(), 0));
        }
        if (update(connection, outcome.own()) == 0) {
            try (PreparedStatement insert = connection.prepareStatement(dialect.insert)) {
                fill(insert, outcome.own());
                insert.executeUpdate();
            }
        }
        for (String gone : outcome.forgotten()) {
            delete(connection, gone);
        }
    }

    private int update(Connection connection, Row row) throws SQLException {
        String text = "UPDATE flexpool_fleet SET granted = ?, held = ?, want = ?, cap = ?, reserve = ?, renewals = ?,"
                + " renewed_ms = ? WHERE fleet = ? AND member_name = ?";
        try (PreparedStatement update = connection.prepareStatement(text)) {
            figures(update, 1, row);
            update.setString(8, fleet);
            update.setString(9, row.member());
            return update.executeUpdate();
        }
    }

    private void fill(PreparedStatement insert, Row row) throws SQLException {
        insert.setString(1, fleet);
        insert.setString(2, row.member());
        figures(insert, 3, row);
    }

    private static void figures(PreparedStatement statement, int from, Row row) throws SQLException {
        statement.setInt(from, row.granted());
        statement.setInt(from + 1, row.held());
        statement.setInt(from + 2, row.want());
        statement.setInt(from + 3, row.cap());
        statement.setInt(from + 4, row.reserve());
        statement.setLong(from + 5, row.sequence());
        statement.setLong(from + 6, row.renewedMillis());
    }

    private void delete(Connection connection, String member) throws SQLException {
        String text = "DELETE FROM flexpool_fleet WHERE fleet = ? AND member_name = ?";
        try (PreparedStatement delete = connection.prepareStatement(text)) {
            delete.setString(1, fleet);
            delete.setString(2, member);
            delete.executeUpdate();
        }
    }

    @Override
    public void leave(String member) throws SQLException {
        try (Connection connection = connections.get()) {
            boolean autoCommit = connection.getAutoCommit();
            connection.setAutoCommit(true);
            try {
                delete(connection, member);
            } finally {
                connection.setAutoCommit(autoCommit);
            }
        }
    }

    @Override
    public void close() {
        // Each transaction closes its connection.
    }
}
