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
 * Checks whether a server refuses writes, as distinct from a transaction or session that the application has set
 * read-only. One query for each kind of server.
 */
final class ReadOnlyServer {
    /** The standard's SQLState for a read-only transaction. */
    private static final String READ_ONLY = "25006";
    /** Error codes of MySQL and MariaDB: an option such as read_only, a read-only transaction, read-only mode. */
    private static final Set<Integer> MYSQL = Set.of(1290, 1792, 1836);

    /** The time limit of the query. */
    private static final int TIMEOUT_MILLIS = 2_000;

    /**
     * True on a standby, which is in recovery, and if the configuration makes transactions read-only; not if only the
     * session does.
     */
    private static final String POSTGRESQL =
            "SELECT pg_catalog.pg_is_in_recovery() OR EXISTS (SELECT 1 FROM pg_catalog.pg_settings"
                    + " WHERE name = 'default_transaction_read_only' AND setting = 'on' AND source <> 'session')";

    private static final String MYSQL_OR_MARIADB = "SELECT @@global.read_only OR @@global.innodb_read_only";

    private ReadOnlyServer() {}

    /** Whether the failure may come from a server that refuses writes: a reason to query the server. */
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
     * Queries the server behind a connection, and rolls back its open transaction. So the application must have ended
     * its use of the connection.
     *
     * @return null for a kind of server that flexpool cannot query
     * @throws SQLException if the query fails or takes too long
     */
    static @Nullable Boolean refusesWrites(Connection connection) throws SQLException {
        String sql = sql(connection.getMetaData().getDatabaseProductName());
        if (sql == null) {
            return null;
        }
        int before = setTimeout(connection, TIMEOUT_MILLIS);
        try {
            return connection.getAutoCommit() ? read(connection, sql) : readInTransaction(connection, sql);
        } finally {
            if (before >= 0) {
                setTimeout(connection, before);
            }
        }
    }

    private static @Nullable String sql(@Nullable String product) {
        String name = product == null ? "" : product.toLowerCase(Locale.ROOT);
        if (name.contains("postgresql")) {
            return POSTGRESQL;
        }
        return name.contains("mysql") || name.contains("mariadb") ? MYSQL_OR_MARIADB : null;
    }

    /** Rolls back first: a transaction that a refused write has aborted accepts no query. */
    private static boolean readInTransaction(Connection connection, String sql) throws SQLException {
        connection.rollback();
        try {
            return read(connection, sql);
        } finally {
            connection.rollback();
        }
    }

    private static boolean read(Connection connection, String sql) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(sql)) {
            return row.next() && row.getBoolean(1);
        }
    }

    /** Sets the network timeout and returns the previous value; negative if the driver does not support it. */
    private static int setTimeout(Connection connection, int millis) {
        try {
            int before = connection.getNetworkTimeout();
            connection.setNetworkTimeout(Runnable::run, millis);
            return before;
        } catch (SQLException | RuntimeException | AbstractMethodError none) {
            return -1;
        }
    }
}
