// SPDX-License-Identifier: Apache-2.0
package io.flexpool.session;

import java.net.SocketTimeoutException;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLFeatureNotSupportedException;
import java.sql.SQLTimeoutException;
import java.sql.Statement;

/**
 * The time limit of flexpool's own queries on one connection: each response must arrive within it. A driver closes the
 * connection when its network timeout expires, so the limit is far above the time of a server under load. For one
 * thread.
 */
final class QueryLimit implements AutoCloseable {
    private static final int MOST_MILLIS = 5_000;

    private final Connection connection;
    /** The connection's network timeout before the queries; negative if unknown. */
    private final int before;

    /**
     * Sets the connection's network timeout, unless it is shorter already.
     *
     * @throws SQLException if the connection fails
     */
    QueryLimit(Connection connection) throws SQLException {
        this.connection = connection;
        int own;
        try {
            own = connection.getNetworkTimeout();
            if (isLonger(own)) {
                connection.setNetworkTimeout(Runnable::run, MOST_MILLIS);
            }
        } catch (SQLFeatureNotSupportedException | UnsupportedOperationException none) {
            own = -1;
        }
        this.before = own;
    }

    private static boolean isLonger(int own) {
        return own == 0 || own > MOST_MILLIS;
    }

    /** The limit of each response. */
    int millis() {
        return before > 0 && !isLonger(before) ? before : MOST_MILLIS;
    }

    /** Whether a query failed because its response did not arrive in time. */
    static boolean isExceeded(Throwable thrown) {
        int depth = 0;
        for (Throwable cause = thrown; cause != null && depth < 20; cause = cause.getCause(), depth++) {
            if (cause instanceof SocketTimeoutException || cause instanceof SQLTimeoutException) {
                return true;
            }
        }
        return false;
    }

    /**
     * Creates a statement. It has the limit itself if the driver has no network timeouts.
     *
     * @throws SQLException if the connection fails
     */
    Statement statement(Connection on) throws SQLException {
        Statement statement = on.createStatement();
        if (before < 0) {
            statement.setQueryTimeout(MOST_MILLIS / 1_000);
        }
        return statement;
    }

    /**
     * Executes a statement.
     *
     * @throws SQLException if the connection fails, or the limit is exceeded
     */
    void execute(Connection on, String sql) throws SQLException {
        try (Statement statement = statement(on)) {
            statement.execute(sql);
        }
    }

    /**
     * Restores the connection's network timeout.
     *
     * @throws SQLException if the connection fails
     */
    @Override
    public void close() throws SQLException {
        if (before >= 0 && isLonger(before)) {
            connection.setNetworkTimeout(Runnable::run, before);
        }
    }
}
