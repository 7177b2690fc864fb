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
     * @return true if the provider supports {@link #session} and {@link #look} for this kind of connection
     * @throws SQLException if the connection cannot be unwrapped, for example because it is closed
     */
    boolean supports(Connection connection) throws SQLException;

    /**
     * The server's id of a connection's session. flexpool calls this method from another thread while the application
     * uses the connection. So it must make no round trip, and take no lock that a running statement holds.
     *
     * @param connection a pool's connection or a physical connection; its user may close it at any moment
     * @return the id; empty if the driver does not report the id
     * @throws SQLException if the connection cannot be unwrapped, for example because it is closed
     */
    OptionalLong session(Connection connection) throws SQLException;

    /**
     * Queries the server once, if possible by one statement. The provider enforces the deadline by a query timeout of
     * JDBC, of the server, or both, and restores the settings. Afterwards the connection is usable and in autocommit
     * mode, or the method throws. flexpool closes the connection after an exception, and does not wait beyond the
     * deadline.
     *
     * @param own flexpool's diagnostic connection, in autocommit mode, used by one thread at a time; never a connection
     *     of the pool
     * @param sessions ids of this pool's leased connections, each from {@link #session}; unmodifiable, at least one
     * @param deadline the time limit of the query, more than 0
     * @return the server's result
     * @throws SQLException if the server is unreachable, refuses the query, or does not return in time
     */
    ServerSnapshot look(Connection own, Set<Long> sessions, Duration deadline) throws SQLException;

    /**
     * The unique application name under which a pooler forwards a connection's statements to the server. Identifies
     * sessions behind a pooler, which gives the driver ids that do not exist in the server. Called like
     * {@link #session}.
     *
     * @param connection as for {@link #session}
     * @return the name; empty, the default, without a unique name
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
     * @return whether a transaction is open; empty, the default, if unknown
     * @throws SQLException if the connection cannot be unwrapped, for example because it is closed
     */
    default Optional<Boolean> inTransaction(Connection connection) throws SQLException {
        return Optional.empty();
    }

    /**
     * Queries the server behind a pooler once, like {@link #look}, for sessions by their current {@link #name}. If
     * several sessions have one name, the working session counts; if two work, neither counts.
     *
     * @param own as for {@link #look}; the pooler may assign it another session for each query
     * @param names the names of this pool's leased connections; unmodifiable, at least one
     * @param deadline as for {@link #look}
     * @return the server's result; the sessions with these names are marked as
     *     {@linkplain ServerSession#asked() queried}
     * @throws SQLException as for {@link #look}
     */
    default ServerSnapshot lookByName(Connection own, Set<String> names, Duration deadline) throws SQLException {
        throw new UnsupportedOperationException("connections of " + product() + " have no names");
    }
}
