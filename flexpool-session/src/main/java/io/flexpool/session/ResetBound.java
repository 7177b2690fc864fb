// SPDX-License-Identifier: Apache-2.0
package io.flexpool.session;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLFeatureNotSupportedException;
import java.sql.SQLTimeoutException;
import java.sql.Statement;
import java.util.concurrent.TimeUnit;

/**
 * The time limit of one reset over all its round trips: the driver ends each wait when the rest is over. For one
 * thread.
 */
final class ResetBound {
    /** A server that needs longer to reset a few settings has a problem; a new connection costs less than the wait. */
    private static final long MILLIS = 500;

    private final Connection connection;
    private final long startNanos = System.nanoTime();
    /** The connection's own network timeout; negative without one. */
    private final int before;

    /**
     * Begins.
     *
     * @throws SQLException as the connection does
     */
    ResetBound(Connection connection) throws SQLException {
        this.connection = connection;
        int own;
        try {
            own = connection.getNetworkTimeout();
            connection.setNetworkTimeout(Runnable::run, (int) MILLIS);
        } catch (SQLFeatureNotSupportedException | UnsupportedOperationException none) {
            own = -1;
        }
        this.before = own;
    }

    /**
     * Called before a further round trip.
     *
     * @throws SQLException if the time is over, or as the connection does
     */
    void next() throws SQLException {
        long left = MILLIS - TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - startNanos);
        if (left <= 0) {
            throw new SQLTimeoutException("the reset of the session took more than " + MILLIS + " ms");
        }
        if (before >= 0) {
            connection.setNetworkTimeout(Runnable::run, (int) left);
        }
    }

    /**
     * Executes one round trip.
     *
     * @throws SQLException as {@link #next}
     */
    void execute(Connection on, String sql) throws SQLException {
        next();
        try (Statement statement = on.createStatement()) {
            if (before < 0) {
                statement.setQueryTimeout(1);
            }
            statement.execute(sql);
        }
    }

    /**
     * Called after a successful reset: restores the connection's network timeout.
     *
     * @throws SQLException as the connection does
     */
    void ends() throws SQLException {
        if (before >= 0) {
            connection.setNetworkTimeout(Runnable::run, before);
        }
    }
}
