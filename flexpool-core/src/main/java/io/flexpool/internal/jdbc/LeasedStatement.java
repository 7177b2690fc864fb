// SPDX-License-Identifier: Apache-2.0
package io.flexpool.internal.jdbc;

import java.sql.CallableStatement;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.SQLWarning;
import java.sql.Statement;
import org.jspecify.annotations.NullUnmarked;

/**
 * A statement of a lease: plain delegation to the pool's statement, and a way back to the lease instead of the pool's
 * connection.
 *
 * <p>Once the lease has ended, every method throws an SQLException. Except as {@link ClosedExceptions} does, none calls
 * the pool's statement, which may serve another borrower by then. Only {@link #close()} still calls it: many pools
 * leave statements open, and a late close must free them.
 *
 * <p>Two fields, 24 bytes with compressed references.
 */
@NullUnmarked
sealed class LeasedStatement implements Statement permits LeasedPreparedStatement {
    private final Statement target;
    final LeasedConnection connection;

    LeasedStatement(Statement target, LeasedConnection connection) {
        this.target = target;
        this.connection = connection;
    }

    /** A wrapper of the same type as the target, for a call that does not determine the type. */
    static LeasedStatement of(Statement target, LeasedConnection connection) {
        if (target instanceof CallableStatement callable) {
            return new LeasedCallableStatement(callable, connection);
        }
        if (target instanceof PreparedStatement prepared) {
            return new LeasedPreparedStatement(prepared, connection);
        }
        return new LeasedStatement(target, connection);
    }

    /** A prepared statement's text; null for others, and unless the lease is watched. */
    String sql() {
        return null;
    }

    private Statement open() throws SQLException {
        connection.check(target);
        return target;
    }

    final ResultSet leased(ResultSet results) {
        return LeasedResultSet.of(results, this, connection);
    }

    /** Calls the target first: a closed statement refuses. */
    @Override
    public final Connection getConnection() throws SQLException {
        return open().getConnection() == null ? null : connection;
    }

    @Override
    public final void close() throws SQLException {
        target.close();
    }

    @Override
    public final boolean isClosed() throws SQLException {
        return connection.ended() || target.isClosed();
    }

    @Override
    public final <T> T unwrap(Class<T> iface) throws SQLException {
        return Unwrapping.unwrap(iface, this, target, connection);
    }

    @Override
    public final boolean isWrapperFor(Class<?> iface) throws SQLException {
        return Unwrapping.isWrapperFor(iface, this, target, connection);
    }

    @Override
    public final String toString() {
        return "flexpool:" + target;
    }

    @Override
    public ResultSet executeQuery(String sql) throws SQLException {
        connection.enter(target, sql);
        try {
            return leased(target.executeQuery(sql));
        } catch (SQLException thrown) {
            throw connection.failed(thrown);
        } finally {
            connection.leave();
        }
    }

    @Override
    public ResultSet getResultSet() throws SQLException {
        connection.enter(target, null);
        try {
            return leased(target.getResultSet());
        } finally {
            connection.leave();
        }
    }

    @Override
    public ResultSet getGeneratedKeys() throws SQLException {
        connection.enter(target, null);
        try {
            return leased(target.getGeneratedKeys());
        } finally {
            connection.leave();
        }
    }

    @Override
    public int executeUpdate(String sql) throws SQLException {
        connection.enter(target, sql);
        try {
            return target.executeUpdate(sql);
        } catch (SQLException thrown) {
            throw connection.failed(thrown);
        } finally {
            connection.leave();
        }
    }

    @Override
    public int getMaxFieldSize() throws SQLException {
        return open().getMaxFieldSize();
    }

    @Override
    public void setMaxFieldSize(int max) throws SQLException {
        open().setMaxFieldSize(max);
    }

    @Override
    public int getMaxRows() throws SQLException {
        return open().getMaxRows();
    }

    @Override
    public void setMaxRows(int max) throws SQLException {
        open().setMaxRows(max);
    }

    @Override
    public void setEscapeProcessing(boolean enable) throws SQLException {
        open().setEscapeProcessing(enable);
    }

    @Override
    public int getQueryTimeout() throws SQLException {
        return open().getQueryTimeout();
    }

    @Override
    public void setQueryTimeout(int seconds) throws SQLException {
        open().setQueryTimeout(seconds);
    }

