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
import java.sql.Ref;
import java.sql.ResultSet;
import java.sql.ResultSetMetaData;
import java.sql.RowId;
import java.sql.SQLException;
import java.sql.SQLType;
import java.sql.SQLWarning;
import java.sql.SQLXML;
import java.sql.Statement;
import java.sql.Time;
import java.sql.Timestamp;
import java.util.Calendar;
import java.util.Map;
import org.jspecify.annotations.NullUnmarked;

/**
 * A result set of a lease: it delegates to the pool's result set, and {@link #getStatement()} returns the application's
 * statement.
 *
 * <p>Once the lease has ended, every method except {@link #close()} throws, as in {@link LeasedStatement}.
 *
 * <p>A result set from a column leads back to the lease too, and so do arrays, structures, references and large
 * objects. {@link LeasedValues} wraps them for the application and unwraps them for the driver.
 *
 * <p>Three fields, 24 bytes with compressed references.
 */
@NullUnmarked
sealed class LeasedResultSet implements ResultSet permits LeasedResultSet.Watched {
    private final ResultSet target;
    final LeasedConnection connection;
    /** Null until requested if the result set is from DatabaseMetaData or from a column. */
    private LeasedStatement statement;

    /** Wraps the pool's result set; the statement is null if none created it. */
    LeasedResultSet(ResultSet target, LeasedStatement statement, LeasedConnection connection) {
        this.target = target;
        this.statement = statement;
        this.connection = connection;
    }

    /** Wraps a result set, as {@link Watched} if the lease's calls are measured; returns null for null. */
    static LeasedResultSet of(ResultSet target, LeasedStatement statement, LeasedConnection connection) {
        if (target == null) {
            return null;
        }
        return connection.watched()
                ? new Watched(target, statement, connection)
                : new LeasedResultSet(target, statement, connection);
    }

    private ResultSet open() throws SQLException {
        connection.check(target);
        return target;
    }

    /** Calls the target first: a closed result set refuses, and one without a statement returns null. */
    @Override
    public Statement getStatement() throws SQLException {
        Statement theirs = open().getStatement();
        if (theirs == null) {
            return null;
        }
        if (statement == null) {
            statement = LeasedStatement.of(theirs, connection);
        }
        return statement;
    }

    @Override
    public void close() throws SQLException {
        target.close();
    }

    @Override
    public boolean isClosed() throws SQLException {
        return connection.ended() || target.isClosed();
    }

    @Override
    public <T> T unwrap(Class<T> iface) throws SQLException {
        return Unwrapping.unwrap(iface, this, target, connection);
    }

    @Override
    public boolean isWrapperFor(Class<?> iface) throws SQLException {
        return Unwrapping.isWrapperFor(iface, this, target, connection);
    }

    @Override
    public String toString() {
        return "flexpool:" + target;
    }

    @Override
    public boolean next() throws SQLException {
        return open().next();
    }

    @Override
    public boolean wasNull() throws SQLException {
        return open().wasNull();
    }

    @Override
    public String getString(int column) throws SQLException {
        return open().getString(column);
    }

    @Override
    public boolean getBoolean(int column) throws SQLException {
        return open().getBoolean(column);
    }

    @Override
    public byte getByte(int column) throws SQLException {
        return open().getByte(column);
    }

    @Override
    public short getShort(int column) throws SQLException {
        return open().getShort(column);
    }

    @Override
    public int getInt(int column) throws SQLException {
        return open().getInt(column);
    }

    @Override
    public long getLong(int column) throws SQLException {
        return open().getLong(column);
    }

    @Override
    public float getFloat(int column) throws SQLException {
        return open().getFloat(column);
    }

    @Override
    public double getDouble(int column) throws SQLException {
        return open().getDouble(column);
    }

    @Override
    @SuppressWarnings("deprecation") // overrides a deprecated method, which callers may still call
    public BigDecimal getBigDecimal(int column, int scale) throws SQLException {
        return DeprecatedCalls.getBigDecimal(open(), column, scale);
    }

