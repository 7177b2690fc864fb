// SPDX-License-Identifier: Apache-2.0
package io.flexpool.benchmarks.statementpath.isolated;

import java.io.InputStream;
import java.io.Reader;
import java.math.BigDecimal;
import java.net.URL;
import java.sql.Array;
import java.sql.Blob;
import java.sql.Clob;
import java.sql.Connection;
import java.sql.Date;
import java.sql.NClob;
import java.sql.ParameterMetaData;
import java.sql.PreparedStatement;
import java.sql.Ref;
import java.sql.ResultSet;
import java.sql.ResultSetMetaData;
import java.sql.RowId;
import java.sql.SQLException;
import java.sql.SQLWarning;
import java.sql.SQLXML;
import java.sql.Time;
import java.sql.Timestamp;
import java.util.Calendar;
import org.jspecify.annotations.Nullable;

/** A statement of which nothing works: its subclasses say what the cycle needs. */
public abstract class UnusedPreparedStatement implements PreparedStatement {
    /** For subclasses. */
    protected UnusedPreparedStatement() {}

    private static UnsupportedOperationException unused() {
        return new UnsupportedOperationException("not part of the cycle");
    }

    @Override
    public void addBatch() throws SQLException {
        throw unused();
    }

    @Override
    public void addBatch(String p1) throws SQLException {
        throw unused();
    }

    @Override
    public void cancel() throws SQLException {
        throw unused();
    }

    @Override
    public void clearBatch() throws SQLException {
        throw unused();
    }

    @Override
    public void clearParameters() throws SQLException {
        throw unused();
    }

    @Override
    public void clearWarnings() throws SQLException {
        throw unused();
    }

    @Override
    public void close() throws SQLException {
        throw unused();
    }

    @Override
    public void closeOnCompletion() throws SQLException {
        throw unused();
    }

    @Override
    public boolean execute() throws SQLException {
        throw unused();
    }

    @Override
    public boolean execute(String p1) throws SQLException {
        throw unused();
    }

    @Override
    public boolean execute(String p1, int[] p2) throws SQLException {
        throw unused();
    }

    @Override
    public boolean execute(String p1, String[] p2) throws SQLException {
        throw unused();
    }

    @Override
    public boolean execute(String p1, int p2) throws SQLException {
        throw unused();
    }

    @Override
    public int[] executeBatch() throws SQLException {
        throw unused();
    }

    @Override
    public ResultSet executeQuery() throws SQLException {
        throw unused();
    }

    @Override
    public ResultSet executeQuery(String p1) throws SQLException {
        throw unused();
    }

    @Override
    public int executeUpdate() throws SQLException {
        throw unused();
    }

    @Override
    public int executeUpdate(String p1) throws SQLException {
        throw unused();
    }

    @Override
    public int executeUpdate(String p1, int[] p2) throws SQLException {
        throw unused();
    }

    @Override
    public int executeUpdate(String p1, String[] p2) throws SQLException {
        throw unused();
    }

    @Override
    public int executeUpdate(String p1, int p2) throws SQLException {
        throw unused();
    }

    @Override
    public Connection getConnection() throws SQLException {
        throw unused();
    }

    @Override
    public int getFetchDirection() throws SQLException {
        throw unused();
    }

    @Override
    public int getFetchSize() throws SQLException {
        throw unused();
    }

    @Override
    public ResultSet getGeneratedKeys() throws SQLException {
        throw unused();
    }

    @Override
    public int getMaxFieldSize() throws SQLException {
        throw unused();
    }

    @Override
    public int getMaxRows() throws SQLException {
        throw unused();
    }

    @Override
    public ResultSetMetaData getMetaData() throws SQLException {
        throw unused();
    }

    @Override
    public boolean getMoreResults() throws SQLException {
        throw unused();
    }

    @Override
    public boolean getMoreResults(int p1) throws SQLException {
        throw unused();
    }

    @Override
    public ParameterMetaData getParameterMetaData() throws SQLException {
        throw unused();
    }

    @Override
    public int getQueryTimeout() throws SQLException {
        throw unused();
    }

    @Override
    public ResultSet getResultSet() throws SQLException {
        throw unused();
    }

    @Override
    public int getResultSetConcurrency() throws SQLException {
        throw unused();
    }

    @Override
    public int getResultSetHoldability() throws SQLException {
        throw unused();
    }

    @Override
    public int getResultSetType() throws SQLException {
        throw unused();
    }

    @Override
    public int getUpdateCount() throws SQLException {
        throw unused();
    }

    @Override
    public @Nullable SQLWarning getWarnings() throws SQLException {
        throw unused();
    }

    @Override
    public boolean isCloseOnCompletion() throws SQLException {
        throw unused();
    }

    @Override
    public boolean isClosed() throws SQLException {
        throw unused();
    }

    @Override
    public boolean isPoolable() throws SQLException {
        throw unused();
    }

    @Override
    public boolean isWrapperFor(Class<?> p1) throws SQLException {
        throw unused();
    }

    @Override
    public void setArray(int p1, Array p2) throws SQLException {
        throw unused();
    }

    @Override
    public void setAsciiStream(int p1, InputStream p2) throws SQLException {
        throw unused();
    }

    @Override
    public void setAsciiStream(int p1, InputStream p2, int p3) throws SQLException {
        throw unused();
    }

    @Override
    public void setAsciiStream(int p1, InputStream p2, long p3) throws SQLException {
        throw unused();
    }

    @Override
    public void setBigDecimal(int p1, BigDecimal p2) throws SQLException {
        throw unused();
    }