    @Override
    public void cancel() throws SQLException {
        open().cancel();
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
    public void setCursorName(String name) throws SQLException {
        open().setCursorName(name);
    }

    @Override
    public boolean execute(String sql) throws SQLException {
        connection.enter(target, sql);
        try {
            return target.execute(sql);
        } catch (SQLException thrown) {
            throw connection.failed(thrown);
        } finally {
            connection.leave();
        }
    }

    @Override
    public int getUpdateCount() throws SQLException {
        return open().getUpdateCount();
    }

    @Override
    public boolean getMoreResults() throws SQLException {
        connection.enter(target, null);
        try {
            return target.getMoreResults();
        } finally {
            connection.leave();
        }
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
    public int getResultSetConcurrency() throws SQLException {
        return open().getResultSetConcurrency();
    }

    @Override
    public int getResultSetType() throws SQLException {
        return open().getResultSetType();
    }

    @Override
    public void addBatch(String sql) throws SQLException {
        Statement open = open();
        connection.executes(sql);
        open.addBatch(sql);
    }

    @Override
    public void clearBatch() throws SQLException {
        open().clearBatch();
    }

    @Override
    public int[] executeBatch() throws SQLException {
        connection.enter(target, sql());
        try {
            return target.executeBatch();
        } catch (SQLException thrown) {
            throw connection.failed(thrown);
        } finally {
            connection.leave();
        }
    }

    @Override
    public boolean getMoreResults(int current) throws SQLException {
        connection.enter(target, null);
        try {
            return target.getMoreResults(current);
        } finally {
            connection.leave();
        }
    }

    @Override
    public int executeUpdate(String sql, int autoGeneratedKeys) throws SQLException {
        connection.enter(target, sql);
        try {
            return target.executeUpdate(sql, autoGeneratedKeys);
        } catch (SQLException thrown) {
            throw connection.failed(thrown);
        } finally {
            connection.leave();
        }
    }

    @Override
    public int executeUpdate(String sql, int[] columnIndexes) throws SQLException {
        connection.enter(target, sql);
        try {
            return target.executeUpdate(sql, columnIndexes);
        } catch (SQLException thrown) {
            throw connection.failed(thrown);
        } finally {
            connection.leave();
        }
    }

    @Override
    public int executeUpdate(String sql, String[] columnNames) throws SQLException {
        connection.enter(target, sql);
        try {
            return target.executeUpdate(sql, columnNames);
        } catch (SQLException thrown) {
            throw connection.failed(thrown);
        } finally {
            connection.leave();
        }
    }

    @Override
    public boolean execute(String sql, int autoGeneratedKeys) throws SQLException {
        connection.enter(target, sql);
        try {
            return target.execute(sql, autoGeneratedKeys);
        } catch (SQLException thrown) {
            throw connection.failed(thrown);
        } finally {
            connection.leave();
        }
    }

    @Override
    public boolean execute(String sql, int[] columnIndexes) throws SQLException {
        connection.enter(target, sql);
        try {
            return target.execute(sql, columnIndexes);
        } catch (SQLException thrown) {
            throw connection.failed(thrown);
        } finally {
            connection.leave();
        }
    }

    @Override
    public boolean execute(String sql, String[] columnNames) throws SQLException {
        connection.enter(target, sql);
        try {
            return target.execute(sql, columnNames);
        } catch (SQLException thrown) {
            throw connection.failed(thrown);
        } finally {
            connection.leave();
        }
    }

    @Override
    public int getResultSetHoldability() throws SQLException {
        return open().getResultSetHoldability();
    }

    @Override
    public void setPoolable(boolean poolable) throws SQLException {
        open().setPoolable(poolable);
    }

    @Override
    public boolean isPoolable() throws SQLException {
        return open().isPoolable();
    }

    @Override
    public void closeOnCompletion() throws SQLException {
        open().closeOnCompletion();
    }

    @Override
    public boolean isCloseOnCompletion() throws SQLException {
        return open().isCloseOnCompletion();
    }

    @Override
    public long getLargeUpdateCount() throws SQLException {
        return open().getLargeUpdateCount();
    }

    @Override
    public void setLargeMaxRows(long max) throws SQLException {
        open().setLargeMaxRows(max);
    }

    @Override
    public long getLargeMaxRows() throws SQLException {
        return open().getLargeMaxRows();
    }

    @Override
    public long[] executeLargeBatch() throws SQLException {
        connection.enter(target, sql());
        try {
            return target.executeLargeBatch();
        } catch (SQLException thrown) {
            throw connection.failed(thrown);
        } finally {
            connection.leave();
        }
    }

    @Override
    public long executeLargeUpdate(String sql) throws SQLException {
        connection.enter(target, sql);
        try {
            return target.executeLargeUpdate(sql);
        } catch (SQLException thrown) {
            throw connection.failed(thrown);
        } finally {
            connection.leave();
        }
    }

    @Override
    public long executeLargeUpdate(String sql, int autoGeneratedKeys) throws SQLException {
        connection.enter(target, sql);
        try {
            return target.executeLargeUpdate(sql, autoGeneratedKeys);
        } catch (SQLException thrown) {
            throw connection.failed(thrown);
        } finally {
            connection.leave();
        }
    }

    @Override
    public long executeLargeUpdate(String sql, int[] columnIndexes) throws SQLException {
        connection.enter(target, sql);
        try {
            return target.executeLargeUpdate(sql, columnIndexes);
        } catch (SQLException thrown) {
            throw connection.failed(thrown);
        } finally {
            connection.leave();
        }
    }

    @Override
    public long executeLargeUpdate(String sql, String[] columnNames) throws SQLException {
        connection.enter(target, sql);
        try {
            return target.executeLargeUpdate(sql, columnNames);
        } catch (SQLException thrown) {
            throw connection.failed(thrown);
        } finally {
            connection.leave();
        }
    }

    @Override
    public String enquoteLiteral(String value) throws SQLException {
        return open().enquoteLiteral(value);
    }

    @Override
    public String enquoteIdentifier(String identifier, boolean alwaysQuote) throws SQLException {
        return open().enquoteIdentifier(identifier, alwaysQuote);
    }

    @Override
    public boolean isSimpleIdentifier(String identifier) throws SQLException {
        return open().isSimpleIdentifier(identifier);
    }

    @Override
    public String enquoteNCharLiteral(String value) throws SQLException {
        return open().enquoteNCharLiteral(value);
    }
}