    @Override
    public byte[] getBytes(int column) throws SQLException {
        return open().getBytes(column);
    }

    @Override
    public Date getDate(int column) throws SQLException {
        return open().getDate(column);
    }

    @Override
    public Time getTime(int column) throws SQLException {
        return open().getTime(column);
    }

    @Override
    public Timestamp getTimestamp(int column) throws SQLException {
        return open().getTimestamp(column);
    }

    @Override
    public InputStream getAsciiStream(int column) throws SQLException {
        return LeasedStreams.out(open().getAsciiStream(column), connection);
    }

    @Override
    @SuppressWarnings("deprecation") // overrides a deprecated method, which callers may still call
    public InputStream getUnicodeStream(int column) throws SQLException {
        return LeasedStreams.out(DeprecatedCalls.getUnicodeStream(open(), column), connection);
    }

    @Override
    public InputStream getBinaryStream(int column) throws SQLException {
        return LeasedStreams.out(open().getBinaryStream(column), connection);
    }

    @Override
    public String getString(String label) throws SQLException {
        return open().getString(label);
    }

    @Override
    public boolean getBoolean(String label) throws SQLException {
        return open().getBoolean(label);
    }

    @Override
    public byte getByte(String label) throws SQLException {
        return open().getByte(label);
    }

    @Override
    public short getShort(String label) throws SQLException {
        return open().getShort(label);
    }

    @Override
    public int getInt(String label) throws SQLException {
        return open().getInt(label);
    }

    @Override
    public long getLong(String label) throws SQLException {
        return open().getLong(label);
    }

    @Override
    public float getFloat(String label) throws SQLException {
        return open().getFloat(label);
    }

    @Override
    public double getDouble(String label) throws SQLException {
        return open().getDouble(label);
    }

    @Override
    @SuppressWarnings("deprecation") // overrides a deprecated method, which callers may still call
    public BigDecimal getBigDecimal(String label, int scale) throws SQLException {
        return DeprecatedCalls.getBigDecimal(open(), label, scale);
    }

    @Override
    public byte[] getBytes(String label) throws SQLException {
        return open().getBytes(label);
    }

    @Override
    public Date getDate(String label) throws SQLException {
        return open().getDate(label);
    }

    @Override
    public Time getTime(String label) throws SQLException {
        return open().getTime(label);
    }

    @Override
    public Timestamp getTimestamp(String label) throws SQLException {
        return open().getTimestamp(label);
    }

    @Override
    public InputStream getAsciiStream(String label) throws SQLException {
        return LeasedStreams.out(open().getAsciiStream(label), connection);
    }

    @Override
    @SuppressWarnings("deprecation") // overrides a deprecated method, which callers may still call
    public InputStream getUnicodeStream(String label) throws SQLException {
        return LeasedStreams.out(DeprecatedCalls.getUnicodeStream(open(), label), connection);
    }

    @Override
    public InputStream getBinaryStream(String label) throws SQLException {
        return LeasedStreams.out(open().getBinaryStream(label), connection);
    }

    @Override
    public SQLWarning getWarnings() throws SQLException {
        return open().getWarnings();
    }

    @Override
    public void clearWarnings() throws SQLException {
        open().clearWarnings();
    }

    @Override
    public String getCursorName() throws SQLException {
        return open().getCursorName();
    }

    @Override
    public ResultSetMetaData getMetaData() throws SQLException {
        return LeasedResultSetMetaData.of(open().getMetaData(), connection);
    }

    @Override
    public Object getObject(int column) throws SQLException {
        return LeasedValues.out(open().getObject(column), connection);
    }

    @Override
    public Object getObject(String label) throws SQLException {
        return LeasedValues.out(open().getObject(label), connection);
    }

    @Override
    public int findColumn(String label) throws SQLException {
        return open().findColumn(label);
    }

    @Override
    public Reader getCharacterStream(int column) throws SQLException {
        return LeasedStreams.out(open().getCharacterStream(column), connection);
    }

