// SPDX-License-Identifier: Apache-2.0
package io.flexpool.adapter.legacy;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import javax.sql.DataSource;
import javax.sql.PooledConnection;
import org.jspecify.annotations.Nullable;
import org.postgresql.ds.PGConnectionPoolDataSource;
import org.postgresql.ds.PGPooledConnection;
import org.postgresql.ds.PGPoolingDataSource;

/** PostgreSQL's pool, with another database behind it. */
@SuppressWarnings("deprecation") // PostgreSQL has deprecated its pool
final class StubPgPool extends PGPoolingDataSource {
    private final DataSource database;

    StubPgPool(DataSource database) {
        this.database = database;
    }

    @Override
    protected PGConnectionPoolDataSource createConnectionPool() {
        return new Source(database);
    }

    private static final class Source extends PGConnectionPoolDataSource {
        private static final long serialVersionUID = 1;

        @SuppressWarnings("serial") // never serialized
        private final DataSource database;

        Source(DataSource database) {
            this.database = database;
        }

        @Override
        public PooledConnection getPooledConnection() throws SQLException {
            return new PGPooledConnection(likeTheDrivers(database.getConnection()), true);
        }
    }

    /**
     * What the pool relies on: the driver clears its warnings without asking the server, and closes a connection itself
     * once the server does not answer on it, and then says so with the SQLState 08003. A connection whose warnings cannot be cleared would cost the pool a place.
     */
    private static Connection likeTheDrivers(Connection connection) {
        return (Connection) Proxy.newProxyInstance(
                StubPgPool.class.getClassLoader(),
                new Class<?>[] {Connection.class},
                (self, method, args) -> answer(connection, method, args));
    }

    private static @Nullable Object answer(Connection connection, Method method, @Nullable Object @Nullable [] args)
            throws Throwable {
        if (method.getName().equals("clearWarnings") && !connection.isClosed()) {
            return null;
        }
        if (method.getName().equals("setAutoCommit") && connection.isClosed()) {
            throw new SQLException("this connection has been closed", "08003");
        }
        try {
            Object result = method.invoke(connection, args);
            if (method.getName().equals("isValid") && Boolean.FALSE.equals(result)) {
                connection.close();
            }
            return result;
        } catch (InvocationTargetException thrown) {
            if (thrown.getCause() instanceof SQLException sql && "08006".equals(sql.getSQLState())) {
                connection.close();
            }
            throw thrown.getCause();
        }
    }
}
