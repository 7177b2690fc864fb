// SPDX-License-Identifier: Apache-2.0
package io.flexpool.benchmarks.paired.isolated;

import java.sql.Array;
import java.sql.Blob;
import java.sql.CallableStatement;
import java.sql.Clob;
import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.NClob;
import java.sql.PreparedStatement;
import java.sql.SQLClientInfoException;
import java.sql.SQLException;
import java.sql.SQLWarning;
import java.sql.SQLXML;
import java.sql.Savepoint;
import java.sql.Statement;
import java.sql.Struct;
import java.util.Map;
import java.util.Properties;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/**
 * A connection of which nothing works: its subclasses say what their cycle needs. Hand-written classes and no
 * reflection proxy, because a proxy's own cost would be measured with them.
 */
public abstract class UnusedConnection implements Connection {
    /** For subclasses. */
    protected UnusedConnection() {}

    private static UnsupportedOperationException unused() {
        return new UnsupportedOperationException("not part of the cycle");
    }

    @Override
    public void abort(Executor p1) throws SQLException {
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
    public void commit() throws SQLException {
        throw unused();
    }

    @Override
    public Array createArrayOf(String p1, Object[] p2) throws SQLException {
        throw unused();
    }

    @Override
    public Blob createBlob() throws SQLException {
        throw unused();
    }

    @Override
    public Clob createClob() throws SQLException {
        throw unused();
    }

    @Override
    public NClob createNClob() throws SQLException {
        throw unused();
    }

    @Override
    public SQLXML createSQLXML() throws SQLException {
        throw unused();
    }

    @Override
    public Statement createStatement() throws SQLException {
        throw unused();
    }

    @Override
    public Statement createStatement(int p1, int p2) throws SQLException {
        throw unused();
    }

    @Override
    public Statement createStatement(int p1, int p2, int p3) throws SQLException {
        throw unused();
    }

    @Override
    public Struct createStruct(String p1, Object[] p2) throws SQLException {
        throw unused();
    }

    @Override
    public boolean getAutoCommit() throws SQLException {
        throw unused();
    }

    @Override
    public String getCatalog() throws SQLException {
        throw unused();
    }

    @Override
    public Properties getClientInfo() throws SQLException {
        throw unused();
    }

    @Override
    public String getClientInfo(String p1) throws SQLException {
        throw unused();
    }

    @Override
    public int getHoldability() throws SQLException {
        throw unused();
    }

    @Override
    public DatabaseMetaData getMetaData() throws SQLException {
        throw unused();
    }

    @Override
    public int getNetworkTimeout() throws SQLException {
        throw unused();
    }

    @Override
    public String getSchema() throws SQLException {
        throw unused();
    }

    @Override
    public int getTransactionIsolation() throws SQLException {
        throw unused();
    }

    @Override
    public Map<String, Class<?>> getTypeMap() throws SQLException {
        throw unused();
    }

    @Override
    public @Nullable SQLWarning getWarnings() throws SQLException {
        throw unused();
    }

    @Override
    public boolean isClosed() throws SQLException {
        throw unused();
    }

    @Override
    public boolean isReadOnly() throws SQLException {
        throw unused();
    }

    @Override
    public boolean isValid(int p1) throws SQLException {
        throw unused();
    }

    @Override
    public boolean isWrapperFor(Class<?> p1) throws SQLException {
        throw unused();
    }

    @Override
    public String nativeSQL(String p1) throws SQLException {
        throw unused();
    }

    @Override
    public CallableStatement prepareCall(String p1) throws SQLException {
        throw unused();
    }

    @Override
    public CallableStatement prepareCall(String p1, int p2, int p3) throws SQLException {
        throw unused();
    }

    @Override
    public CallableStatement prepareCall(String p1, int p2, int p3, int p4) throws SQLException {
        throw unused();
    }

    @Override
    public PreparedStatement prepareStatement(String p1) throws SQLException {
        throw unused();
    }

    @Override
    public PreparedStatement prepareStatement(String p1, int p2) throws SQLException {
        throw unused();
    }

    @Override
    public PreparedStatement prepareStatement(String p1, int[] p2) throws SQLException {
        throw unused();
    }

    @Override
    public PreparedStatement prepareStatement(String p1, String[] p2) throws SQLException {
        throw unused();
    }

    @Override
    public PreparedStatement prepareStatement(String p1, int p2, int p3) throws SQLException {
        throw unused();
    }

    @Override
    public PreparedStatement prepareStatement(String p1, int p2, int p3, int p4) throws SQLException {
        throw unused();
    }

    @Override
    public void releaseSavepoint(Savepoint p1) throws SQLException {
        throw unused();
    }

    @Override
    public void rollback() throws SQLException {
        throw unused();
    }

    @Override
    public void rollback(Savepoint p1) throws SQLException {
        throw unused();
    }

    @Override
    public void setAutoCommit(boolean p1) throws SQLException {
        throw unused();
    }

    @Override
    public void setCatalog(String p1) throws SQLException {
        throw unused();
    }

    @Override
    public void setClientInfo(Properties p1) throws SQLClientInfoException {
        throw unused();
    }

    @Override
    public void setClientInfo(String p1, String p2) throws SQLClientInfoException {
        throw unused();
    }

    @Override
    public void setHoldability(int p1) throws SQLException {
        throw unused();
    }

    @Override
    public void setNetworkTimeout(Executor p1, int p2) throws SQLException {
        throw unused();
    }

    @Override
    public void setReadOnly(boolean p1) throws SQLException {
        throw unused();
    }

    @Override
    public Savepoint setSavepoint() throws SQLException {
        throw unused();
    }

    @Override
    public Savepoint setSavepoint(String p1) throws SQLException {
        throw unused();
    }

    @Override
    public void setSchema(String p1) throws SQLException {
        throw unused();
    }

    @Override
    public void setTransactionIsolation(int p1) throws SQLException {
        throw unused();
    }

    @Override
    public void setTypeMap(Map<String, Class<?>> p1) throws SQLException {
        throw unused();
    }

    @Override
    public <T> T unwrap(Class<T> p1) throws SQLException {
        throw unused();
    }
}