    @Override
    public Reader getCharacterStream(String label) throws SQLException {
        return LeasedStreams.out(open().getCharacterStream(label), connection);
    }

    @Override
    public BigDecimal getBigDecimal(int column) throws SQLException {
        return open().getBigDecimal(column);
    }

    @Override
    public BigDecimal getBigDecimal(String label) throws SQLException {
        return open().getBigDecimal(label);
    }

    @Override
    public boolean isBeforeFirst() throws SQLException {
        return open().isBeforeFirst();
    }

    @Override
    public boolean isAfterLast() throws SQLException {
        return open().isAfterLast();
    }

    @Override
    public boolean isFirst() throws SQLException {
        return open().isFirst();
    }

    @Override
    public boolean isLast() throws SQLException {
        return open().isLast();
    }

    @Override
    public void beforeFirst() throws SQLException {
        open().beforeFirst();
    }

    @Override
    public void afterLast() throws SQLException {
        open().afterLast();
    }

    @Override
    public boolean first() throws SQLException {
        return open().first();
    }

    @Override
    public boolean last() throws SQLException {
        return open().last();
    }

    @Override
    public int getRow() throws SQLException {
        return open().getRow();
    }

    @Override
    public boolean absolute(int row) throws SQLException {
        return open().absolute(row);
    }

    @Override
    public boolean relative(int rows) throws SQLException {
        return open().relative(rows);
    }

    @Override
    public boolean previous() throws SQLException {
        return open().previous();
    }

    @Override
    public void setFetchDirection(int direction) throws SQLException {
        open().setFetchDirection(direction);
    }

    @Override
    public int getFetchDirection() throws SQLException {
        return open().getFetchDirection();
    }

    @Override
    public void setFetchSize(int rows) throws SQLException {
        open().setFetchSize(rows);
    }

    @Override
    public int getFetchSize() throws SQLException {
        return open().getFetchSize();
    }

    @Override
    public int getType() throws SQLException {
        return open().getType();
    }

    @Override
    public int getConcurrency() throws SQLException {
        return open().getConcurrency();
    }

    @Override
    public boolean rowUpdated() throws SQLException {
        return open().rowUpdated();
    }

    @Override
    public boolean rowInserted() throws SQLException {
        return open().rowInserted();
    }

    @Override
    public boolean rowDeleted() throws SQLException {
        return open().rowDeleted();
    }

    @Override
    public void updateNull(int column) throws SQLException {
        open().updateNull(column);
    }

    @Override
    public void updateBoolean(int column, boolean value) throws SQLException {
        open().updateBoolean(column, value);
    }

    @Override
    public void updateByte(int column, byte value) throws SQLException {
        open().updateByte(column, value);
    }

    @Override
    public void updateShort(int column, short value) throws SQLException {
        open().updateShort(column, value);
    }

    @Override
    public void updateInt(int column, int value) throws SQLException {
        open().updateInt(column, value);
    }

    @Override
    public void updateLong(int column, long value) throws SQLException {
        open().updateLong(column, value);
    }

    @Override
    public void updateFloat(int column, float value) throws SQLException {
        open().updateFloat(column, value);
    }

    @Override
    public void updateDouble(int column, double value) throws SQLException {
        open().updateDouble(column, value);
    }

    @Override
    public void updateBigDecimal(int column, BigDecimal value) throws SQLException {
        open().updateBigDecimal(column, value);
    }

    @Override
    public void updateString(int column, String value) throws SQLException {
        open().updateString(column, value);
    }

    @Override
    public void updateBytes(int column, byte[] value) throws SQLException {
        open().updateBytes(column, value);
    }

    @Override
    public void updateDate(int column, Date value) throws SQLException {
        open().updateDate(column, value);
    }

    @Override
    public void updateTime(int column, Time value) throws SQLException {
        open().updateTime(column, value);
    }

    @Override
    public void updateTimestamp(int column, Timestamp value) throws SQLException {
        open().updateTimestamp(column, value);
    }

    @Override
    public void updateAsciiStream(int column, InputStream stream, int length) throws SQLException {
        open().updateAsciiStream(column, stream, length);
    }

