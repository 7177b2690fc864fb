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
 * constructor. Has no state; thread-safe. May throw a {@link LinkageError} if the driver is not on the class path:
 * flexpool then continues without the provider.
 */
public interface ServerViewProvider {
    /** {@return the product, for log lines and reports: for example {@code PostgreSQL}} */
    String product();

    /**
     * Whether this provider supports the server behind a connection, by its driver; without a round trip.
     *
     * @param connection a pool's connection or a physical connection, of any product's driver
     * @return true if {@link #session} and {@link #look} can be called for connections of this kind
     * @throws SQLException if the connection cannot be unwrapped, for example because it is closed
     */
    boolean supports(Connection connection) throws SQLException;

    /**
     * The server's id of a connection's session. Without a round trip, and without a lock that a running statement
     * holds: flexpool calls it from another thread while the application uses the connection.
     *
     * @param connection a pool's connection or a physical connection; its user may close it at any moment
     * @return the id; empty if the driver does not have it
     * @throws SQLException if the connection cannot be unwrapped, for example because it is closed
     */
    OptionalLong session(Connection connection) throws SQLException;

    /**
     * Queries the server once: by one statement, if possible. The provider limits the query by the deadline, with the
     * query timeout of JDBC, of the server, or both, and restores the settings. It leaves the connection usable, in
     * autocommit mode, or throws; flexpool closes a connection after an exception, and does not wait beyond the
     * deadline.
     *
     * @param own flexpool's own connection, in autocommit mode, used by one thread at a time; never a connection of the
     * pool
     * @param sessions ids of this pool's leased connections, each from {@link #session}; unmodifiable, at least one
     * @param deadline how long the query may take, more than 0
     * @return the answer of the server
     * @throws SQLException if the server did not answer in time, refused, or cannot be reached
     */
    ServerSnapshot look(Connection own, Set<Long> sessions, Duration deadline) throws SQLException;

    /**
     * The unique application name under which a pooler between flexpool and the server forwards a connection's
     * statements: a pooler gives the driver ids that the server does not have. Called like {@link #session}.
     *
     * @param connection as for {@link #session}
     * @return the name; empty, as by default, without a unique name
     * @throws SQLException if the connection cannot be unwrapped, for example because it is closed
     */
    default Optional<String> name(Connection connection) throws SQLException {
        return Optional.empty();
    }

    /**
     * Whether the driver reports an open transaction, which distinguishes this connection's session from a session of
     * the same name that the pooler has since given to another client. Called like {@link #session}.
     *
     * @param connection as for {@link #session}
     * @return empty, as by default, if unknown
     * @throws SQLException if the connection cannot be unwrapped, for example because it is closed
     */
    default Optional<Boolean> inTransaction(Connection connection) throws SQLException {
        return Optional.empty();
    }

    /**
     * Queries the server behind a pooler once, like {@link #look}, for sessions by their current {@link #name}. Of
     * several sessions with one name the working session counts; if two work, neither is requested.
     *
     * @param own as for {@link #look}; the pooler may lend it another session for each query
     * @param names the names of this pool's leased connections; unmodifiable, at least one
     * @param deadline as for {@link #look}
     * @return the server's answer, with the sessions {@linkplain ServerSession#asked() requested} by these names
     * @throws SQLException as for {@link #look}
     */
    default ServerSnapshot lookByName(Connection own, Set<String> names, Duration deadline) throws SQLException {
        throw new UnsupportedOperationException(product() + " has no names of connections");
    }
}
