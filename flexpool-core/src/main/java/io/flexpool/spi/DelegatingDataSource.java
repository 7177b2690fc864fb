// SPDX-License-Identifier: Apache-2.0
package io.flexpool.spi;

import java.io.PrintWriter;
import java.sql.Connection;
import java.sql.ConnectionBuilder;
import java.sql.SQLException;
import java.sql.SQLFeatureNotSupportedException;
import java.sql.ShardingKeyBuilder;
import java.util.logging.Logger;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * A wrapped pool in the form that a framework expects: a subclass adds the framework's interface and life cycle.
 * Delegates all other calls, without a check or an allocation; unwraps to itself, then like the pool. For the
 * integrations of frameworks, not for applications. Thread-safe.
 */
public abstract class DelegatingDataSource implements DataSource {
    /** Called by subclasses. */
    protected DelegatingDataSource() {}

    /**
     * The pool that receives all calls.
     *
     * @return the pool; read for each call
     * @throws SQLException if there is no pool yet
     */
    protected abstract DataSource pool() throws SQLException;

    @Override
    public Connection getConnection() throws SQLException {
        return pool().getConnection();
    }

    @Override
    public Connection getConnection(@Nullable String user, @Nullable String password) throws SQLException {
        return pool().getConnection(user, password);
    }

    @Override
    public ConnectionBuilder createConnectionBuilder() throws SQLException {
        return pool().createConnectionBuilder();
    }

    @Override
    public ShardingKeyBuilder createShardingKeyBuilder() throws SQLException {
        return pool().createShardingKeyBuilder();
    }

    @Override
    public <T> T unwrap(Class<T> type) throws SQLException {
        return type.isInstance(this) ? type.cast(this) : pool().unwrap(type);
    }

    @Override
    public boolean isWrapperFor(Class<?> type) throws SQLException {
        return type.isInstance(this) || pool().isWrapperFor(type);
    }

    @Override
    public @Nullable PrintWriter getLogWriter() throws SQLException {
        return pool().getLogWriter();
    }

    @Override
    public void setLogWriter(@Nullable PrintWriter out) throws SQLException {
        pool().setLogWriter(out);
    }

    @Override
    public void setLoginTimeout(int seconds) throws SQLException {
        pool().setLoginTimeout(seconds);
    }

    @Override
    public int getLoginTimeout() throws SQLException {
        return pool().getLoginTimeout();
    }

    @Override
    public Logger getParentLogger() throws SQLFeatureNotSupportedException {
        try {
            return pool().getParentLogger();
        } catch (SQLFeatureNotSupportedException unsupported) {
            throw unsupported;
        } catch (SQLException absent) {
            throw new SQLFeatureNotSupportedException(absent);
        }
    }

    @Override
    public String toString() {
        try {
            return pool().toString();
        } catch (SQLException absent) {
            return String.valueOf(absent.getMessage());
        }
    }
}
