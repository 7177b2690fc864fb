// SPDX-License-Identifier: Apache-2.0
package io.flexpool.benchmarks.statementpath.isolated;

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
import java.sql.SQLWarning;
import java.sql.SQLXML;
import java.sql.Statement;
import java.sql.Time;
import java.sql.Timestamp;
import java.util.Calendar;
import java.util.Map;

/** A result set of which nothing works: its subclasses say what the cycle needs. */
public abstract class UnusedResultSet implements ResultSet {
    /** For subclasses. */
    protected UnusedResultSet() {}

    private static UnsupportedOperationException unused() {
        return new UnsupportedOperationException("not part of the cycle");
    }

    @Override
    public boolean absolute(int p1) throws SQLException {
        throw unused();
    }

    @Override
    public void afterLast() throws SQLException {
        throw unused();
    }

    @Override
    public void beforeFirst() throws SQLException {
        throw unused();
    }

    @Override
    public void cancelRowUpdates() throws SQLException {
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
    public void deleteRow() throws SQLException {
        throw unused();
    }

    @Override
    public int findColumn(String p1) throws SQLException {
        throw unused();
    }

    @Override
    public boolean first() throws SQLException {
        throw unused();
    }

    @Override
    public Array getArray(String p1) throws SQLException {
        throw unused();
    }

    @Override
    public Array getArray(int p1) throws SQLException {
        throw unused();
    }

    @Override
    public InputStream getAsciiStream(String p1) throws SQLException {
        throw unused();
    }

    @Override
    public InputStream getAsciiStream(int p1) throws SQLException {
        throw unused();
    }

    @Override
    public BigDecimal getBigDecimal(String p1) throws SQLException {
        throw unused();
    }

    @Override
    public BigDecimal getBigDecimal(int p1) throws SQLException {
        throw unused();
    }

    @Deprecated
    @Override
    public BigDecimal getBigDecimal(String p1, int p2) throws SQLException {
        throw unused();
    }

    @Deprecated
    @Override
    public BigDecimal getBigDecimal(int p1, int p2) throws SQLException {
        throw unused();
    }

    @Override
    public InputStream getBinaryStream(String p1) throws SQLException {
        throw unused();
    }

    @Override
    public InputStream getBinaryStream(int p1) throws SQLException {
        throw unused();
    }

    @Override
    public Blob getBlob(String p1) throws SQLException {
        throw unused();
    }

    @Override
    public Blob getBlob(int p1) throws SQLException {
        throw unused();
    }

    @Override
    public boolean getBoolean(String p1) throws SQLException {
        throw unused();
    }

    @Override
    public boolean getBoolean(int p1) throws SQLException {
        throw unused();
    }

    @Override
    public byte getByte(String p1) throws SQLException {
        throw unused();
    }

    @Override
    public byte getByte(int p1) throws SQLException {
        throw unused();
    }

    @Override
    public byte[] getBytes(String p1) throws SQLException {
        throw unused();
    }

    @Override
    public byte[] getBytes(int p1) throws SQLException {
        throw unused();
    }

    @Override
    public Reader getCharacterStream(String p1) throws SQLException {
        throw unused();
    }

    @Override
    public Reader getCharacterStream(int p1) throws SQLException {
        throw unused();
    }

    @Override
    public Clob getClob(String p1) throws SQLException {
        throw unused();
    }

    @Override
    public Clob getClob(int p1) throws SQLException {
        throw unused();
    }

    @Override
    public int getConcurrency() throws SQLException {
        throw unused();
    }

    @Override
    public String getCursorName() throws SQLException {
        throw unused();
    }

    @Override
    public Date getDate(String p1) throws SQLException {
        throw unused();
    }

    @Override
    public Date getDate(int p1) throws SQLException {
        throw unused();
    }

    @Override
    public Date getDate(String p1, Calendar p2) throws SQLException {
        throw unused();
    }

    @Override
    public Date getDate(int p1, Calendar p2) throws SQLException {
        throw unused();
    }

    @Override
    public double getDouble(String p1) throws SQLException {
        throw unused();
    }

    @Override
    public double getDouble(int p1) throws SQLException {
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
    public float getFloat(String p1) throws SQLException {
        throw unused();
    }

    @Override
    public float getFloat(int p1) throws SQLException {
        throw unused();
    }

    @Override
    public int getHoldability() throws SQLException {
        throw unused();
    }

    @Override
    public int getInt(String p1) throws SQLException {
        throw unused();
    }

    @Override
    public int getInt(int p1) throws SQLException {
        throw unused();
    }

    @Override
    public long getLong(String p1) throws SQLException {
        throw unused();
    }

    @Override
    public long getLong(int p1) throws SQLException {
        throw unused();
    }

    @Override
    public ResultSetMetaData getMetaData() throws SQLException {
        throw unused();
    }

    @Override
    public Reader getNCharacterStream(String p1) throws SQLException {
        throw unused();
    }

    @Override
    public Reader getNCharacterStream(int p1) throws SQLException {
        throw unused();
    }

    @Override
    public NClob getNClob(String p1) throws SQLException {
        throw unused();
    }

    @Override
    public NClob getNClob(int p1) throws SQLException {
        throw unused();
    }

    @Override
    public String getNString(String p1) throws SQLException {
        throw unused();
    }

    @Override
    public String getNString(int p1) throws SQLException {
        throw unused();
    }

    @Override
    public Object getObject(String p1) throws SQLException {
        throw unused();
    }

    @Override
    public Object getObject(int p1) throws SQLException {
        throw unused();
    }

    @Override
    public <T> T getObject(String p1, Class<T> p2) throws SQLException {
        throw unused();
    }

    @Override
    public Object getObject(String p1, Map<String, Class<?>> p2) throws SQLException {
        throw unused();
    }

    @Override
    public <T> T getObject(int p1, Class<T> p2) throws SQLException {
        throw unused();
    }

    @Override
    public Object getObject(int p1, Map<String, Class<?>> p2) throws SQLException {
        throw unused();
    }

    @Override
    public Ref getRef(String p1) throws SQLException {
        throw unused();
    }

    @Override
    public Ref getRef(int p1) throws SQLException {
        throw unused();
    }

    @Override
    public int getRow() throws SQLException {
        throw unused();
    }

    @Override
    public RowId getRowId(String p1) throws SQLException {
        throw unused();
    }

    @Override
    public RowId getRowId(int p1) throws SQLException {
        throw unused();
    }

    @Override
    public SQLXML getSQLXML(String p1) throws SQLException {
        throw unused();
    }

    @Override
    public SQLXML getSQLXML(int p1) throws SQLException {
        throw unused();
    }

    @Override
    public short getShort(String p1) throws SQLException {
        throw unused();
    }

    @Override
    public short getShort(int p1) throws SQLException {
        throw unused();
    }

    @Override
    public Statement getStatement() throws SQLException {
        throw unused();
    }

    @Override
    public String getString(String p1) throws SQLException {
        throw unused();
    }

    @Override
    public String getString(int p1) throws SQLException {
        throw unused();
    }

    @Override
    public Time getTime(String p1) throws SQLException {
        throw unused();
    }

    @Override
    public Time getTime(int p1) throws SQLException {
        throw unused();
    }

    @Override
    public Time getTime(String p1, Calendar p2) throws SQLException {
        throw unused();
    }

    @Override
    public Time getTime(int p1, Calendar p2) throws SQLException {
        throw unused();
    }

    @Override
    public Timestamp getTimestamp(String p1) throws SQLException {
        throw unused();
    }

    @Override
    public Timestamp getTimestamp(int p1) throws SQLException {
        throw unused();
    }

    @Override
    public Timestamp getTimestamp(String p1, Calendar p2) throws SQLException {
        throw unused();
    }

    @Override
    public Timestamp getTimestamp(int p1, Calendar p2) throws SQLException {
        throw unused();
    }

    @Override
    public int getType() throws SQLException {
        throw unused();
    }

    @Override
    public URL getURL(String p1) throws SQLException {
        throw unused();
    }

    @Override
    public URL getURL(int p1) throws SQLException {
        throw unused();
    }

    @Deprecated
    @Override
    public InputStream getUnicodeStream(String p1) throws SQLException {
        throw unused();
    }

    @Deprecated
    @Override
    public InputStream getUnicodeStream(int p1) throws SQLException {
        throw unused();
    }

    @Override
    public SQLWarning getWarnings() throws SQLException {
        throw unused();
    }

    @Override
    public void insertRow() throws SQLException {
        throw unused();
    }

    @Override
    public boolean isAfterLast() throws SQLException {
        throw unused();
    }

    @Override
    public boolean isBeforeFirst() throws SQLException {
        throw unused();
    }

    @Override
    public boolean isClosed() throws SQLException {
        throw unused();
    }

    @Override
    public boolean isFirst() throws SQLException {
        throw unused();
    }

    @Override
    public boolean isLast() throws SQLException {
        throw unused();
    }

    @Override
    public boolean isWrapperFor(Class<?> p1) throws SQLException {
        throw unused();
    }

    @Override
    public boolean last() throws SQLException {
        throw unused();
    }

    @Override
    public void moveToCurrentRow() throws SQLException {
        throw unused();
    }

    @Override
    public void moveToInsertRow() throws SQLException {
        throw unused();
    }

    @Override
    public boolean next() throws SQLException {
        throw unused();
    }

    @Override
    public boolean previous() throws SQLException {
        throw unused();
    }

    @Override
    public void refreshRow() throws SQLException {
        throw unused();
    }

    @Override
    public boolean relative(int p1) throws SQLException {
        throw unused();
    }

    @Override
    public boolean rowDeleted() throws SQLException {
        throw unused();
    }

    @Override
    public boolean rowInserted() throws SQLException {
        throw unused();
    }

    @Override
    public boolean rowUpdated() throws SQLException {
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
    public <T> T unwrap(Class<T> p1) throws SQLException {
        throw unused();
    }

    @Override
    public void updateArray(String p1, Array p2) throws SQLException {
        throw unused();
    }

    @Override
    public void updateArray(int p1, Array p2) throws SQLException {
        throw unused();
    }

    @Override
    public void updateAsciiStream(String p1, InputStream p2) throws SQLException {
        throw unused();
    }

    @Override
    public void updateAsciiStream(int p1, InputStream p2) throws SQLException {
        throw unused();
    }

    @Override
    public void updateAsciiStream(String p1, InputStream p2, int p3) throws SQLException {
        throw unused();
    }

    @Override
    public void updateAsciiStream(String p1, InputStream p2, long p3) throws SQLException {
        throw unused();
    }

    @Override
    public void updateAsciiStream(int p1, InputStream p2, int p3) throws SQLException {
        throw unused();
    }

    @Override
    public void updateAsciiStream(int p1, InputStream p2, long p3) throws SQLException {
        throw unused();
    }

    @Override
    public void updateBigDecimal(String p1, BigDecimal p2) throws SQLException {
        throw unused();
    }

    @Override
    public void updateBigDecimal(int p1, BigDecimal p2) throws SQLException {
        throw unused();
    }

    @Override
    public void updateBinaryStream(String p1, InputStream p2) throws SQLException {
        throw unused();
    }

    @Override
    public void updateBinaryStream(int p1, InputStream p2) throws SQLException {
        throw unused();
    }

    @Override
    public void updateBinaryStream(String p1, InputStream p2, int p3) throws SQLException {
        throw unused();
    }

    @Override
    public void updateBinaryStream(String p1, InputStream p2, long p3) throws SQLException {
        throw unused();
    }

    @Override
    public void updateBinaryStream(int p1, InputStream p2, int p3) throws SQLException {
        throw unused();
    }

    @Override
    public void updateBinaryStream(int p1, InputStream p2, long p3) throws SQLException {
        throw unused();
    }

    @Override
    public void updateBlob(String p1, InputStream p2) throws SQLException {
        throw unused();
    }

    @Override
    public void updateBlob(String p1, Blob p2) throws SQLException {
        throw unused();
    }

    @Override
    public void updateBlob(int p1, InputStream p2) throws SQLException {
        throw unused();
    }

    @Override
    public void updateBlob(int p1, Blob p2) throws SQLException {
        throw unused();
    }

    @Override
    public void updateBlob(String p1, InputStream p2, long p3) throws SQLException {
        throw unused();
    }

    @Override
    public void updateBlob(int p1, InputStream p2, long p3) throws SQLException {
        throw unused();
    }

    @Override
    public void updateBoolean(String p1, boolean p2) throws SQLException {
        throw unused();
    }

    @Override
    public void updateBoolean(int p1, boolean p2) throws SQLException {
        throw unused();
    }

    @Override
    public void updateByte(String p1, byte p2) throws SQLException {
        throw unused();
    }

    @Override
    public void updateByte(int p1, byte p2) throws SQLException {
        throw unused();
    }

    @Override
    public void updateBytes(String p1, byte[] p2) throws SQLException {
        throw unused();
    }

    @Override
    public void updateBytes(int p1, byte[] p2) throws SQLException {
        throw unused();
    }

    @Override
    public void updateCharacterStream(String p1, Reader p2) throws SQLException {
        throw unused();
    }

    @Override
    public void updateCharacterStream(int p1, Reader p2) throws SQLException {
        throw unused();
    }

    @Override
    public void updateCharacterStream(String p1, Reader p2, int p3) throws SQLException {
        throw unused();
    }

    @Override
    public void updateCharacterStream(String p1, Reader p2, long p3) throws SQLException {
        throw unused();
    }

    @Override
    public void updateCharacterStream(int p1, Reader p2, int p3) throws SQLException {
        throw unused();
    }

    @Override
    public void updateCharacterStream(int p1, Reader p2, long p3) throws SQLException {
        throw unused();
    }

    @Override
    public void updateClob(String p1, Reader p2) throws SQLException {
        throw unused();
    }

    @Override
    public void updateClob(String p1, Clob p2) throws SQLException {
        throw unused();
    }

    @Override
    public void updateClob(int p1, Reader p2) throws SQLException {
        throw unused();
    }

    @Override
    public void updateClob(int p1, Clob p2) throws SQLException {
        throw unused();
    }

    @Override
    public void updateClob(String p1, Reader p2, long p3) throws SQLException {
        throw unused();
    }

    @Override
    public void updateClob(int p1, Reader p2, long p3) throws SQLException {
        throw unused();
    }

    @Override
    public void updateDate(String p1, Date p2) throws SQLException {
        throw unused();
    }

    @Override
    public void updateDate(int p1, Date p2) throws SQLException {
        throw unused();
    }

    @Override
    public void updateDouble(String p1, double p2) throws SQLException {
        throw unused();
    }

    @Override
    public void updateDouble(int p1, double p2) throws SQLException {
        throw unused();
    }

    @Override
    public void updateFloat(String p1, float p2) throws SQLException {
        throw unused();
    }

    @Override
    public void updateFloat(int p1, float p2) throws SQLException {
        throw unused();
    }

    @Override
    public void updateInt(String p1, int p2) throws SQLException {
        throw unused();
    }

    @Override
    public void updateInt(int p1, int p2) throws SQLException {
        throw unused();
    }

    @Override
    public void updateLong(String p1, long p2) throws SQLException {
        throw unused();
    }

    @Override
    public void updateLong(int p1, long p2) throws SQLException {
        throw unused();
    }

    @Override
    public void updateNCharacterStream(String p1, Reader p2) throws SQLException {
        throw unused();
    }

    @Override
    public void updateNCharacterStream(int p1, Reader p2) throws SQLException {
        throw unused();
    }

    @Override
    public void updateNCharacterStream(String p1, Reader p2, long p3) throws SQLException {
        throw unused();
    }

    @Override
    public void updateNCharacterStream(int p1, Reader p2, long p3) throws SQLException {
        throw unused();
    }

    @Override
    public void updateNClob(String p1, Reader p2) throws SQLException {
        throw unused();
    }

    @Override
    public void updateNClob(String p1, NClob p2) throws SQLException {
        throw unused();
    }

    @Override
    public void updateNClob(int p1, Reader p2) throws SQLException {
        throw unused();
    }

    @Override
    public void updateNClob(int p1, NClob p2) throws SQLException {
        throw unused();
    }

    @Override
    public void updateNClob(String p1, Reader p2, long p3) throws SQLException {
        throw unused();
    }

    @Override
    public void updateNClob(int p1, Reader p2, long p3) throws SQLException {
        throw unused();
    }

    @Override
    public void updateNString(String p1, String p2) throws SQLException {
        throw unused();
    }

    @Override
    public void updateNString(int p1, String p2) throws SQLException {
        throw unused();
    }

    @Override
    public void updateNull(String p1) throws SQLException {
        throw unused();
    }

    @Override
    public void updateNull(int p1) throws SQLException {
        throw unused();
    }

    @Override
    public void updateObject(String p1, Object p2) throws SQLException {
        throw unused();
    }

    @Override
    public void updateObject(int p1, Object p2) throws SQLException {
        throw unused();
    }

    @Override
    public void updateObject(String p1, Object p2, int p3) throws SQLException {
        throw unused();
    }

    @Override
    public void updateObject(int p1, Object p2, int p3) throws SQLException {
        throw unused();
    }

    @Override
    public void updateRef(String p1, Ref p2) throws SQLException {
        throw unused();
    }

    @Override
    public void updateRef(int p1, Ref p2) throws SQLException {
        throw unused();
    }

    @Override
    public void updateRow() throws SQLException {
        throw unused();
    }

    @Override
    public void updateRowId(String p1, RowId p2) throws SQLException {
        throw unused();
    }

    @Override
    public void updateRowId(int p1, RowId p2) throws SQLException {
        throw unused();
    }

    @Override
    public void updateSQLXML(String p1, SQLXML p2) throws SQLException {
        throw unused();
    }

    @Override
    public void updateSQLXML(int p1, SQLXML p2) throws SQLException {
        throw unused();
    }

    @Override
    public void updateShort(String p1, short p2) throws SQLException {
        throw unused();
    }

    @Override
    public void updateShort(int p1, short p2) throws SQLException {
        throw unused();
    }

    @Override
    public void updateString(String p1, String p2) throws SQLException {
        throw unused();
    }

    @Override
    public void updateString(int p1, String p2) throws SQLException {
        throw unused();
    }

    @Override
    public void updateTime(String p1, Time p2) throws SQLException {
        throw unused();
    }

    @Override
    public void updateTime(int p1, Time p2) throws SQLException {
        throw unused();
    }

    @Override
    public void updateTimestamp(String p1, Timestamp p2) throws SQLException {
        throw unused();
    }

    @Override
    public void updateTimestamp(int p1, Timestamp p2) throws SQLException {
        throw unused();
    }

    @Override
    public boolean wasNull() throws SQLException {
        throw unused();
    }
}
