// SPDX-License-Identifier: Apache-2.0
package io.flexpool.quarkus;

import io.agroal.api.AgroalDataSource;
import io.agroal.api.AgroalDataSourceMetrics;
import io.agroal.api.AgroalPoolInterceptor;
import io.agroal.api.configuration.AgroalDataSourceConfiguration;
import io.flexpool.FlexPoolDataSource;
import java.io.PrintWriter;
import java.sql.Connection;
import java.sql.ConnectionBuilder;
import java.sql.SQLException;
import java.sql.SQLFeatureNotSupportedException;
import java.sql.ShardingKeyBuilder;
import java.util.Collection;
import java.util.List;
import java.util.logging.Logger;
import org.jspecify.annotations.Nullable;

/**
 * A wrapped pool in the form that Quarkus and its extensions know. Connections come from flexpool; all else is Agroal's. Quarkus
 * closes it: flexpool ends, then the pool closes. Thread-safe.
 *
 * <p>What Agroal does past {@link #getConnection()} stays Agroal's, not limited and not a lease: the health check of Quarkus,
 * and {@link #getReadOnlyConnection()}.
 */
final class WrappedDataSource implements AgroalDataSource {
    private static final long serialVersionUID = 1L;

    private final transient AgroalDataSource agroal;
    private final transient FlexPoolDataSource pool;
    private final transient Runnable ended;

    WrappedDataSource(AgroalDataSource agroal, FlexPoolDataSource pool, Runnable ended) {
        this.agroal = agroal;
        this.pool = pool;
        this.ended = ended;
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
    public Connection getReadOnlyConnection() throws SQLException {
        return agroal.getReadOnlyConnection();
    }

    @Override
    public boolean isHealthy(boolean newConnection) throws SQLException {
        return agroal.isHealthy(newConnection);
    }

    @Override
    public AgroalDataSourceConfiguration getConfiguration() {
        return agroal.getConfiguration();
    }

    @Override
    public AgroalDataSourceMetrics getMetrics() {
        return agroal.getMetrics();
    }

    @Override
    public void flush(FlushMode mode) {
        agroal.flush(mode);
    }

    @Override
    public void setPoolInterceptors(Collection<? extends AgroalPoolInterceptor> interceptors) {
        agroal.setPoolInterceptors(interceptors);
    }

    @Override
    public List<AgroalPoolInterceptor> getPoolInterceptors() {
        return agroal.getPoolInterceptors();
    }

    /** Closing twice has no effect. */
    @Override
    public void close() {
        try {
            pool.release();
        } finally {
            ended.run();
            agroal.close();
        }
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
