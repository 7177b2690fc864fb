// SPDX-License-Identifier: Apache-2.0
package io.flexpool.quarkus;

import io.agroal.api.AgroalDataSource;
import io.agroal.api.AgroalDataSourceMetrics;
import io.agroal.api.AgroalPoolInterceptor;
import io.agroal.api.configuration.AgroalDataSourceConfiguration;
import io.flexpool.FlexPoolDataSource;
import io.flexpool.OpenPools;
import io.flexpool.spi.DelegatingDataSource;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Collection;
import java.util.List;
import javax.sql.DataSource;

/**
 * A wrapped pool with the interface that Quarkus and its extensions use. Connections come from flexpool; all other
 * methods are Agroal's. Quarkus closes it: flexpool ends, then the pool is closed. Thread-safe.
 *
 * <p>flexpool does not limit or count connections obtained without {@link #getConnection()}: by the health check of
 * Quarkus, and by {@link #getReadOnlyConnection()}.
 */
@SuppressWarnings("serial") // only because of Agroal's interface: an open pool is never serialized
final class WrappedDataSource extends DelegatingDataSource implements AgroalDataSource {
    private final AgroalDataSource agroal;
    private final FlexPoolDataSource pool;
    private final Runnable ended;

    WrappedDataSource(AgroalDataSource agroal, FlexPoolDataSource pool, Runnable ended) {
        this.agroal = agroal;
        this.pool = pool;
        this.ended = ended;
    }

    @Override
    protected DataSource pool() {
        return pool;
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

    /** Closes the pool, after a drain if {@code drain.within} is set. A second call has no effect. */
    @Override
    public void close() {
        try {
            OpenPools.release(pool, null);
        } finally {
            ended.run();
            agroal.close();
        }
    }
}
