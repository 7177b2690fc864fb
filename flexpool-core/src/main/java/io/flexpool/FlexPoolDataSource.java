// SPDX-License-Identifier: Apache-2.0
package io.flexpool;

import io.flexpool.internal.MonitoredPool;
import io.flexpool.internal.WrappedPools;
import io.flexpool.pool.PoolSnapshot;
import io.flexpool.pool.PoolState;
import io.flexpool.pool.PoolStatistics;
import io.flexpool.pool.PoolStatistics.Figures;
import io.flexpool.pool.PoolStatistics.Rates;
import io.flexpool.pool.PoolView;
import java.io.PrintWriter;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLFeatureNotSupportedException;
import java.util.logging.Logger;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * A wrapped pool. Use it wherever the pool was used; close it instead of the pool. Thread-safe.
 *
 * <p>Where it is disabled ({@code enabled(false)}) it only delegates: no gate, no thread, no figures.
 */
public final class FlexPoolDataSource implements DataSource, PoolView, AutoCloseable {
    private final DataSource target;
    private final String name;
    private final @Nullable MonitoredPool pool;

    FlexPoolDataSource(DataSource target, String name, @Nullable MonitoredPool pool) {
        this.target = target;
        this.name = name;
        this.pool = pool;
    }

    /**
     * Gets a connection from the pool, within the acquisition timeout or the longer deadline of a strategy.
     *
     * @return a connection; closing it gives it back
     * @throws SQLException the pool's own exception where the pool threw one, else one of the class that the pool throws
     */
    @Override
    public Connection getConnection() throws SQLException {
        return pool == null ? target.getConnection() : pool.acquire();
    }

    /**
     * Gets a connection for a user, if the pool behind can.
     *
     * @param user as the pool wants it
     * @param password as the pool wants it; never kept, never shown
     * @return a connection
     * @throws SQLException as {@link #getConnection()}; also if the pool does not support it
     */
    @Override
    public Connection getConnection(@Nullable String user, @Nullable String password) throws SQLException {
        return pool == null ? target.getConnection(user, password) : pool.acquire(user, password);
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public String type() {
        return pool == null ? target.getClass().getSimpleName() : pool.type();
    }

    @Override
    public PoolState state() {
        if (pool != null) {
            return pool.state();
        }
        int unknown = PoolSnapshot.UNKNOWN;
        return new PoolState(unknown, unknown, unknown, 0, 0, 0, 0, 0, PoolSnapshot.NOTHING_KNOWN);
    }

    @Override
    public PoolStatistics statistics() {
        return pool == null
                ? new PoolStatistics(Figures.NONE, Figures.NONE, 0, Rates.ZERO, Rates.ZERO)
                : pool.statistics();
    }

    /**
     * Closes the pool behind, whatever its close method is, ends flexpool's watch and unbinds the backends. Requests
     * that wait fail with an SQLException, and so does every later one. Closing twice does nothing.
     */
    @Override
    public void close() {
        if (pool != null) {
            boolean first = false;
            try {
                first = pool.close();
            } finally {
                if (first) {
                    WrappedPools.remove(target);
                }
            }
            return;
        }
        if (target instanceof AutoCloseable closeable) {
            try {
                closeable.close();
            } catch (RuntimeException unchecked) {
                throw unchecked;
            } catch (Exception checked) {
                throw new IllegalStateException("closing " + name + " failed", checked);
            }
        }
    }

    @Override
    public <T> T unwrap(Class<T> iface) throws SQLException {
        if (iface.isInstance(this)) {
            return iface.cast(this);
        }
        return iface.isInstance(target) ? iface.cast(target) : target.unwrap(iface);
    }

    @Override
    public boolean isWrapperFor(Class<?> iface) throws SQLException {
        return iface.isInstance(this) || iface.isInstance(target) || target.isWrapperFor(iface);
    }

    @Override
    public @Nullable PrintWriter getLogWriter() throws SQLException {
        return target.getLogWriter();
    }

    @Override
    public void setLogWriter(@Nullable PrintWriter out) throws SQLException {
        target.setLogWriter(out);
    }

    @Override
    public void setLoginTimeout(int seconds) throws SQLException {
        target.setLoginTimeout(seconds);
    }

    @Override
    public int getLoginTimeout() throws SQLException {
        return target.getLoginTimeout();
    }

    @Override
    public Logger getParentLogger() throws SQLFeatureNotSupportedException {
        return target.getParentLogger();
    }

    @Override
    public String toString() {
        return "flexpool '" + name + "' (" + type() + ")";
    }
}
