// SPDX-License-Identifier: Apache-2.0
package io.flexpool.session;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLFeatureNotSupportedException;
import java.sql.SQLTimeoutException;
import java.sql.Statement;
import java.util.concurrent.TimeUnit;

/**
 * The time limit of one reset. Before each round trip, the connection's network timeout is set to the remaining time.
 * For one thread.
 */
final class ResetBound {
    /** A healthy server resets a few settings sooner; beyond this time a new connection costs less. */
    private static final long MILLIS = 500;

    private final Connection connection;
    private final long startNanos = System.nanoTime();
    /** The connection's network timeout before the reset; negative if unknown. */
    private final int before;

    /**
     * Starts the time, and reads the connection's network timeout.
     *
     * @throws SQLException if the connection fails
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
     * Call before each further round trip.
     *
     * @throws SQLException if the time limit is exceeded, or the connection fails
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
     * Restores the connection's network timeout. Call after a successful reset.
     *
     * @throws SQLException if the connection fails
     */
    void ends() throws SQLException {
        if (before >= 0) {
            connection.setNetworkTimeout(Runnable::run, before);
        }
    }
}
