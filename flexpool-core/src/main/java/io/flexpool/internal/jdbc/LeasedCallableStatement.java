// SPDX-License-Identifier: Apache-2.0
package io.flexpool.internal.jdbc;

import java.io.InputStream;
import java.io.Reader;
import java.math.BigDecimal;
import java.net.URL;
import java.sql.Array;
import java.sql.Blob;
import java.sql.CallableStatement;
import java.sql.Clob;
import java.sql.Date;
import java.sql.NClob;
import java.sql.Ref;
import java.sql.RowId;
import java.sql.SQLException;
import java.sql.SQLType;
import java.sql.SQLXML;
import java.sql.Time;
import java.sql.Timestamp;
import java.util.Calendar;
import java.util.Map;
import org.jspecify.annotations.NullUnmarked;

/**
 * A callable statement of a lease; see {@link LeasedStatement}. Result sets that it returns as values (cursors) and all
 * types in {@link LeasedValues} lead back to the lease too.
 */
@NullUnmarked
sealed class LeasedCallableStatement extends LeasedPreparedStatement implements CallableStatement
        permits LeasedCallableStatement.Noted {
    LeasedCallableStatement(CallableStatement target, LeasedConnection connection) {
        super(target, connection);
    }

    /** A cast instead of a field: a fourth reference would make the object 32 bytes instead of 24. */
    private CallableStatement callable() throws SQLException {
        return (CallableStatement) prepared();
    }

    @Override
    public void registerOutParameter(int index, int sqlType) throws SQLException {
        callable().registerOutParameter(index, sqlType);
    }

    @Override
    public void registerOutParameter(int index, int sqlType, int scale) throws SQLException {
        callable().registerOutParameter(index, sqlType, scale);
    }

    @Override
    public boolean wasNull() throws SQLException {
        return callable().wasNull();
    }

    @Override
    public String getString(int index) throws SQLException {
        return callable().getString(index);
    }

    @Override
    public boolean getBoolean(int index) throws SQLException {
        return callable().getBoolean(index);
    }

    @Override
    public byte getByte(int index) throws SQLException {
        return callable().getByte(index);
    }

    @Override
    public short getShort(int index) throws SQLException {
        return callable().getShort(index);
    }

    @Override
    public int getInt(int index) throws SQLException {
        return callable().getInt(index);
    }

    @Override
    public long getLong(int index) throws SQLException {
        return callable().getLong(index);
    }

    @Override
    public float getFloat(int index) throws SQLException {
        return callable().getFloat(index);
    }

    @Override
    public double getDouble(int index) throws SQLException {
        return callable().getDouble(index);
    }

    @Override
    @SuppressWarnings("deprecation") // overrides a deprecated method, which callers may still call
    public BigDecimal getBigDecimal(int index, int scale) throws SQLException {
        return DeprecatedCalls.getBigDecimal(callable(), index, scale);
    }

    @Override
    public byte[] getBytes(int index) throws SQLException {
        return callable().getBytes(index);
    }

    @Override
    public Date getDate(int index) throws SQLException {
        return callable().getDate(index);
    }

    @Override
    public Time getTime(int index) throws SQLException {
        return callable().getTime(index);
    }

    @Override
    public Timestamp getTimestamp(int index) throws SQLException {
        return callable().getTimestamp(index);
    }

    @Override
    public Object getObject(int index) throws SQLException {
        return LeasedValues.out(callable().getObject(index), connection);
    }

    @Override
    public BigDecimal getBigDecimal(int index) throws SQLException {
        return callable().getBigDecimal(index);
    }

    @Override
    public Object getObject(int index, Map<String, Class<?>> map) throws SQLException {
        return LeasedValues.out(callable().getObject(index, map), connection);
    }

    @Override
    public Ref getRef(int index) throws SQLException {
        return LeasedValues.out(callable().getRef(index), connection);
    }

    @Override
    public Blob getBlob(int index) throws SQLException {
        return LeasedValues.out(callable().getBlob(index), connection);
    }

    @Override
    public Clob getClob(int index) throws SQLException {
        return LeasedValues.out(callable().getClob(index), connection);
    }

    @Override
    public Array getArray(int index) throws SQLException {
        return LeasedValues.out(callable().getArray(index), connection);
    }

    @Override
    public Date getDate(int index, Calendar calendar) throws SQLException {
        return callable().getDate(index, calendar);
    }

    @Override
    public Time getTime(int index, Calendar calendar) throws SQLException {
        return callable().getTime(index, calendar);
    }

    @Override
    public Timestamp getTimestamp(int index, Calendar calendar) throws SQLException {
        return callable().getTimestamp(index, calendar);
    }

    @Override
    public void registerOutParameter(int index, int sqlType, String typeName) throws SQLException {
        callable().registerOutParameter(index, sqlType, typeName);
    }

    @Override
    public void registerOutParameter(String name, int sqlType) throws SQLException {
        callable().registerOutParameter(name, sqlType);
    }

    @Override
    public void registerOutParameter(String name, int sqlType, int scale) throws SQLException {
        callable().registerOutParameter(name, sqlType, scale);
    }

    @Override
    public void registerOutParameter(String name, int sqlType, String typeName) throws SQLException {
        callable().registerOutParameter(name, sqlType, typeName);
    }

    @Override
    public URL getURL(int index) throws SQLException {
        return callable().getURL(index);
    }

    @Override
    public void setURL(String name, URL value) throws SQLException {
        callable().setURL(name, value);
    }

    @Override
    public void setNull(String name, int sqlType) throws SQLException {
        callable().setNull(name, sqlType);
    }

    @Override
    public void setBoolean(String name, boolean value) throws SQLException {
        callable().setBoolean(name, value);
    }

    @Override
    public void setByte(String name, byte value) throws SQLException {
        callable().setByte(name, value);
    }

    @Override
    public void setShort(String name, short value) throws SQLException {
        callable().setShort(name, value);
    }

    @Override
    public void setInt(String name, int value) throws SQLException {
        callable().setInt(name, value);
    }

    @Override
    public void setLong(String name, long value) throws SQLException {
        callable().setLong(name, value);
    }

    @Override
    public void setFloat(String name, float value) throws SQLException {
        callable().setFloat(name, value);
    }

    @Override
    public void setDouble(String name, double value) throws SQLException {
        callable().setDouble(name, value);
    }

    @Override
    public void setBigDecimal(String name, BigDecimal value) throws SQLException {
        callable().setBigDecimal(name, value);
    }

    @Override
    public void setString(String name, String value) throws SQLException {
        callable().setString(name, value);
    }

    @Override
    public void setBytes(String name, byte[] value) throws SQLException {
        callable().setBytes(name, value);
    }

    @Override
    public void setDate(String name, Date value) throws SQLException {
        callable().setDate(name, value);
    }

    @Override
    public void setTime(String name, Time value) throws SQLException {
        callable().setTime(name, value);
    }

    @Override
    public void setTimestamp(String name, Timestamp value) throws SQLException {
        callable().setTimestamp(name, value);
    }

    @Override
    public void setAsciiStream(String name, InputStream stream, int length) throws SQLException {
        callable().setAsciiStream(name, stream, length);
    }

    @Override
    public void setBinaryStream(String name, InputStream stream, int length) throws SQLException {
        callable().setBinaryStream(name, stream, length);
    }

    @Override
    public void setObject(String name, Object value, int sqlType, int scaleOrLength) throws SQLException {
        callable().setObject(name, LeasedValues.in(value), sqlType, scaleOrLength);
    }

    @Override
    public void setObject(String name, Object value, int sqlType) throws SQLException {
        callable().setObject(name, LeasedValues.in(value), sqlType);
    }

    @Override
    public void setObject(String name, Object value) throws SQLException {
        callable().setObject(name, LeasedValues.in(value));
    }

    @Override
    public void setCharacterStream(String name, Reader reader, int length) throws SQLException {
        callable().setCharacterStream(name, reader, length);
    }

    @Override
    public void setDate(String name, Date value, Calendar calendar) throws SQLException {
        callable().setDate(name, value, calendar);
    }

    @Override
    public void setTime(String name, Time value, Calendar calendar) throws SQLException {
        callable().setTime(name, value, calendar);
    }

    @Override
    public void setTimestamp(String name, Timestamp value, Calendar calendar) throws SQLException {
        callable().setTimestamp(name, value, calendar);
    }

    @Override
    public void setNull(String name, int sqlType, String typeName) throws SQLException {
        callable().setNull(name, sqlType, typeName);
    }

    @Override
    public String getString(String name) throws SQLException {
        return callable().getString(name);
    }

    @Override
    public boolean getBoolean(String name) throws SQLException {
        return callable().getBoolean(name);
    }

    @Override
    public byte getByte(String name) throws SQLException {
        return callable().getByte(name);
    }

    @Override
    public short getShort(String name) throws SQLException {
        return callable().getShort(name);
    }

    @Override
    public int getInt(String name) throws SQLException {
        return callable().getInt(name);
    }

    @Override
    public long getLong(String name) throws SQLException {
        return callable().getLong(name);
    }

    @Override
    public float getFloat(String name) throws SQLException {
        return callable().getFloat(name);
    }

    @Override
    public double getDouble(String name) throws SQLException {
        return callable().getDouble(name);
    }

    @Override
    public byte[] getBytes(String name) throws SQLException {
        return callable().getBytes(name);
    }

    @Override
    public Date getDate(String name) throws SQLException {
        return callable().getDate(name);
    }

    @Override
    public Time getTime(String name) throws SQLException {
        return callable().getTime(name);
    }

    @Override
    public Timestamp getTimestamp(String name) throws SQLException {
        return callable().getTimestamp(name);
    }

    @Override
    public Object getObject(String name) throws SQLException {
        return LeasedValues.out(callable().getObject(name), connection);
    }

    @Override
    public BigDecimal getBigDecimal(String name) throws SQLException {
        return callable().getBigDecimal(name);
    }

    @Override
    public Object getObject(String name, Map<String, Class<?>> map) throws SQLException {
        return LeasedValues.out(callable().getObject(name, map), connection);
    }

    @Override
    public Ref getRef(String name) throws SQLException {
        return LeasedValues.out(callable().getRef(name), connection);
    }

    @Override
    public Blob getBlob(String name) throws SQLException {
        return LeasedValues.out(callable().getBlob(name), connection);
    }

    @Override
    public Clob getClob(String name) throws SQLException {
        return LeasedValues.out(callable().getClob(name), connection);
    }

    @Override
    public Array getArray(String name) throws SQLException {
        return LeasedValues.out(callable().getArray(name), connection);
    }

    @Override
    public Date getDate(String name, Calendar calendar) throws SQLException {
        return callable().getDate(name, calendar);
    }

    @Override
    public Time getTime(String name, Calendar calendar) throws SQLException {
        return callable().getTime(name, calendar);
    }

    @Override
    public Timestamp getTimestamp(String name, Calendar calendar) throws SQLException {
        return callable().getTimestamp(name, calendar);
    }

    @Override
    public URL getURL(String name) throws SQLException {
        return callable().getURL(name);
    }

    @Override
    public RowId getRowId(int index) throws SQLException {
        return callable().getRowId(index);
    }

    @Override
    public RowId getRowId(String name) throws SQLException {
        return callable().getRowId(name);
    }

    @Override
    public void setRowId(String name, RowId value) throws SQLException {
        callable().setRowId(name, value);
    }

    @Override
    public void setNString(String name, String value) throws SQLException {
        callable().setNString(name, value);
    }

    @Override
    public void setNCharacterStream(String name, Reader reader, long length) throws SQLException {
        callable().setNCharacterStream(name, reader, length);
    }

    @Override
    public void setNClob(String name, NClob value) throws SQLException {
        callable().setNClob(name, LeasedValues.in(value));
    }

    @Override
    public void setClob(String name, Reader reader, long length) throws SQLException {
        callable().setClob(name, reader, length);
    }

    @Override
    public void setBlob(String name, InputStream stream, long length) throws SQLException {
        callable().setBlob(name, stream, length);
    }

    @Override
    public void setNClob(String name, Reader reader, long length) throws SQLException {
        callable().setNClob(name, reader, length);
    }

    @Override
    public NClob getNClob(int index) throws SQLException {
        return LeasedValues.out(callable().getNClob(index), connection);
    }

    @Override
    public NClob getNClob(String name) throws SQLException {
        return LeasedValues.out(callable().getNClob(name), connection);
    }

    @Override
    public void setSQLXML(String name, SQLXML value) throws SQLException {
        callable().setSQLXML(name, LeasedValues.in(value));
    }

    @Override
    public SQLXML getSQLXML(int index) throws SQLException {
        return LeasedValues.out(callable().getSQLXML(index), connection);
    }

    @Override
    public SQLXML getSQLXML(String name) throws SQLException {
        return LeasedValues.out(callable().getSQLXML(name), connection);
    }

    @Override
    public String getNString(int index) throws SQLException {
        return callable().getNString(index);
    }

    @Override
    public String getNString(String name) throws SQLException {
        return callable().getNString(name);
    }

    @Override
    public Reader getNCharacterStream(int index) throws SQLException {
        return LeasedStreams.out(callable().getNCharacterStream(index), connection);
    }

    @Override
    public Reader getNCharacterStream(String name) throws SQLException {
        return LeasedStreams.out(callable().getNCharacterStream(name), connection);
    }

    @Override
    public Reader getCharacterStream(int index) throws SQLException {
        return LeasedStreams.out(callable().getCharacterStream(index), connection);
    }

    @Override
    public Reader getCharacterStream(String name) throws SQLException {
        return LeasedStreams.out(callable().getCharacterStream(name), connection);
    }

    @Override
    public void setBlob(String name, Blob value) throws SQLException {
        callable().setBlob(name, LeasedValues.in(value));
    }

    @Override
    public void setClob(String name, Clob value) throws SQLException {
        callable().setClob(name, LeasedValues.in(value));
    }

    @Override
    public void setAsciiStream(String name, InputStream stream, long length) throws SQLException {
        callable().setAsciiStream(name, stream, length);
    }

    @Override
    public void setBinaryStream(String name, InputStream stream, long length) throws SQLException {
        callable().setBinaryStream(name, stream, length);
    }

    @Override
    public void setCharacterStream(String name, Reader reader, long length) throws SQLException {
        callable().setCharacterStream(name, reader, length);
    }

    @Override
    public void setAsciiStream(String name, InputStream stream) throws SQLException {
        callable().setAsciiStream(name, stream);
    }

    @Override
    public void setBinaryStream(String name, InputStream stream) throws SQLException {
        callable().setBinaryStream(name, stream);
    }

    @Override
    public void setCharacterStream(String name, Reader reader) throws SQLException {
        callable().setCharacterStream(name, reader);
    }

    @Override
    public void setNCharacterStream(String name, Reader reader) throws SQLException {
        callable().setNCharacterStream(name, reader);
    }

    @Override
    public void setClob(String name, Reader reader) throws SQLException {
        callable().setClob(name, reader);
    }

    @Override
    public void setBlob(String name, InputStream stream) throws SQLException {
        callable().setBlob(name, stream);
    }

    @Override
    public void setNClob(String name, Reader reader) throws SQLException {
        callable().setNClob(name, reader);
    }

    @Override
    public <T> T getObject(int index, Class<T> type) throws SQLException {
        return LeasedValues.out(callable().getObject(index, type), type, connection);
    }

    @Override
    public <T> T getObject(String name, Class<T> type) throws SQLException {
        return LeasedValues.out(callable().getObject(name, type), type, connection);
    }

    @Override
    public void setObject(String name, Object value, SQLType type, int scaleOrLength) throws SQLException {
        callable().setObject(name, LeasedValues.in(value), type, scaleOrLength);
    }

    @Override
    public void setObject(String name, Object value, SQLType type) throws SQLException {
        callable().setObject(name, LeasedValues.in(value), type);
    }

    @Override
    public void registerOutParameter(int index, SQLType type) throws SQLException {
        callable().registerOutParameter(index, type);
    }

    @Override
    public void registerOutParameter(int index, SQLType type, int scale) throws SQLException {
        callable().registerOutParameter(index, type, scale);
    }

    @Override
    public void registerOutParameter(int index, SQLType type, String typeName) throws SQLException {
        callable().registerOutParameter(index, type, typeName);
    }

    @Override
    public void registerOutParameter(String name, SQLType type) throws SQLException {
        callable().registerOutParameter(name, type);
    }

    @Override
    public void registerOutParameter(String name, SQLType type, int scale) throws SQLException {
        callable().registerOutParameter(name, type, scale);
    }

    @Override
    public void registerOutParameter(String name, SQLType type, String typeName) throws SQLException {
        callable().registerOutParameter(name, type, typeName);
    }

    /** Like {@link LeasedPreparedStatement.Noted}, for a callable statement. */
    static final class Noted extends LeasedCallableStatement {
        private final String sql;

        Noted(CallableStatement target, LeasedConnection connection, String sql) {
            super(target, connection);
            this.sql = sql;
        }

        @Override
        String sql() {
            return sql;
        }
    }
}
