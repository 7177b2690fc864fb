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
import io.flexpool.fleet.engine.WrongDatabaseException;
import io.flexpool.spi.Texts;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A fleet in a table: a row for each member, and a row without a name for the fleet. The lock of the fleet's row
 * serializes the transactions. The row has the time until which no grant grows. Each renewal is one short transaction
 * on a connection that is closed afterwards. Thread-safe.
 */
final class JdbcBudget implements ConnectionBudget {
    /** The name of the fleet's row. */
    private static final String FLEET = "";

    private static final int PATIENCE_SECONDS = 1;
    /** Products whose kind is certain. */
    private static final Pattern KNOWN =
            Pattern.compile("H2|HSQL|Derby|SQLite|Oracle|Microsoft SQL|DB2|Informix|PostgreSQL|MySQL|MariaDB");
    /** The SQLStates of functions that are missing, not supported or not permitted. */
    private static final Set<String> UNIDENTIFIED = Set.of("42883", "0A000", "42501");

    private final Dialect dialect;
    private final String fleet;
    private final boolean mayCreate;
    private final Connections connections;
    /** Whether the server's identity can be read; some servers with PostgreSQL's protocol do not have it. */
    private volatile boolean identified = true;

    /**
     * The fleet's row.
     *
     * @param calmUntil the time until which no grant grows; null without a row
     * @param server the server that has written the row
     * @param now the current server
     */
    private record Fleet(@Nullable Long calmUntil, String server, String now) {}

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
                if (mayCreate && dialect.missing.equals(refused.getSQLState())) {
                    create(connection);
                } else if (identified && UNIDENTIFIED.contains(refused.getSQLState())) {
                    identified = false;
                } else {
                    throw explained(connection, refused);
                }
                return renew(connection, renewal);
            }
        }
    }

    /** Names the database if it is of another kind. An unknown product may have a compatible protocol. */
    private SQLException explained(Connection connection, SQLException refused) {
        try {
            String product = connection.getMetaData().getDatabaseProductName();
            boolean other = KNOWN.matcher(product).find()
                    && !dialect.products.matcher(product).find();
            return other ? new WrongDatabaseException(Texts.line(product, 40), Texts.word(dialect), refused) : refused;
        } catch (SQLException broken) {
            return refused;
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
            Fleet known = lock(connection);
            Outcome outcome = read(connection, known, renewal);
            write(connection, outcome, known);
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

    private String ofOne() {
        return dialect.ofFleet + " AND " + dialect.ofMember;
    }

    /** Locks the fleet's row: until the end of the transaction no other member renews. */
    private Fleet lock(Connection connection) throws SQLException {
        Fleet known = locked(connection);
        if (known != null) {
            return known;
        }
        // No row is inserted if another member was faster: then that member's time counts.
        boolean first = insert(connection, new Row(FLEET, 0, 0, 0, 0, 0, 0, 0)) == 1;
        Fleet now = Objects.requireNonNull(locked(connection), "the fleet's row");
        return first ? new Fleet(null, "", now.now()) : now;
    }

    private @Nullable Fleet locked(Connection connection) throws SQLException {
        String text = "SELECT renewals, server, " + (identified ? dialect.server : "''") + " FROM flexpool_fleet WHERE "
                + ofOne() + " FOR UPDATE";
        try (PreparedStatement select = connection.prepareStatement(text)) {
            select.setQueryTimeout(dialect == Dialect.POSTGRESQL ? 0 : PATIENCE_SECONDS);
            select.setString(1, fleet);
            select.setString(2, FLEET);
            try (ResultSet rows = select.executeQuery()) {
                return rows.next() ? new Fleet(rows.getLong(1), rows.getString(2), rows.getString(3)) : null;
            }
        }
    }

    private Outcome read(Connection connection, Fleet known, Renewal renewal) throws SQLException {
        String text = "SELECT member_name, granted, held, want, cap, reserve, renewals, renewed_ms, " + dialect.clock
                + " FROM flexpool_fleet WHERE " + dialect.ofFleet;
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
            State before = new State(known.calmUntil(), known.server(), members);
            return FleetLedger.renew(before, known.now(), now, renewal);
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

    private void write(Connection connection, Outcome outcome, Fleet known) throws SQLException {
        String server = known.now().isEmpty() ? known.server() : known.now();
        if (!Objects.equals(known.calmUntil(), outcome.calmUntilMillis())
                || !known.server().equals(server)) {
            update(connection, outcome.calmUntilMillis(), server);
        }
        if (update(connection, outcome.own()) == 0) {
            insert(connection, outcome.own());
        }
        for (Row row : outcome.corrected()) {
            update(connection, row);
        }
        delete(connection, outcome.forgotten());
    }

    private void update(Connection connection, long calmUntil, String server) throws SQLException {
        String text = "UPDATE flexpool_fleet SET renewals = ?, server = ? WHERE " + ofOne();
        try (PreparedStatement update = connection.prepareStatement(text)) {
            update.setLong(1, calmUntil);
            update.setString(2, server);
            update.setString(3, fleet);
            update.setString(4, FLEET);
            update.executeUpdate();
        }
    }

    private int update(Connection connection, Row row) throws SQLException {
        String text = "UPDATE flexpool_fleet SET granted = ?, held = ?, want = ?, cap = ?, reserve = ?, renewals = ?,"
                + " renewed_ms = ? WHERE " + ofOne();
        try (PreparedStatement update = connection.prepareStatement(text)) {
            figures(update, 1, row);
            update.setString(8, fleet);
            update.setString(9, row.member());
            return update.executeUpdate();
        }
    }

    private int insert(Connection connection, Row row) throws SQLException {
        try (PreparedStatement insert = connection.prepareStatement(dialect.insert)) {
            insert.setString(1, fleet);
            insert.setString(2, row.member());
            figures(insert, 3, row);
            insert.setString(10, "");
            return insert.executeUpdate();
        }
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

    private void delete(Connection connection, List<String> members) throws SQLException {
        if (members.isEmpty()) {
            return;
        }
        String text = "DELETE FROM flexpool_fleet WHERE " + ofOne();
        try (PreparedStatement delete = connection.prepareStatement(text)) {
            delete.setString(1, fleet);
            for (String member : members) {
                delete.setString(2, member);
                delete.addBatch();
            }
            delete.executeBatch();
        }
    }

    @Override
    public void leave(String member) throws SQLException {
        try (Connection connection = connections.get()) {
            boolean autoCommit = connection.getAutoCommit();
            connection.setAutoCommit(true);
            try {
                delete(connection, List.of(member));
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
