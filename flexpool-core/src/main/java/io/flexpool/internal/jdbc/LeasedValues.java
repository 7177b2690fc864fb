// SPDX-License-Identifier: Apache-2.0
package io.flexpool.internal.jdbc;

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
 * Wraps values that lead to the driver's connection on the way out, and gives the driver its own on the way in; arrays of
 * them too. All others pass as they are. Null-unmarked, because it passes on whatever JDBC passes.
 */
@NullUnmarked
final class LeasedValues {
    private LeasedValues() {}

    /** A value for the application. Allocates nothing unless it wraps. */
    static Object out(Object value, LeasedConnection connection) {
        if (value instanceof Object[] elements) {
            return elementsOut(elements, connection);
        }
        // Numbers, texts, times and most others are the JDK's own, and none of these leads anywhere.
        if (value == null || value.getClass().getClassLoader() == null || value instanceof Date) {
            return value;
        }
        if (value instanceof ResultSet results) {
            // The statement of a cursor is the target's affair, until asked.
            return new LeasedResultSet(results, null, connection);
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
        // A driver's class of texts may extend that of bytes (MariaDB): texts come first.
        Object characters = characters(value, connection);
        return characters == value && value instanceof Blob blob ? new LeasedBlob(blob, connection) : characters;
    }

    /** As above; the application that asks for a driver's own class gets it, as by unwrap. */
    static <T> T out(T value, Class<T> type, LeasedConnection connection) {
        Object leased = type == Blob.class ? out((Blob) value, connection) : out(value, connection);
        return leased != value && type.isInstance(leased) ? type.cast(leased) : value;
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

    /** Drivers have one class for both, and whatever the target can do, the wrapper can. */
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

    /** The same array if nothing in it is wrapped, else a copy: the array may be the driver's own. */
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
                    // An array of the driver's own class, which no wrapper is.
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
     * @throws SQLException if it may be used during its lease alone, and that has ended
     */
    static Object in(Object value) throws SQLException {
        if (value instanceof LeasedValue<?> leased) {
            return leased.returned();
        }
        return value instanceof Object[] elements ? in(elements) : value;
    }

    /** The same array if nothing in it was wrapped, else a copy: the array is the application's. */
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

    static Array in(Array array) throws SQLException {
        return array instanceof LeasedArray leased ? leased.returned() : array;
    }

    static Ref in(Ref ref) throws SQLException {
        return ref instanceof LeasedRef leased ? leased.returned() : ref;
    }

    static Blob in(Blob blob) throws SQLException {
        return blob instanceof LeasedBlob leased ? leased.returned() : blob;
    }

    static Clob in(Clob clob) throws SQLException {
        return clob instanceof LeasedClob<?> leased ? leased.returned() : clob;
    }

    static NClob in(NClob clob) throws SQLException {
        return clob instanceof LeasedNClob leased ? leased.returned() : clob;
    }

    static SQLXML in(SQLXML xml) throws SQLException {
        return xml instanceof LeasedSQLXML leased ? leased.returned() : xml;
    }

    /** Numbers, texts: the class can have no wrapped ones among its instances. */
    private static boolean isPlain(Object[] elements) {
        Class<?> component = elements.getClass().getComponentType();
        return !component.isArray() && Modifier.isFinal(component.getModifiers());
    }
}
