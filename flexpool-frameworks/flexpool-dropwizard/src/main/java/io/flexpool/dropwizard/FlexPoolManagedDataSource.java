// SPDX-License-Identifier: Apache-2.0
package io.flexpool.dropwizard;

import io.dropwizard.db.ManagedDataSource;
import io.flexpool.FlexPoolDataSource;
import java.io.PrintWriter;
import java.sql.Connection;
import java.sql.ConnectionBuilder;
import java.sql.SQLException;
import java.sql.SQLFeatureNotSupportedException;
import java.sql.ShardingKeyBuilder;
import java.util.logging.Logger;
import org.jspecify.annotations.Nullable;

/**
 * A wrapped pool with Dropwizard's life cycle. Written out, for a call of {@link #getConnection()} should cost nothing here.
 * Thread-safe.
 */
final class FlexPoolManagedDataSource implements ManagedDataSource {
    private final ManagedDataSource own;
    private final FlexPoolDataSource pool;

    FlexPoolManagedDataSource(ManagedDataSource own, FlexPoolDataSource pool) {
        this.own = own;
        this.pool = pool;
    }

    /** Opens the pool, and registers Dropwizard's own figures of it. */
    @Override
    public void start() throws Exception {
        own.start();
    }

    /** Ends flexpool, then closes the pool. Stopping twice has no further effect. */
    @Override
    public void stop() throws Exception {
        pool.release();
        own.stop();
    }

    @Override
    public Connection getConnection() throws SQLException {
        return pool.getConnection();
    }

    @Override
    public Connection getConnection(@Nullable String user, @Nullable String password) throws SQLException {
        return pool.getConnection(user, password);
    }

    @Override
    public ConnectionBuilder createConnectionBuilder() throws SQLException {
        return pool.createConnectionBuilder();
    }

    @Override
    public ShardingKeyBuilder createShardingKeyBuilder() throws SQLException {
        return pool.createShardingKeyBuilder();
    }

    @Override
    public <T> T unwrap(Class<T> type) throws SQLException {
        return type.isInstance(this) ? type.cast(this) : pool.unwrap(type);
    }

    @Override
    public boolean isWrapperFor(Class<?> type) throws SQLException {
        return type.isInstance(this) || pool.isWrapperFor(type);
    }

    @Override
    public @Nullable PrintWriter getLogWriter() throws SQLException {
        return pool.getLogWriter();
    }

    @Override
    public void setLogWriter(@Nullable PrintWriter out) throws SQLException {
        pool.setLogWriter(out);
    }

    @Override
    public void setLoginTimeout(int seconds) throws SQLException {
        pool.setLoginTimeout(seconds);
    }

    @Override
    public int getLoginTimeout() throws SQLException {
        return pool.getLoginTimeout();
    }

    @Override
    public Logger getParentLogger() throws SQLFeatureNotSupportedException {
        return pool.getParentLogger();
    }

    @Override
    public String toString() {
        return pool.toString();
    }
}
