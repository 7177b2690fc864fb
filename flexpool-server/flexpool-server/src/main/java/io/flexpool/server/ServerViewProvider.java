// SPDX-License-Identifier: Apache-2.0
package io.flexpool.server;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.OptionalLong;
import java.util.Set;

/**
 * Looks at the servers of one database product. Found by {@link java.util.ServiceLoader}; needs a public no-argument constructor. Has no
 * state; thread-safe. May throw a {@link LinkageError} where the driver is not on the class path: flexpool then goes on
 * without it.
 */
public interface ServerViewProvider {
    /** {@return the product, for log lines and reports: for example {@code PostgreSQL}} */
    String product();

    /**
     * Whether this provider knows the server behind a connection, by its driver; without a round trip.
     *
     * @param connection a pool's connection or a physical one; it belongs to a driver of any product
     * @return true if {@link #session} and {@link #look} can be called for connections of this kind
     * @throws SQLException if the connection cannot be unwrapped, for example because it is closed
     */
    boolean supports(Connection connection) throws SQLException;

    /**
     * The server's id of a connection's session. Without a round trip, and without a lock that a running statement
     * holds: flexpool asks from another thread while the application uses the connection.
     *
     * @param connection a pool's connection or a physical one; may be closed at any moment by the thread that has it
     * @return empty if the driver does not know it
     * @throws SQLException if the connection cannot be unwrapped, for example because it is closed
     */
    OptionalLong session(Connection connection) throws SQLException;

    /**
     * One look at the server: one statement, if possible. The provider limits it by the deadline, with the query timeout
     * of JDBC, the server's own, or both, and restores what it has set. It leaves the connection usable, in autocommit
     * mode, or throws; flexpool closes a connection after an exception, and does not wait beyond the deadline.
     *
     * @param own flexpool's own connection, in autocommit mode, used by one thread at a time; never one of the pool's
     * @param sessions ids of this pool's leased connections, each from {@link #session}; unmodifiable, at least one
     * @param deadline how long the look may take, more than 0
     * @return what the server said
     * @throws SQLException if it did not answer in time, refused, or cannot be reached
     */
    ServerSnapshot look(Connection own, Set<Long> sessions, Duration deadline) throws SQLException;
}
