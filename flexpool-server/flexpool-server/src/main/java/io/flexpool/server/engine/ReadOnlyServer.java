// SPDX-License-Identifier: Apache-2.0
package io.flexpool.server.engine;

import io.flexpool.adapter.AcquisitionFailure;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Whether a server refuses writes, and not only a transaction or a session that does because the application said so.
 * One question for each kind of server.
 */
final class ReadOnlyServer {
    /** "Read-only SQL transaction", of the standard. */
    private static final String READ_ONLY = "25006";
    /** MySQL and MariaDB: an option such as read_only prevents it, a read-only transaction, read-only mode. */
    private static final Set<Integer> MYSQL = Set.of(1290, 1792, 1836);

    /** How long a server may take for its answer. */
    private static final int PATIENCE_MILLIS = 2_000;

    /** In recovery as a standby is, or read-only by its configuration; not because the session was set so. */
    private static final String POSTGRESQL =
            "SELECT pg_catalog.pg_is_in_recovery() OR EXISTS (SELECT 1 FROM pg_catalog.pg_settings"
                    + " WHERE name = 'default_transaction_read_only' AND setting = 'on' AND source <> 'session')";

    private static final String MYSQL_OR_MARIADB = "SELECT @@global.read_only OR @@global.innodb_read_only";

    private ReadOnlyServer() {}

    /** Whether a failure looks as if the server refused a write: only a reason to ask it. */
    static boolean mayBeTheReasonOf(SQLException thrown) {
        for (Throwable at : AcquisitionFailure.chain(thrown)) {
            if (at instanceof SQLException sql
                    && (READ_ONLY.equals(sql.getSQLState()) || MYSQL.contains(sql.getErrorCode()))) {
                return true;
            }
        }
        return false;
    }

    /**
     * Asks the server behind a connection. A transaction that is open there is rolled back, so the connection must be one
     * that nothing uses any more.
     *
     * @return null if it is of a kind that flexpool cannot ask
     * @throws SQLException if it does not answer
     */
    static @Nullable Boolean refusesWrites(Connection connection) throws SQLException {
        String question = question(connection.getMetaData().getDatabaseProductName());
        if (question == null) {
            return null;
        }
        int before = patience(connection, PATIENCE_MILLIS);
        try {
            return connection.getAutoCommit() ? ask(connection, question) : askInATransaction(connection, question);
        } finally {
            if (before >= 0) {
                patience(connection, before);
            }
        }
    }

    private static @Nullable String question(@Nullable String product) {
        String name = product == null ? "" : product.toLowerCase(Locale.ROOT);
        if (name.contains("postgresql")) {
            return POSTGRESQL;
        }
        return name.contains("mysql") || name.contains("mariadb") ? MYSQL_OR_MARIADB : null;
    }

    /** A transaction that a refused write has ended answers nothing before it is rolled back. */
    private static boolean askInATransaction(Connection connection, String question) throws SQLException {
        connection.rollback();
        try {
            return ask(connection, question);
        } finally {
            connection.rollback();
        }
    }

    private static boolean ask(Connection connection, String question) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet answer = statement.executeQuery(question)) {
            return answer.next() && answer.getBoolean(1);
        }
    }

    /** Sets the network timeout, and returns the one before; negative if the driver has none. */
    private static int patience(Connection connection, int millis) {
        try {
            int before = connection.getNetworkTimeout();
            connection.setNetworkTimeout(Runnable::run, millis);
            return before;
        } catch (SQLException | RuntimeException | AbstractMethodError none) {
            return -1;
        }
    }
}