    @Override
    public void updateBinaryStream(int column, InputStream stream, int length) throws SQLException {
        open().updateBinaryStream(column, stream, length);
    }

    @Override
    public void updateCharacterStream(int column, Reader reader, int length) throws SQLException {
        open().updateCharacterStream(column, reader, length);
    }

    @Override
    public void updateObject(int column, Object value, int scaleOrLength) throws SQLException {
        open().updateObject(column, LeasedValues.in(value), scaleOrLength);
    }

    @Override
    public void updateObject(int column, Object value) throws SQLException {
        open().updateObject(column, LeasedValues.in(value));
    }

    @Override
    public void updateNull(String label) throws SQLException {
        open().updateNull(label);
    }

    @Override
    public void updateBoolean(String label, boolean value) throws SQLException {
        open().updateBoolean(label, value);
    }

    @Override
    public void updateByte(String label, byte value) throws SQLException {
        open().updateByte(label, value);
    }

    @Override
    public void updateShort(String label, short value) throws SQLException {
        open().updateShort(label, value);
    }

    @Override
    public void updateInt(String label, int value) throws SQLException {
        open().updateInt(label, value);
    }

    @Override
    public void updateLong(String label, long value) throws SQLException {
        open().updateLong(label, value);
    }

    @Override
    public void updateFloat(String label, float value) throws SQLException {
        open().updateFloat(label, value);
    }

    @Override
    public void updateDouble(String label, double value) throws SQLException {
        open().updateDouble(label, value);
    }

    @Override
    public void updateBigDecimal(String label, BigDecimal value) throws SQLException {
        open().updateBigDecimal(label, value);
    }

    @Override
    public void updateString(String label, String value) throws SQLException {
        open().updateString(label, value);
    }

    @Override
    public void updateBytes(String label, byte[] value) throws SQLException {
        open().updateBytes(label, value);
    }

    @Override
    public void updateDate(String label, Date value) throws SQLException {
        open().updateDate(label, value);
    }

    @Override
    public void updateTime(String label, Time value) throws SQLException {
        open().updateTime(label, value);
    }

    @Override
    public void updateTimestamp(String label, Timestamp value) throws SQLException {
        open().updateTimestamp(label, value);
    }

    @Override
    public void updateAsciiStream(String label, InputStream stream, int length) throws SQLException {
        open().updateAsciiStream(label, stream, length);
    }

    @Override
    public void updateBinaryStream(String label, InputStream stream, int length) throws SQLException {
        open().updateBinaryStream(label, stream, length);
    }

    @Override
    public void updateCharacterStream(String label, Reader reader, int length) throws SQLException {
        open().updateCharacterStream(label, reader, length);
    }

    @Override
    public void updateObject(String label, Object value, int scaleOrLength) throws SQLException {
        open().updateObject(label, LeasedValues.in(value), scaleOrLength);
    }

    @Override
    public void updateObject(String label, Object value) throws SQLException {
        open().updateObject(label, LeasedValues.in(value));
    }

    @Override
    public void insertRow() throws SQLException {
        try {
            open().insertRow();
        } catch (SQLException thrown) {
            throw connection.failed(thrown);
        }
    }

    @Override
    public void updateRow() throws SQLException {
        try {
            open().updateRow();
        } catch (SQLException thrown) {
            throw connection.failed(thrown);
        }
    }

    @Override
    public void deleteRow() throws SQLException {
        try {
            open().deleteRow();
        } catch (SQLException thrown) {
            throw connection.failed(thrown);
        }
    }

    @Override
    public void refreshRow() throws SQLException {
        open().refreshRow();
    }

    @Override
    public void cancelRowUpdates() throws SQLException {
        open().cancelRowUpdates();
    }

    @Override
    public void moveToInsertRow() throws SQLException {
        open().moveToInsertRow();
    }

    @Override
    public void moveToCurrentRow() throws SQLException {
        open().moveToCurrentRow();
    }

