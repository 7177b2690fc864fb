// SPDX-License-Identifier: Apache-2.0
package io.flexpool.server;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;

/**
 * Queries the servers of one database product. Found by {@link java.util.ServiceLoader}; needs a public no-argument
 * constructor. Has no state; thread-safe. May throw a {@link LinkageError} where the driver is not on the class path:
 * flexpool then continues without it.
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
     * holds: flexpool calls it from another thread while the application uses the connection.
     *
     * @param connection a pool's connection or a physical one; may be closed at any moment by the thread that has it
     * @return empty if the driver does not know it
     * @throws SQLException if the connection cannot be unwrapped, for example because it is closed
     */
    OptionalLong session(Connection connection) throws SQLException;

    /**
     * Queries the server once: by one statement, if possible. The provider limits it by the deadline, with the query timeout
     * of JDBC, the server's own, or both, and restores what it has set. It leaves the connection usable, in autocommit
     * mode, or throws; flexpool closes a connection after an exception, and does not wait beyond the deadline.
     *
     * @param own flexpool's own connection, in autocommit mode, used by one thread at a time; never one of the pool's
     * @param sessions ids of this pool's leased connections, each from {@link #session}; unmodifiable, at least one
     * @param deadline how long the query may take, more than 0
     * @return the answer of the server
     * @throws SQLException if it did not answer in time, refused, or cannot be reached
     */
    ServerSnapshot look(Connection own, Set<Long> sessions, Duration deadline) throws SQLException;

    /**
     * The name under which a pooler between flexpool and the server passes a connection's work on, if it is a name of this
     * connection alone: a pooler gives the driver ids that the server does not know. Called as {@link #session} is.
     *
     * @param connection as for {@link #session}
     * @return empty if the connection has no name of its own, which is the default
     * @throws SQLException if the connection cannot be unwrapped, for example because it is closed
     */
    default Optional<String> name(Connection connection) throws SQLException {
        return Optional.empty();
    }

    /**
     * Whether the driver knows a transaction to be open, which tells a session of this connection from one that has its name
     * because the pooler has given it to another client since. Called as {@link #session} is.
     *
     * @param connection as for {@link #session}
     * @return empty if that is not known, which is the default
     * @throws SQLException if the connection cannot be unwrapped, for example because it is closed
     */
    default Optional<Boolean> inTransaction(Connection connection) throws SQLException {
        return Optional.empty();
    }

    /**
     * Queries the server behind a pooler once, as {@link #look} does: the sessions are asked for by the {@link #name}
     * that they have now. Of several with one name the one that works counts; if two do, none of them is asked for.
     *
     * @param own as for {@link #look}; the pooler may lend it another session for each look
     * @param names of this pool's leased connections; unmodifiable, at least one
     * @param deadline as for {@link #look}
     * @return what the server said, with sessions that are {@linkplain ServerSession#asked() asked} for by these names
     * @throws SQLException as for {@link #look}
     */
    default ServerSnapshot lookByName(Connection own, Set<String> names, Duration deadline) throws SQLException {
        throw new UnsupportedOperationException(product() + " has no names of connections");
    }
}
