// SPDX-License-Identifier: Apache-2.0
package io.flexpool.session;

import java.lang.reflect.InvocationTargetException;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** A type of a driver by its name, because this module is not compiled against drivers. Thread-safe. */
final class DriverType {
    private final String name;
    /**
     * Caches the type for each class of connections: a search takes microseconds, and each statement would need one.
     */
    private final ClassValue<Optional<Class<?>>> types = new ClassValue<>() {
        @Override
        protected Optional<Class<?>> computeValue(Class<?> connection) {
            return find(connection);
        }
    };

    DriverType(String name) {
        this.name = name;
    }

    /** The driver's object behind a connection; null if it is not of this type. */
    @Nullable
    Object unwrapped(Connection connection) {
        try {
            Class<?> type = types.get(connection.getClass()).orElse(null);
            return type == null || !connection.isWrapperFor(type) ? null : unwrapped(connection, type);
        } catch (SQLException | RuntimeException | LinkageError closed) {
            return null;
        }
    }

    private static @Nullable Object unwrapped(Connection connection, Class<?> type) throws SQLException {
        if (type.isInterface()) {
            return connection.unwrap(type);
        }
        // UCP unwraps only to interfaces; other pools return their own connection for this one.
        Connection driver = connection.unwrap(Connection.class);
        return type.isInstance(driver) ? driver : connection.unwrap(type);
    }

    /** Searches the application's class loader, then the loaders of the connection's classes and of flexpool. */
    private Optional<Class<?>> find(Class<?> connection) {
        ClassLoader[] loaders = {
            Thread.currentThread().getContextClassLoader(),
            connection.getClassLoader(),
            DriverType.class.getClassLoader()
        };
        for (ClassLoader loader : loaders) {
            Class<?> found = loader == null ? null : find(loader);
            if (found != null) {
                return Optional.of(found);
            }
        }
        return Optional.empty();
    }

    private @Nullable Class<?> find(ClassLoader loader) {
        try {
            return Class.forName(name, false, loader);
        } catch (ClassNotFoundException elsewhere) {
            return null;
        }
    }

    /**
     * Calls a public method without parameters, looked up in this type: the driver's own classes may not be public.
     *
     * @throws ReflectiveOperationException if this version of the driver lacks the method, or the call fails
     */
    @Nullable
    Object call(Object driver, String method) throws ReflectiveOperationException {
        return type(driver).getMethod(method).invoke(driver);
    }

    /**
     * Loads the type with the class loader of the driver.
     *
     * @throws ClassNotFoundException if this version of the driver lacks the type
     */
    Class<?> type(Object driver) throws ClassNotFoundException {
        return Class.forName(name, false, driver.getClass().getClassLoader());
    }

    /** The SQLException that the called method threw; otherwise a new one with the failure as its cause. */
    static SQLException thrown(ReflectiveOperationException failed) {
        return failed instanceof InvocationTargetException && failed.getCause() instanceof SQLException ofTheDriver
                ? ofTheDriver
                : new SQLException(failed);
    }
}