    @Override
    public Object getObject(int column, Map<String, Class<?>> map) throws SQLException {
        return LeasedValues.out(open().getObject(column, map), connection);
    }

    @Override
    public Ref getRef(int column) throws SQLException {
        return LeasedValues.out(open().getRef(column), connection);
    }

    @Override
    public Blob getBlob(int column) throws SQLException {
        return LeasedValues.out(open().getBlob(column), connection);
    }

    @Override
    public Clob getClob(int column) throws SQLException {
        return LeasedValues.out(open().getClob(column), connection);
    }

    @Override
    public Array getArray(int column) throws SQLException {
        return LeasedValues.out(open().getArray(column), connection);
    }

    @Override
    public Object getObject(String label, Map<String, Class<?>> map) throws SQLException {
        return LeasedValues.out(open().getObject(label, map), connection);
    }

    @Override
    public Ref getRef(String label) throws SQLException {
        return LeasedValues.out(open().getRef(label), connection);
    }

    @Override
    public Blob getBlob(String label) throws SQLException {
        return LeasedValues.out(open().getBlob(label), connection);
    }

    @Override
    public Clob getClob(String label) throws SQLException {
        return LeasedValues.out(open().getClob(label), connection);
    }

    @Override
    public Array getArray(String label) throws SQLException {
        return LeasedValues.out(open().getArray(label), connection);
    }

    @Override
    public Date getDate(int column, Calendar calendar) throws SQLException {
        return open().getDate(column, calendar);
    }

    @Override
    public Date getDate(String label, Calendar calendar) throws SQLException {
        return open().getDate(label, calendar);
    }

    @Override
    public Time getTime(int column, Calendar calendar) throws SQLException {
        return open().getTime(column, calendar);
    }

    @Override
    public Time getTime(String label, Calendar calendar) throws SQLException {
        return open().getTime(label, calendar);
    }

    @Override
    public Timestamp getTimestamp(int column, Calendar calendar) throws SQLException {
        return open().getTimestamp(column, calendar);
    }

    @Override
    public Timestamp getTimestamp(String label, Calendar calendar) throws SQLException {
        return open().getTimestamp(label, calendar);
    }

    @Override
    public URL getURL(int column) throws SQLException {
        return open().getURL(column);
    }

    @Override
    public URL getURL(String label) throws SQLException {
        return open().getURL(label);
    }

    @Override
    public void updateRef(int column, Ref value) throws SQLException {
        open().updateRef(column, LeasedValues.in(value));
    }

    @Override
    public void updateRef(String label, Ref value) throws SQLException {
        open().updateRef(label, LeasedValues.in(value));
    }

    @Override
    public void updateBlob(int column, Blob value) throws SQLException {
        open().updateBlob(column, LeasedValues.in(value));
    }

    @Override
    public void updateBlob(String label, Blob value) throws SQLException {
        open().updateBlob(label, LeasedValues.in(value));
    }

    @Override
    public void updateClob(int column, Clob value) throws SQLException {
        open().updateClob(column, LeasedValues.in(value));
    }

    @Override
    public void updateClob(String label, Clob value) throws SQLException {
        open().updateClob(label, LeasedValues.in(value));
    }

    @Override
    public void updateArray(int column, Array value) throws SQLException {
        open().updateArray(column, LeasedValues.in(value));
    }

    @Override
    public void updateArray(String label, Array value) throws SQLException {
        open().updateArray(label, LeasedValues.in(value));
    }

    @Override
    public RowId getRowId(int column) throws SQLException {
        return open().getRowId(column);
    }

    @Override
    public RowId getRowId(String label) throws SQLException {
        return open().getRowId(label);
    }

    @Override
    public void updateRowId(int column, RowId value) throws SQLException {
        open().updateRowId(column, value);
    }

    @Override
    public void updateRowId(String label, RowId value) throws SQLException {
        open().updateRowId(label, value);
    }

    @Override
    public int getHoldability() throws SQLException {
        return open().getHoldability();
    }

    @Override
    public void updateNString(int column, String value) throws SQLException {
        open().updateNString(column, value);
    }

