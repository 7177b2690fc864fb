// SPDX-License-Identifier: Apache-2.0
package io.flexpool.session;

import java.lang.reflect.Method;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What PostgreSQL's driver offers beyond JDBC, by reflection: the driver is the application's. Without that driver nothing is known.
 * Thread-safe.
 */
final class PostgresDriver {
    private static final String CONNECTION = "org.postgresql.PGConnection";
    /** The driver's own; keeps the state of the transaction, which the server reports with each answer. */
    private static final String INTERNAL = "org.postgresql.core.BaseConnection";

    private static final ClassValue<Optional<Class<?>>> CONNECTIONS = found(CONNECTION);
    private static final ClassValue<Optional<Class<?>>> INTERNALS = found(INTERNAL);

    private PostgresDriver() {}

    private static ClassValue<Optional<Class<?>>> found(String name) {
        return new ClassValue<>() {
            @Override
            protected Optional<Class<?>> computeValue(Class<?> connection) {
                return find(connection, name);
            }
        };
    }

    /** The driver's connection, an object of its own for each session of the server; null if it is not this driver's. */
    static @Nullable Object physical(Connection connection) {
        return unwrapped(connection, CONNECTION);
    }

    /**
     * Whether a transaction is open in the server. Waits while a statement runs.
     *
     * @return null if that is not known
     */
    static @Nullable Boolean inTransaction(Connection connection) {
        Object driver = unwrapped(connection, INTERNAL);
        Object state = driver == null ? null : call(driver, INTERNAL, "getTransactionState");
        return state == null ? null : !state.toString().equals("IDLE");
    }

    /** Cancels the statement that runs, if one does: a server that waits does not notice that its client has gone. */
    static void cancel(Connection connection) {
        Object driver = physical(connection);
        if (driver != null) {
            call(driver, CONNECTION, "cancelQuery");
        }
    }

    private static @Nullable Object unwrapped(Connection connection, String name) {
        try {
            Class<?> type = type(connection, name);
            return type == null || !connection.isWrapperFor(type) ? null : connection.unwrap(type);
        } catch (SQLException | RuntimeException | LinkageError closed) {
            return null;
        }
    }

    /** The class of a name as each class of connections leads to it: a search takes microseconds, on the path of each statement. */
    private static @Nullable Class<?> type(Connection connection, String name) {
        return (name.equals(CONNECTION) ? CONNECTIONS : INTERNALS)
                .get(connection.getClass())
                .orElse(null);
    }

    /** As the application sees it, else as the connection's own classes or flexpool do. */
    private static Optional<Class<?>> find(Class<?> connection, String name) {
        ClassLoader[] loaders = {
            Thread.currentThread().getContextClassLoader(),
            connection.getClassLoader(),
            PostgresDriver.class.getClassLoader()
        };
        for (ClassLoader loader : loaders) {
            Class<?> found = loader == null ? null : find(loader, name);
            if (found != null) {
                return Optional.of(found);
            }
        }
        return Optional.empty();
    }

    private static @Nullable Class<?> find(ClassLoader loader, String name) {
        try {
            return Class.forName(name, false, loader);
        } catch (ClassNotFoundException elsewhere) {
            return null;
        }
    }

    private static @Nullable Object call(Object driver, String type, String name) {
        try {
            Method method = Class.forName(type, false, driver.getClass().getClassLoader())
                    .getMethod(name);
            return method.invoke(driver);
        } catch (ReflectiveOperationException | RuntimeException | LinkageError failed) {
            // Another version of the driver, or a server that takes no connection for the cancel. The abort follows.
            return null;
        }
    }
}
