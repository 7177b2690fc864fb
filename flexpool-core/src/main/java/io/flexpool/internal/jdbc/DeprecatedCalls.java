// SPDX-License-Identifier: Apache-2.0
package io.flexpool.internal.jdbc;

import static java.lang.invoke.MethodType.methodType;

import java.io.InputStream;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.math.BigDecimal;
import java.sql.CallableStatement;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import org.jspecify.annotations.NullUnmarked;

/**
 * JDBC's deprecated methods: a caller may still use them, so a delegate has to pass them on. They are called through
 * handles, because the build refuses byte code that calls what is deprecated, and here it is the point. What the target
 * throws goes on as it is. Null-unmarked, because it passes on whatever JDBC passes.
 */
@NullUnmarked
final class DeprecatedCalls {
    private static final MethodHandle SET_UNICODE_STREAM = handle(
            PreparedStatement.class,
            "setUnicodeStream",
            methodType(void.class, int.class, InputStream.class, int.class));
    private static final MethodHandle CALL_BIG_DECIMAL =
            handle(CallableStatement.class, "getBigDecimal", methodType(BigDecimal.class, int.class, int.class));
    private static final MethodHandle BIG_DECIMAL_AT =
            handle(ResultSet.class, "getBigDecimal", methodType(BigDecimal.class, int.class, int.class));
    private static final MethodHandle BIG_DECIMAL_OF =
            handle(ResultSet.class, "getBigDecimal", methodType(BigDecimal.class, String.class, int.class));
    private static final MethodHandle UNICODE_STREAM_AT =
            handle(ResultSet.class, "getUnicodeStream", methodType(InputStream.class, int.class));
    private static final MethodHandle UNICODE_STREAM_OF =
            handle(ResultSet.class, "getUnicodeStream", methodType(InputStream.class, String.class));

    private DeprecatedCalls() {}

    private static MethodHandle handle(Class<?> owner, String name, MethodType type) {
        try {
            return MethodHandles.publicLookup().findVirtual(owner, name, type);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    static void setUnicodeStream(PreparedStatement target, int index, InputStream stream, int length)
            throws SQLException {
        try {
            SET_UNICODE_STREAM.invokeExact(target, index, stream, length);
        } catch (Throwable thrown) {
            throw same(thrown);
        }
    }

    static BigDecimal getBigDecimal(CallableStatement target, int index, int scale) throws SQLException {
        try {
            return (BigDecimal) CALL_BIG_DECIMAL.invokeExact(target, index, scale);
        } catch (Throwable thrown) {
            throw same(thrown);
        }
    }

    static BigDecimal getBigDecimal(ResultSet target, int column, int scale) throws SQLException {
        try {
            return (BigDecimal) BIG_DECIMAL_AT.invokeExact(target, column, scale);
        } catch (Throwable thrown) {
            throw same(thrown);
        }
    }

    static BigDecimal getBigDecimal(ResultSet target, String label, int scale) throws SQLException {
        try {
            return (BigDecimal) BIG_DECIMAL_OF.invokeExact(target, label, scale);
        } catch (Throwable thrown) {
            throw same(thrown);
        }
    }

    static InputStream getUnicodeStream(ResultSet target, int column) throws SQLException {
        try {
            return (InputStream) UNICODE_STREAM_AT.invokeExact(target, column);
        } catch (Throwable thrown) {
            throw same(thrown);
        }
    }

    static InputStream getUnicodeStream(ResultSet target, String label) throws SQLException {
        try {
            return (InputStream) UNICODE_STREAM_OF.invokeExact(target, label);
        } catch (Throwable thrown) {
            throw same(thrown);
        }
    }

    private static SQLException same(Throwable thrown) {
        if (thrown instanceof SQLException checked) {
            return checked;
        }
        if (thrown instanceof RuntimeException unchecked) {
            throw unchecked;
        }
        if (thrown instanceof Error error) {
            throw error;
        }
        // No target can declare another one.
        return new SQLException(thrown);
    }
}
