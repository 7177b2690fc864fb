// SPDX-License-Identifier: Apache-2.0
package io.flexpool.session;

import java.lang.reflect.InvocationTargetException;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** A type of a driver by its name: the driver is the application's, so that nothing here is compiled against it. Thread-safe. */
final class DriverType {
    private final String name;
    /** As each class of connections leads to it: a search takes microseconds, on the path of each statement. */
    private final ClassValue<Optional<Class<?>>> types = new ClassValue<>() {
        @Override
        protected Optional<Class<?>> computeValue(Class<?> connection) {
            return find(connection);
        }
    };

    DriverType(String name) {
        this.name = name;
    }

    /** The driver's object under a connection; null if it is not of this type. */
    @Nullable
    Object unwrapped(Connection connection) {
        try {
            Class<?> type = types.get(connection.getClass()).orElse(null);
            return type == null || !connection.isWrapperFor(type) ? null : connection.unwrap(type);
        } catch (SQLException | RuntimeException | LinkageError closed) {
            return null;
        }
    }

    /** As the application sees it, else as the connection's own classes or flexpool do. */
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
     * Calls a public method that has no parameters, as this type declares it: the driver's own classes may not be public.
     *
     * @throws ReflectiveOperationException if this version of the driver does not have it, or it fails
     */
    @Nullable
    Object call(Object driver, String method) throws ReflectiveOperationException {
        return type(driver).getMethod(method).invoke(driver);
    }

    /**
     * The type itself.
     *
     * @throws ClassNotFoundException if this version of the driver does not have it
     */
    Class<?> type(Object driver) throws ClassNotFoundException {
        return Class.forName(name, false, driver.getClass().getClassLoader());
    }

    /** What a driver has thrown, as JDBC would. */
    static SQLException thrown(ReflectiveOperationException failed) {
        return failed instanceof InvocationTargetException && failed.getCause() instanceof SQLException ofTheDriver
                ? ofTheDriver
                : new SQLException(failed);
    }
}
