// SPDX-License-Identifier: Apache-2.0
package io.flexpool.internal.jdbc;

import io.flexpool.internal.jdbc.LeasedClob.LeasedNClob;
import java.io.InputStream;
import java.io.Reader;
import java.lang.reflect.Modifier;
import java.sql.Array;
import java.sql.Blob;
import java.sql.Clob;
import java.sql.NClob;
import java.sql.Ref;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.SQLXML;
import java.sql.Struct;
import java.util.Arrays;
import java.util.Date;
import org.jspecify.annotations.NullUnmarked;

/**
 * Wraps values that lead to the driver's connection, or read through it, for the application, and unwraps them for the
 * driver, also in arrays. All other values pass unchanged.
 */
@NullUnmarked
final class LeasedValues {
    private LeasedValues() {}

    /** A value for the application. Allocates nothing unless it wraps. */
    static Object out(Object value, LeasedConnection connection) {
        if (value instanceof Object[] elements) {
            return elementsOut(elements, connection);
        }
        // Numbers, texts, times and most others are the JDK's classes, which hold no connection.
        if (value == null || value.getClass().getClassLoader() == null || value instanceof Date) {
            return value;
        }
        Object stream = streams(value, connection);
        if (stream != value) {
            return stream;
        }
        if (value instanceof ResultSet results) {
            // The statement of a cursor is wrapped on request.
            return LeasedResultSet.of(results, null, connection);
        }
        if (value instanceof Array array) {
            return new LeasedArray(array, connection);
        }
        if (value instanceof Struct struct) {
            return new LeasedStruct(struct, connection);
        }
        if (value instanceof Ref ref) {
            return new LeasedRef(ref, connection);
        }
        if (value instanceof SQLXML xml) {
            return new LeasedSQLXML(xml, connection);
        }
        // A driver's CLOB class may extend its BLOB class (MariaDB): so CLOBs are checked first.
        Object characters = characters(value, connection);
        return characters == value && value instanceof Blob blob ? new LeasedBlob(blob, connection) : characters;
    }

    /** As above; a driver's class that the application requests is returned as it is, like unwrap. */
    static <T> T out(T value, Class<T> type, LeasedConnection connection) {
        // First, because a stream of the JDK may read from a driver's stream.
        Object leased = streams(value, connection);
        if (leased == value) {
            leased = type == Blob.class ? out((Blob) value, connection) : out(value, connection);
        }
        return leased != value && type.isInstance(leased) ? type.cast(leased) : value;
    }

    private static Object streams(Object value, LeasedConnection connection) {
        if (value instanceof InputStream stream) {
            return LeasedStreams.out(stream, connection);
        }
        return value instanceof Reader reader ? LeasedStreams.out(reader, connection) : value;
    }

    static Array out(Array array, LeasedConnection connection) {
        return array == null ? null : new LeasedArray(array, connection);
    }

    static Struct out(Struct struct, LeasedConnection connection) {
        return struct == null ? null : new LeasedStruct(struct, connection);
    }

    static Ref out(Ref ref, LeasedConnection connection) {
        return ref == null ? null : new LeasedRef(ref, connection);
    }

    static Blob out(Blob blob, LeasedConnection connection) {
        return blob == null ? null : new LeasedBlob(blob, connection);
    }

    /** Drivers may have one class for CLOB and NCLOB, so the wrapper has all interfaces of the target. */
    static Clob out(Clob clob, LeasedConnection connection) {
        return (Clob) characters(clob, connection);
    }

    static NClob out(NClob clob, LeasedConnection connection) {
        return clob == null ? null : new LeasedNClob(clob, connection);
    }

    static SQLXML out(SQLXML xml, LeasedConnection connection) {
        return xml == null ? null : new LeasedSQLXML(xml, connection);
    }

    private static Object characters(Object value, LeasedConnection connection) {
        if (value instanceof NClob clob) {
            return new LeasedNClob(clob, connection);
        }
        return value instanceof Clob clob ? new LeasedClob<>(clob, connection) : value;
    }

    /** The same array if no element is wrapped, otherwise a copy: the array may be the driver's. */
    private static Object[] elementsOut(Object[] elements, LeasedConnection connection) {
        if (isPlain(elements)) {
            return elements;
        }
        Object[] result = elements;
        for (int at = 0; at < elements.length; at++) {
            Object leased = out(elements[at], connection);
            if (leased != elements[at]) {
                if (result == elements) {
                    result = elements.clone();
                }
                if (!result.getClass().getComponentType().isInstance(leased)) {
                    // The element type may be a driver's class, which excludes wrappers.
                    result = Arrays.copyOf(result, result.length, Object[].class);
                }
                result[at] = leased;
            }
        }
        return result;
    }

    /**
     * A value for the driver.
     *
     * @throws SQLException if the value is usable only during its lease, and the lease has ended
     */
    @SuppressWarnings("unchecked") // a wrapper and its target implement the same interface of JDBC
    static <V> V in(V value) throws SQLException {
        if (value instanceof LeasedValue<?> leased) {
            return (V) leased.returned();
        }
        return value instanceof Object[] elements ? (V) in(elements) : value;
    }

    /** The same array if no element was wrapped, otherwise a copy: the array is the application's. */
    static Object[] in(Object[] elements) throws SQLException {
        if (elements == null || isPlain(elements)) {
            return elements;
        }
        Object[] result = elements;
        for (int at = 0; at < elements.length; at++) {
            Object returned = in(elements[at]);
            if (returned != elements[at]) {
                if (result == elements) {
                    result = elements.clone();
                }
                result[at] = returned;
            }
        }
        return result;
    }

    /** Numbers, texts: no instance of the class can be a wrapper. */
    private static boolean isPlain(Object[] elements) {
        Class<?> component = elements.getClass().getComponentType();
        return !component.isArray() && Modifier.isFinal(component.getModifiers());
    }
}
