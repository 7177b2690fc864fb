// SPDX-License-Identifier: Apache-2.0
package io.flexpool.adapter.tck.database;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import org.jspecify.annotations.NullUnmarked;
import org.jspecify.annotations.Nullable;

/**
 * A statement, result set or metadata of a stub connection. Does nothing, but returns its parent object, can be closed,
 * and is closed with its connection. Thread-safe.
 */
@NullUnmarked
public final class StubResource implements InvocationHandler {
    private final Connection connection;
    /** The statement of a result set; null without one. */
    private final @Nullable Object statement;

    private volatile boolean closed;

    private StubResource(Connection connection, @Nullable Object statement) {
        this.connection = connection;
        this.statement = statement;
    }

    /**
     * Creates a resource.
     *
     * @param type the interface: a kind of statement, a result set, or metadata
     * @param connection its connection
     * @param statement the statement of a result set; otherwise null
     */
    static Object of(Class<?> type, Connection connection, @Nullable Object statement) {
        return Proxy.newProxyInstance(
                StubResource.class.getClassLoader(), new Class<?>[] {type}, new StubResource(connection, statement));
    }

    @Override
    public Object invoke(Object self, Method method, @Nullable Object[] args) throws SQLException {
        switch (method.getName()) {
            case "close" -> {
                closed = true;
                return null;
            }
            case "isClosed" -> {
                return closed || connection.isClosed();
            }
            case "hashCode" -> {
                return System.identityHashCode(self);
            }
            case "equals" -> {
                return self == args[0];
            }
            case "toString" -> {
                return "stub resource of " + connection;
            }
            default -> {
                return used(self, method);
            }
        }
    }

    private Object used(Object self, Method method) throws SQLException {
        if (closed || connection.isClosed()) {
            throw new SQLException("stub: closed", "55000");
        }
        if (method.getName().startsWith("execute") && !connection.isValid(0)) {
            throw new SQLException("stub: connection is broken", "08006");
        }
        Class<?> type = method.getReturnType();
        if (type == Connection.class) {
            return connection;
        }
        if (type == Statement.class) {
            return statement;
        }
        if (type == ResultSet.class) {
            return of(type, connection, self instanceof Statement ? self : null);
        }
        return type == int.class ? 0 : type == boolean.class ? false : type == long.class ? 0L : null;
    }
}
