// SPDX-License-Identifier: Apache-2.0
package io.flexpool.tomcat;

import io.flexpool.FlexPoolDataSource;
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
 * A wrapped pool that a container owns. Containers close what they find closeable, each resource by itself: closing this one
 * ends flexpool and leaves the pool, which may serve other applications, to the container. Thread-safe.
 *
 * <p>Public because containers call {@link #close()} by reflection. Applications use it as a {@link DataSource}.
 */
public final class ContainerPool implements DataSource, AutoCloseable {
    private final FlexPoolDataSource pool;

    ContainerPool(FlexPoolDataSource pool) {
        this.pool = pool;
    }

    /** Ends flexpool; the pool stays open. Closing twice has no effect. */
    @Override
    public void close() {
        pool.release();
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
