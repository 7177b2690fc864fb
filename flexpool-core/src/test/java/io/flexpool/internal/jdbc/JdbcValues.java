// SPDX-License-Identifier: Apache-2.0
package io.flexpool.internal.jdbc;

import static org.mockito.Mockito.mock;

import java.io.InputStream;
import java.io.OutputStream;
import java.io.Reader;
import java.io.StringWriter;
import java.io.Writer;
import java.lang.reflect.Method;
import java.math.BigDecimal;
import java.net.MalformedURLException;
import java.net.URI;
import java.net.URL;
import java.sql.Array;
import java.sql.Blob;
import java.sql.Clob;
import java.sql.Date;
import java.sql.JDBCType;
import java.sql.NClob;
import java.sql.Ref;
import java.sql.ResultSet;
import java.sql.RowIdLifetime;
import java.sql.SQLType;
import java.sql.SQLWarning;
import java.sql.SQLXML;
import java.sql.Struct;
import java.sql.Time;
import java.sql.Timestamp;
import java.util.Calendar;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Properties;
import java.util.TimeZone;
import java.util.function.IntFunction;

/** Arguments for any method of java.sql, and results of its target. Interfaces without an entry are mocked. */
final class JdbcValues {
    /** By parameter type; of the argument's place, so that two swapped arguments are seen. */
    private static final Map<Class<?>, IntFunction<Object>> BY_TYPE = new HashMap<>();

    static {
        BY_TYPE.put(int.class, place -> 3 + place);
        BY_TYPE.put(long.class, place -> 300L + place);
        BY_TYPE.put(short.class, place -> (short) (30 + place));
        BY_TYPE.put(byte.class, place -> (byte) (13 + place));
        BY_TYPE.put(float.class, place -> 1.5f + place);
        BY_TYPE.put(double.class, place -> 2.5d + place);
        BY_TYPE.put(boolean.class, place -> place % 2 == 0);
        BY_TYPE.put(String.class, place -> "text" + place);
        BY_TYPE.put(Object.class, place -> "object" + place);
        BY_TYPE.put(int[].class, place -> new int[] {place});
        BY_TYPE.put(long[].class, place -> new long[] {place});
        BY_TYPE.put(byte[].class, place -> new byte[] {(byte) place});
        BY_TYPE.put(String[].class, place -> new String[] {"a" + place});
        BY_TYPE.put(Object[].class, place -> new Object[] {place});
        BY_TYPE.put(Map.class, place -> Map.of("type" + place, String.class));
        BY_TYPE.put(Class.class, place -> ResultSet.class);
        BY_TYPE.put(OutputStream.class, place -> OutputStream.nullOutputStream());
        BY_TYPE.put(Writer.class, place -> new StringWriter());
        BY_TYPE.put(Properties.class, place -> new Properties());
        BY_TYPE.put(Calendar.class, place -> Calendar.getInstance(TimeZone.getTimeZone("UTC"), Locale.ROOT));
        BY_TYPE.put(BigDecimal.class, place -> BigDecimal.valueOf(place));
        BY_TYPE.put(Date.class, place -> new Date(place));
        BY_TYPE.put(Time.class, place -> new Time(place));
        BY_TYPE.put(Timestamp.class, place -> new Timestamp(place));
        BY_TYPE.put(SQLType.class, place -> JDBCType.DECIMAL);
        BY_TYPE.put(SQLWarning.class, place -> new SQLWarning("warning"));
        BY_TYPE.put(RowIdLifetime.class, place -> RowIdLifetime.ROWID_VALID_FOREVER);
        BY_TYPE.put(InputStream.class, place -> InputStream.nullInputStream());
        BY_TYPE.put(Reader.class, place -> Reader.nullReader());
        BY_TYPE.put(URL.class, place -> url());
    }

    private JdbcValues() {}

    private static URL url() {
        try {
            return URI.create("http://localhost/").toURL();
        } catch (MalformedURLException e) {
            throw new IllegalStateException(e);
        }
    }

    private static Object value(Class<?> type, int place) {
        IntFunction<Object> known = BY_TYPE.get(type);
        return known != null ? known.apply(place) : mock(type);
    }

    static Object[] arguments(Method method) {
        Class<?>[] types = method.getParameterTypes();
        Object[] arguments = new Object[types.length];
        for (int place = 0; place < types.length; place++) {
            arguments[place] = value(types[place], place);
        }
        return arguments;
    }

    /** Values the target may return: two where one could be a constant, and for objects all that lead on. */
    static List<Object> results(Method method) {
        Class<?> type = method.getReturnType();
        if (type == void.class) {
            return List.of();
        }
        if (type == Object.class && List.of(method.getParameterTypes()).contains(Class.class)) {
            return List.of(mock(ResultSet.class));
        }
        if (type == Object.class) {
            return List.of(
                    "object",
                    mock(ResultSet.class),
                    mock(Array.class),
                    mock(Struct.class),
                    mock(Ref.class),
                    mock(Blob.class),
                    mock(Clob.class),
                    mock(NClob.class),
                    mock(SQLXML.class),
                    mock(InputStream.class),
                    mock(Reader.class),
                    new Object[] {1, mock(Struct.class), new Struct[] {mock(Struct.class)}});
        }
        return type.isPrimitive() ? List.of(value(type, 0), value(type, 1)) : List.of(value(type, 0));
    }
}