    @Override
    public void setBinaryStream(int p1, InputStream p2) throws SQLException {
        throw unused();
    }

    @Override
    public void setBinaryStream(int p1, InputStream p2, int p3) throws SQLException {
        throw unused();
    }

    @Override
    public void setBinaryStream(int p1, InputStream p2, long p3) throws SQLException {
        throw unused();
    }

    @Override
    public void setBlob(int p1, InputStream p2) throws SQLException {
        throw unused();
    }

    @Override
    public void setBlob(int p1, Blob p2) throws SQLException {
        throw unused();
    }

    @Override
    public void setBlob(int p1, InputStream p2, long p3) throws SQLException {
        throw unused();
    }

    @Override
    public void setBoolean(int p1, boolean p2) throws SQLException {
        throw unused();
    }

    @Override
    public void setByte(int p1, byte p2) throws SQLException {
        throw unused();
    }

    @Override
    public void setBytes(int p1, byte[] p2) throws SQLException {
        throw unused();
    }

    @Override
    public void setCharacterStream(int p1, Reader p2) throws SQLException {
        throw unused();
    }

    @Override
    public void setCharacterStream(int p1, Reader p2, int p3) throws SQLException {
        throw unused();
    }

    @Override
    public void setCharacterStream(int p1, Reader p2, long p3) throws SQLException {
        throw unused();
    }

    @Override
    public void setClob(int p1, Reader p2) throws SQLException {
        throw unused();
    }

    @Override
    public void setClob(int p1, Clob p2) throws SQLException {
        throw unused();
    }

    @Override
    public void setClob(int p1, Reader p2, long p3) throws SQLException {
        throw unused();
    }

    @Override
    public void setCursorName(String p1) throws SQLException {
        throw unused();
    }

    @Override
    public void setDate(int p1, Date p2) throws SQLException {
        throw unused();
    }

    @Override
    public void setDate(int p1, Date p2, Calendar p3) throws SQLException {
        throw unused();
    }

    @Override
    public void setDouble(int p1, double p2) throws SQLException {
        throw unused();
    }

    @Override
    public void setEscapeProcessing(boolean p1) throws SQLException {
        throw unused();
    }

    @Override
    public void setFetchDirection(int p1) throws SQLException {
        throw unused();
    }

    @Override
    public void setFetchSize(int p1) throws SQLException {
        throw unused();
    }

    @Override
    public void setFloat(int p1, float p2) throws SQLException {
        throw unused();
    }

    @Override
    public void setInt(int p1, int p2) throws SQLException {
        throw unused();
    }

    @Override
    public void setLong(int p1, long p2) throws SQLException {
        throw unused();
    }

    @Override
    public void setMaxFieldSize(int p1) throws SQLException {
        throw unused();
    }

    @Override
    public void setMaxRows(int p1) throws SQLException {
        throw unused();
    }

    @Override
    public void setNCharacterStream(int p1, Reader p2) throws SQLException {
        throw unused();
    }

    @Override
    public void setNCharacterStream(int p1, Reader p2, long p3) throws SQLException {
        throw unused();
    }

    @Override
    public void setNClob(int p1, Reader p2) throws SQLException {
        throw unused();
    }

    @Override
    public void setNClob(int p1, NClob p2) throws SQLException {
        throw unused();
    }

    @Override
    public void setNClob(int p1, Reader p2, long p3) throws SQLException {
        throw unused();
    }

    @Override
    public void setNString(int p1, String p2) throws SQLException {
        throw unused();
    }

    @Override
    public void setNull(int p1, int p2) throws SQLException {
        throw unused();
    }

    @Override
    public void setNull(int p1, int p2, String p3) throws SQLException {
        throw unused();
    }

    @Override
    public void setObject(int p1, Object p2) throws SQLException {
        throw unused();
    }

    @Override
    public void setObject(int p1, Object p2, int p3) throws SQLException {
        throw unused();
    }

    @Override
    public void setObject(int p1, Object p2, int p3, int p4) throws SQLException {
        throw unused();
    }

    @Override
    public void setPoolable(boolean p1) throws SQLException {
        throw unused();
    }

    @Override
    public void setQueryTimeout(int p1) throws SQLException {
        throw unused();
    }

    @Override
    public void setRef(int p1, Ref p2) throws SQLException {
        throw unused();
    }

    @Override
    public void setRowId(int p1, RowId p2) throws SQLException {
        throw unused();
    }

    @Override
    public void setSQLXML(int p1, SQLXML p2) throws SQLException {
        throw unused();
    }

    @Override
    public void setShort(int p1, short p2) throws SQLException {
        throw unused();
    }

    @Override
    public void setString(int p1, String p2) throws SQLException {
        throw unused();
    }

    @Override
    public void setTime(int p1, Time p2) throws SQLException {
        throw unused();
    }

    @Override
    public void setTime(int p1, Time p2, Calendar p3) throws SQLException {
        throw unused();
    }

    @Override
    public void setTimestamp(int p1, Timestamp p2) throws SQLException {
        throw unused();
    }

    @Override
    public void setTimestamp(int p1, Timestamp p2, Calendar p3) throws SQLException {
        throw unused();
    }

    @Override
    public void setURL(int p1, URL p2) throws SQLException {
        throw unused();
    }

    @Deprecated
    @Override
    public void setUnicodeStream(int p1, InputStream p2, int p3) throws SQLException {
        throw unused();
    }

    @Override
    public <T> T unwrap(Class<T> p1) throws SQLException {
        throw unused();
    }
}
