// SPDX-License-Identifier: Apache-2.0
package io.flexpool.session;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLFeatureNotSupportedException;
import java.sql.SQLTimeoutException;
import java.sql.Statement;
import java.util.concurrent.TimeUnit;

/**
 * The time that one reset may take, over all its round trips: the driver gives up each answer when the rest of it is over. For one
 * thread.
 */
final class ResetBound {
    /** A server that needs longer to forget a few settings is in trouble; a new connection costs less than waiting. */
    private static final long MILLIS = 500;

    private final Connection connection;
    private final long startNanos = System.nanoTime();
    /** The connection's own; negative if the driver has none. */
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
     * Before a further round trip.
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
     * One round trip.
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
     * The reset has ended well: the connection waits again as long as it did.
     *
     * @throws SQLException as the connection does
     */
    void ends() throws SQLException {
        if (before >= 0) {
            connection.setNetworkTimeout(Runnable::run, before);
        }
    }
}
