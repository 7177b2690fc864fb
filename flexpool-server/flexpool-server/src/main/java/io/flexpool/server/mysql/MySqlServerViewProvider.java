// SPDX-License-Identifier: Apache-2.0
package io.flexpool.server.mysql;

import com.mysql.cj.jdbc.JdbcConnection;
import io.flexpool.server.ServerSnapshot;
import io.flexpool.server.ServerViewProvider;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.OptionalLong;
import java.util.Set;

/**
 * Queries a MySQL or MariaDB server through MySQL's or MariaDB's driver, in any combination. Each driver is tried
 * separately, so that one may be absent.
 *
 * <p>The pool's own sessions are always visible. Row locks and open transactions need the right {@code PROCESS}, on
 * MySQL also {@code SELECT} on {@code performance_schema.data_lock_waits}; metadata locks need {@code SELECT} on
 * {@code performance_schema}, which MariaDB fills only if it is enabled. The snapshot names missing rights.
 */
public final class MySqlServerViewProvider implements ServerViewProvider {
    private static final List<Driver> DRIVERS =
            List.of(MySqlServerViewProvider::mariaDb, MySqlServerViewProvider::mySql);

    /** Called by {@link java.util.ServiceLoader}. */
    public MySqlServerViewProvider() {}

    private interface Driver {
        /** The session id; empty if the connection belongs to another driver. */
        OptionalLong session(Connection connection) throws SQLException;
    }

    @Override
    public String product() {
        return "MySQL or MariaDB";
    }

    @Override
    public boolean supports(Connection connection) throws SQLException {
        return session(connection).isPresent();
    }

    /** Reads a field: the server sends the id at connect, and both drivers keep it. */
    @Override
    public OptionalLong session(Connection connection) throws SQLException {
        for (Driver driver : DRIVERS) {
            try {
                OptionalLong session = driver.session(connection);
                if (session.isPresent()) {
                    return session;
                }
            } catch (LinkageError noSuchDriver) {
                // The driver is absent, so the connection belongs to another.
            }
        }
        return OptionalLong.empty();
    }

    private static OptionalLong mariaDb(Connection connection) throws SQLException {
        return connection.isWrapperFor(org.mariadb.jdbc.Connection.class)
                ? OptionalLong.of(
                        connection.unwrap(org.mariadb.jdbc.Connection.class).getThreadId())
                : OptionalLong.empty();
    }

    private static OptionalLong mySql(Connection connection) throws SQLException {
        return connection.isWrapperFor(JdbcConnection.class)
                ? OptionalLong.of(connection.unwrap(JdbcConnection.class).getId())
                : OptionalLong.empty();
    }

    @Override
    public ServerSnapshot look(Connection own, Set<Long> sessions, Duration deadline) throws SQLException {
        return new MySqlQuery(own, sessions).within(deadline);
    }
}
