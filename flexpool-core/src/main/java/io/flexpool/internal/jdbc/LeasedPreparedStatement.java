// SPDX-License-Identifier: Apache-2.0
package io.flexpool.internal.jdbc;

import java.io.InputStream;
import java.io.Reader;
import java.math.BigDecimal;
import java.net.URL;
import java.sql.Array;
import java.sql.Blob;
import java.sql.Clob;
import java.sql.Date;
import java.sql.NClob;
import java.sql.ParameterMetaData;
import java.sql.PreparedStatement;
import java.sql.Ref;
import java.sql.ResultSet;
import java.sql.ResultSetMetaData;
import java.sql.RowId;
import java.sql.SQLException;
import java.sql.SQLType;
import java.sql.SQLXML;
import java.sql.Time;
import java.sql.Timestamp;
import java.util.Calendar;
import org.jspecify.annotations.NullUnmarked;

/**
 * A prepared statement of a lease; see {@link LeasedStatement}.
 *
 * <p>A second reference to the same target, so that a call needs no cast: three fields are still 24 bytes.
 */
@NullUnmarked
sealed class LeasedPreparedStatement extends LeasedStatement implements PreparedStatement
        permits LeasedCallableStatement, LeasedPreparedStatement.Noted {
    private final PreparedStatement prepared;

    LeasedPreparedStatement(PreparedStatement target, LeasedConnection connection) {
        super(target, connection);
        this.prepared = target;
    }

    /** The target while the lease lasts. */
    final PreparedStatement prepared() throws SQLException {
        connection.check(prepared);
        return prepared;
    }

    @Override
    public ResultSet executeQuery() throws SQLException {
        connection.enter(prepared, sql());
        try {
            return leased(prepared.executeQuery());
        } catch (SQLException thrown) {
            throw connection.failed(thrown);
        } finally {
            connection.leave();
        }
    }

    @Override
    public int executeUpdate() throws SQLException {
        connection.enter(prepared, sql());
        try {
            return prepared.executeUpdate();
        } catch (SQLException thrown) {
            throw connection.failed(thrown);
        } finally {
            connection.leave();
        }
    }

    @Override
    public void setNull(int index, int sqlType) throws SQLException {
        prepared().setNull(index, sqlType);
    }

    @Override
    public void setBoolean(int index, boolean value) throws SQLException {
        prepared().setBoolean(index, value);
    }

    @Override
    public void setByte(int index, byte value) throws SQLException {
        prepared().setByte(index, value);
    }

    @Override
    public void setShort(int index, short value) throws SQLException {
        prepared().setShort(index, value);
    }

    @Override
    public void setInt(int index, int value) throws SQLException {
        prepared().setInt(index, value);
    }

    @Override
    public void setLong(int index, long value) throws SQLException {
        prepared().setLong(index, value);
    }

    @Override
    public void setFloat(int index, float value) throws SQLException {
        prepared().setFloat(index, value);
    }

    @Override
    public void setDouble(int index, double value) throws SQLException {
        prepared().setDouble(index, value);
    }

    @Override
    public void setBigDecimal(int index, BigDecimal value) throws SQLException {
        prepared().setBigDecimal(index, value);
    }

    @Override
    public void setString(int index, String value) throws SQLException {
        prepared().setString(index, value);
    }

    @Override
    public void setBytes(int index, byte[] value) throws SQLException {
        prepared().setBytes(index, value);
    }

    @Override
    public void setDate(int index, Date value) throws SQLException {
        prepared().setDate(index, value);
    }

    @Override
    public void setTime(int index, Time value) throws SQLException {
        prepared().setTime(index, value);
    }

    @Override
    public void setTimestamp(int index, Timestamp value) throws SQLException {
        prepared().setTimestamp(index, value);
    }

    @Override
    public void setAsciiStream(int index, InputStream stream, int length) throws SQLException {
        prepared().setAsciiStream(index, stream, length);
    }

    @Override
    @SuppressWarnings("deprecation") // overrides a deprecated method, which callers may still call
    public void setUnicodeStream(int index, InputStream stream, int length) throws SQLException {
        DeprecatedCalls.setUnicodeStream(prepared(), index, stream, length);
    }

    @Override
    public void setBinaryStream(int index, InputStream stream, int length) throws SQLException {
        prepared().setBinaryStream(index, stream, length);
    }

    @Override
    public void clearParameters() throws SQLException {
        prepared().clearParameters();
    }

    @Override
    public void setObject(int index, Object value, int sqlType) throws SQLException {
        prepared().setObject(index, LeasedValues.in(value), sqlType);
    }

    @Override
    public void setObject(int index, Object value) throws SQLException {
        prepared().setObject(index, LeasedValues.in(value));
    }

    @Override
    public boolean execute() throws SQLException {
        connection.enter(prepared, sql());
        try {
            return prepared.execute();
        } catch (SQLException thrown) {
            throw connection.failed(thrown);
        } finally {
            connection.leave();
        }
    }

    @Override
    public void addBatch() throws SQLException {
        prepared().addBatch();
    }

    @Override
    public void setCharacterStream(int index, Reader reader, int length) throws SQLException {
        prepared().setCharacterStream(index, reader, length);
    }

    @Override
    public void setRef(int index, Ref value) throws SQLException {
        prepared().setRef(index, LeasedValues.in(value));
    }

    @Override
    public void setBlob(int index, Blob value) throws SQLException {
        prepared().setBlob(index, LeasedValues.in(value));
    }

    @Override
    public void setClob(int index, Clob value) throws SQLException {
        prepared().setClob(index, LeasedValues.in(value));
    }

    @Override
    public void setArray(int index, Array value) throws SQLException {
        prepared().setArray(index, LeasedValues.in(value));
    }

    @Override
    public ResultSetMetaData getMetaData() throws SQLException {
        return LeasedResultSetMetaData.of(prepared().getMetaData(), connection);
    }

    @Override
    public void setDate(int index, Date value, Calendar calendar) throws SQLException {
        prepared().setDate(index, value, calendar);
    }

    @Override
    public void setTime(int index, Time value, Calendar calendar) throws SQLException {
        prepared().setTime(index, value, calendar);
    }

    @Override
    public void setTimestamp(int index, Timestamp value, Calendar calendar) throws SQLException {
        prepared().setTimestamp(index, value, calendar);
    }

    @Override
    public void setNull(int index, int sqlType, String typeName) throws SQLException {
        prepared().setNull(index, sqlType, typeName);
    }

    @Override
    public void setURL(int index, URL value) throws SQLException {
        prepared().setURL(index, value);
    }

    @Override
    public ParameterMetaData getParameterMetaData() throws SQLException {
        return LeasedParameterMetaData.of(prepared().getParameterMetaData(), connection);
    }

    @Override
    public void setRowId(int index, RowId value) throws SQLException {
        prepared().setRowId(index, value);
    }

    @Override
    public void setNString(int index, String value) throws SQLException {
        prepared().setNString(index, value);
    }

    @Override
    public void setNCharacterStream(int index, Reader reader, long length) throws SQLException {
        prepared().setNCharacterStream(index, reader, length);
    }

    @Override
    public void setNClob(int index, NClob value) throws SQLException {
        prepared().setNClob(index, LeasedValues.in(value));
    }

    @Override
    public void setClob(int index, Reader reader, long length) throws SQLException {
        prepared().setClob(index, reader, length);
    }

    @Override
    public void setBlob(int index, InputStream stream, long length) throws SQLException {
        prepared().setBlob(index, stream, length);
    }

    @Override
    public void setNClob(int index, Reader reader, long length) throws SQLException {
        prepared().setNClob(index, reader, length);
    }

    @Override
    public void setSQLXML(int index, SQLXML value) throws SQLException {
        prepared().setSQLXML(index, LeasedValues.in(value));
    }

    @Override
    public void setObject(int index, Object value, int sqlType, int scaleOrLength) throws SQLException {
        prepared().setObject(index, LeasedValues.in(value), sqlType, scaleOrLength);
    }

    @Override
    public void setAsciiStream(int index, InputStream stream, long length) throws SQLException {
        prepared().setAsciiStream(index, stream, length);
    }

    @Override
    public void setBinaryStream(int index, InputStream stream, long length) throws SQLException {
        prepared().setBinaryStream(index, stream, length);
    }

    @Override
    public void setCharacterStream(int index, Reader reader, long length) throws SQLException {
        prepared().setCharacterStream(index, reader, length);
    }

    @Override
    public void setAsciiStream(int index, InputStream stream) throws SQLException {
        prepared().setAsciiStream(index, stream);
    }

    @Override
    public void setBinaryStream(int index, InputStream stream) throws SQLException {
        prepared().setBinaryStream(index, stream);
    }

    @Override
    public void setCharacterStream(int index, Reader reader) throws SQLException {
        prepared().setCharacterStream(index, reader);
    }

    @Override
    public void setNCharacterStream(int index, Reader reader) throws SQLException {
        prepared().setNCharacterStream(index, reader);
    }

    @Override
    public void setClob(int index, Reader reader) throws SQLException {
        prepared().setClob(index, reader);
    }

    @Override
    public void setBlob(int index, InputStream stream) throws SQLException {
        prepared().setBlob(index, stream);
    }

    @Override
    public void setNClob(int index, Reader reader) throws SQLException {
        prepared().setNClob(index, reader);
    }

    @Override
    public void setObject(int index, Object value, SQLType type, int scaleOrLength) throws SQLException {
        prepared().setObject(index, LeasedValues.in(value), type, scaleOrLength);
    }

    @Override
    public void setObject(int index, Object value, SQLType type) throws SQLException {
        prepared().setObject(index, LeasedValues.in(value), type);
    }

    @Override
    public long executeLargeUpdate() throws SQLException {
        connection.enter(prepared, sql());
        try {
            return prepared.executeLargeUpdate();
        } catch (SQLException thrown) {
            throw connection.failed(thrown);
        } finally {
            connection.leave();
        }
    }

    /**
     * A prepared statement of a watched lease: it keeps its text, so that reports show what runs. A separate class,
     * because a fourth reference makes the object 32 bytes instead of 24.
     */
    static final class Noted extends LeasedPreparedStatement {
        private final String sql;

        Noted(PreparedStatement target, LeasedConnection connection, String sql) {
            super(target, connection);
            this.sql = sql;
        }

        @Override
        String sql() {
            return sql;
        }
    }
}
