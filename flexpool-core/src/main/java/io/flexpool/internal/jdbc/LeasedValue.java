// SPDX-License-Identifier: Apache-2.0
package io.flexpool.internal.jdbc;

import java.io.InputStream;
import java.io.OutputStream;
import java.io.Reader;
import java.io.Writer;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.Array;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.SQLXML;
import java.sql.Struct;
import java.sql.Wrapper;
import javax.xml.transform.Result;
import javax.xml.transform.Source;
import org.jspecify.annotations.NullUnmarked;

/**
 * A value of a lease that leads to the driver's connection, or reads and writes through it: an array, a structure, a
 * reference, a large object, a document, the metadata of parameters. {@link LeasedValues} unwraps it where the
 * application passes it back, because drivers cast values to their own classes.
 *
 * <p>A dynamic proxy for each interface of JDBC: their methods call the database or read a whole object, which costs
 * more than the reflection. Statements, result sets and their metadata, which are called for each row, are classes; so
 * is the metadata of the database, whose proxy would add 20 ms to the start of a framework that reads it.
 *
 * <p>40 bytes with compressed references, with the handler of the calls.
 */
@NullUnmarked
interface LeasedValue extends Wrapper {
    /**
     * The driver's value, for the driver.
     *
     * @throws SQLException if the value is usable only during its lease, and the lease has ended
     */
    Object returned() throws SQLException;

    /** A proxy for the driver's value; null for null. {@code type} is named in the metadata for native images. */
    static <T> T of(Class<T> type, T target, LeasedConnection connection) {
        if (target == null) {
            return null;
        }
        Class<?>[] types = {type, LeasedValue.class};
        return type.cast(
                Proxy.newProxyInstance(LeasedValue.class.getClassLoader(), types, new Calls(target, connection)));
    }

    /** Passes the calls on while the lease lasts. */
    final class Calls implements InvocationHandler {
        private final Object target;
        private final LeasedConnection connection;

        Calls(Object target, LeasedConnection connection) {
            this.target = target;
            this.connection = connection;
        }

        @Override
        public Object invoke(Object proxy, Method method, Object[] arguments) throws Throwable {
            Class<?> declaring = method.getDeclaringClass();
            if (declaring == Object.class) {
                return ofObject(proxy, method, arguments);
            }
            if (declaring == Wrapper.class) {
                Class<?> iface = (Class<?>) arguments[0];
                return method.getName().equals("unwrap")
                        ? Unwrapping.unwrap(iface, proxy, target, connection)
                        : (Object) Unwrapping.isWrapperFor(iface, proxy, target, connection);
            }
            if (declaring == LeasedValue.class) {
                if (!(target instanceof Struct)) {
                    connection.check(target);
                }
                return target;
            }
            if (method.getName().equals("free") && !(target instanceof Array) && connection.ended()) {
                // Drivers free them through the connection, which the next borrower may have.
                return null;
            }
            if (!outlivesTheLease(method)) {
                connection.check(target);
            }
            try {
                return out(method, method.invoke(target, arguments == null ? null : LeasedValues.in(arguments)));
            } catch (InvocationTargetException thrown) {
                throw thrown.getCause();
            }
        }

        private Object ofObject(Object proxy, Method method, Object[] arguments) {
            return switch (method.getName()) {
                case "equals" -> proxy == arguments[0];
                case "hashCode" -> System.identityHashCode(proxy);
                // The text of some values is their content.
                default -> target.toString();
            };
        }

        /**
         * JDBC has a structure valid for as long as the application refers to it, but a map of types needs the driver's
         * connection. An array may be freed at any time, as a statement may be closed.
         */
        private boolean outlivesTheLease(Method method) {
            return target instanceof Struct
                    ? method.getParameterCount() == 0
                    : target instanceof Array && method.getName().equals("free");
        }

        private Object out(Method method, Object result) {
            if (result == null) {
                return null;
            }
            // By the declared type first, because one of the JDK's may read from a driver's.
            Class<?> declared = method.getReturnType();
            if (declared == ResultSet.class) {
                // The statement of a cursor is wrapped on request.
                return LeasedResultSet.of((ResultSet) result, null, connection);
            }
            if (declared == InputStream.class) {
                return LeasedStreams.out((InputStream) result, connection);
            }
            if (declared == Reader.class) {
                return LeasedStreams.out((Reader) result, connection);
            }
            if (declared == OutputStream.class) {
                return LeasedStreams.out((OutputStream) result, connection);
            }
            if (declared == Writer.class) {
                return LeasedStreams.out((Writer) result, connection);
            }
            if (target instanceof SQLXML) {
                // The driver's, because the application chose their class; their streams end with the lease.
                return result instanceof Source source
                        ? LeasedSources.out(source, connection)
                        : result instanceof Result written ? LeasedSources.out(written, connection) : result;
            }
            return LeasedValues.out(result, connection);
        }
    }
}