    @Override
    public void updateNString(String label, String value) throws SQLException {
        open().updateNString(label, value);
    }

    @Override
    public void updateNClob(int column, NClob value) throws SQLException {
        open().updateNClob(column, LeasedValues.in(value));
    }

    @Override
    public void updateNClob(String label, NClob value) throws SQLException {
        open().updateNClob(label, LeasedValues.in(value));
    }

    @Override
    public NClob getNClob(int column) throws SQLException {
        return LeasedValues.out(open().getNClob(column), connection);
    }

    @Override
    public NClob getNClob(String label) throws SQLException {
        return LeasedValues.out(open().getNClob(label), connection);
    }

    @Override
    public SQLXML getSQLXML(int column) throws SQLException {
        return LeasedValues.out(open().getSQLXML(column), connection);
    }

    @Override
    public SQLXML getSQLXML(String label) throws SQLException {
        return LeasedValues.out(open().getSQLXML(label), connection);
    }

    @Override
    public void updateSQLXML(int column, SQLXML value) throws SQLException {
        open().updateSQLXML(column, LeasedValues.in(value));
    }

    @Override
    public void updateSQLXML(String label, SQLXML value) throws SQLException {
        open().updateSQLXML(label, LeasedValues.in(value));
    }

    @Override
    public String getNString(int column) throws SQLException {
        return open().getNString(column);
    }

    @Override
    public String getNString(String label) throws SQLException {
        return open().getNString(label);
    }

    @Override
    public Reader getNCharacterStream(int column) throws SQLException {
        return LeasedStreams.out(open().getNCharacterStream(column), connection);
    }

    @Override
    public Reader getNCharacterStream(String label) throws SQLException {
        return LeasedStreams.out(open().getNCharacterStream(label), connection);
    }

    @Override
    public void updateNCharacterStream(int column, Reader reader, long length) throws SQLException {
        open().updateNCharacterStream(column, reader, length);
    }

    @Override
    public void updateNCharacterStream(String label, Reader reader, long length) throws SQLException {
        open().updateNCharacterStream(label, reader, length);
    }

    @Override
    public void updateAsciiStream(int column, InputStream stream, long length) throws SQLException {
        open().updateAsciiStream(column, stream, length);
    }

    @Override
    public void updateBinaryStream(int column, InputStream stream, long length) throws SQLException {
        open().updateBinaryStream(column, stream, length);
    }

    @Override
    public void updateCharacterStream(int column, Reader reader, long length) throws SQLException {
        open().updateCharacterStream(column, reader, length);
    }

    @Override
    public void updateAsciiStream(String label, InputStream stream, long length) throws SQLException {
        open().updateAsciiStream(label, stream, length);
    }

    @Override
    public void updateBinaryStream(String label, InputStream stream, long length) throws SQLException {
        open().updateBinaryStream(label, stream, length);
    }

    @Override
    public void updateCharacterStream(String label, Reader reader, long length) throws SQLException {
        open().updateCharacterStream(label, reader, length);
    }

    @Override
    public void updateBlob(int column, InputStream stream, long length) throws SQLException {
        open().updateBlob(column, stream, length);
    }

    @Override
    public void updateBlob(String label, InputStream stream, long length) throws SQLException {
        open().updateBlob(label, stream, length);
    }

    @Override
    public void updateClob(int column, Reader reader, long length) throws SQLException {
        open().updateClob(column, reader, length);
    }

    @Override
    public void updateClob(String label, Reader reader, long length) throws SQLException {
        open().updateClob(label, reader, length);
    }

    @Override
    public void updateNClob(int column, Reader reader, long length) throws SQLException {
        open().updateNClob(column, reader, length);
    }

    @Override
    public void updateNClob(String label, Reader reader, long length) throws SQLException {
        open().updateNClob(label, reader, length);
    }

    @Override
    public void updateNCharacterStream(int column, Reader reader) throws SQLException {
        open().updateNCharacterStream(column, reader);
    }

    @Override
    public void updateNCharacterStream(String label, Reader reader) throws SQLException {
        open().updateNCharacterStream(label, reader);
    }

    @Override
    public void updateAsciiStream(int column, InputStream stream) throws SQLException {
        open().updateAsciiStream(column, stream);
    }

    @Override
    public void updateBinaryStream(int column, InputStream stream) throws SQLException {
        open().updateBinaryStream(column, stream);
    }

    @Override
    public void updateCharacterStream(int column, Reader reader) throws SQLException {
        open().updateCharacterStream(column, reader);
    }

    @Override
    public void updateAsciiStream(String label, InputStream stream) throws SQLException {
        open().updateAsciiStream(label, stream);
    }

    @Override
    public void updateBinaryStream(String label, InputStream stream) throws SQLException {
        open().updateBinaryStream(label, stream);
    }

    @Override
    public void updateCharacterStream(String label, Reader reader) throws SQLException {
        open().updateCharacterStream(label, reader);
    }

    @Override
    public void updateBlob(int column, InputStream stream) throws SQLException {
        open().updateBlob(column, stream);
    }

    @Override
    public void updateBlob(String label, InputStream stream) throws SQLException {
        open().updateBlob(label, stream);
    }

    @Override
    public void updateClob(int column, Reader reader) throws SQLException {
        open().updateClob(column, reader);
    }

    @Override
    public void updateClob(String label, Reader reader) throws SQLException {
        open().updateClob(label, reader);
    }

    @Override
    public void updateNClob(int column, Reader reader) throws SQLException {
        open().updateNClob(column, reader);
    }

    @Override
    public void updateNClob(String label, Reader reader) throws SQLException {
        open().updateNClob(label, reader);
    }

    @Override
    public <T> T getObject(int column, Class<T> type) throws SQLException {
        return LeasedValues.out(open().getObject(column, type), type, connection);
    }

    @Override
    public <T> T getObject(String label, Class<T> type) throws SQLException {
        return LeasedValues.out(open().getObject(label, type), type, connection);
    }

    @Override
    public void updateObject(int column, Object value, SQLType type, int scaleOrLength) throws SQLException {
        open().updateObject(column, LeasedValues.in(value), type, scaleOrLength);
    }

    @Override
    public void updateObject(String label, Object value, SQLType type, int scaleOrLength) throws SQLException {
        open().updateObject(label, LeasedValues.in(value), type, scaleOrLength);
    }

    @Override
    public void updateObject(int column, Object value, SQLType type) throws SQLException {
        open().updateObject(column, LeasedValues.in(value), type);
    }

    @Override
    public void updateObject(String label, Object value, SQLType type) throws SQLException {
        open().updateObject(label, LeasedValues.in(value), type);
    }

    /**
     * A result set of a watched lease: its close is reported as a call into the database, unless all rows of a
     * statement were read. A separate class, because the two flags make the object 32 bytes instead of 24.
     *
     * <p>A driver that fetches rows as they are read may discard the remaining rows on close, which takes as long as
     * reading them (MariaDB Connector/J). A driver with a cursor on the server closes it. Once {@link #next()} has
     * found the end, the drivers of PostgreSQL and MariaDB only drop the rows: two clock readings would cost more. A
     * cursor from a column is always reported: PostgreSQL's is closed by a separate statement.
     */
    static final class Watched extends LeasedResultSet {
        private final boolean fromStatement;
        /** Whether {@link #next()} has found the end of a statement's result. */
        private boolean readToItsEnd;

        Watched(ResultSet target, LeasedStatement statement, LeasedConnection connection) {
            super(target, statement, connection);
            this.fromStatement = statement != null;
        }

        @Override
        public boolean next() throws SQLException {
            if (super.next()) {
                return true;
            }
            readToItsEnd = fromStatement;
            return false;
        }

        @Override
        public void close() throws SQLException {
            if (readToItsEnd) {
                super.close();
            } else {
                connection.begin(null);
                try {
                    super.close();
                } finally {
                    connection.leave();
                }
            }
        }
    }
}
