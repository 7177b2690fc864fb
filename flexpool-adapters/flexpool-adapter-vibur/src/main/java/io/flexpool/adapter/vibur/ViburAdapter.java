// SPDX-License-Identifier: Apache-2.0
package io.flexpool.adapter.vibur;

import io.flexpool.adapter.AcquisitionFailure;
import io.flexpool.adapter.AcquisitionFailure.Kind;
import io.flexpool.adapter.PoolAdapter;
import io.flexpool.adapter.PoolAdapter.Capability;
import io.flexpool.adapter.PoolAdapter.SessionProperty;
import io.flexpool.pool.PoolSnapshot;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLTimeoutException;
import java.time.Duration;
import java.util.EnumSet;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.vibur.dbcp.ViburConfig;
import org.vibur.dbcp.ViburDBCPDataSource;
import org.vibur.dbcp.ViburDataSource.State;
import org.vibur.dbcp.pool.ConnHolder;
import org.vibur.dbcp.pool.Connector;
import org.vibur.objectpool.PoolService;

/**
 * Watches Vibur, whose size cannot be changed once it has started: its max is the ceiling, and the gate starts at the
 * base. Observed behaviour (from the sources of 25.0 and 26.0, and from tests):
 *
 * <ul>
 * <li>Vibur connects in the requesting thread if no connection is idle. So it opens only as many connections as were
 *     active at once, and at low load the surplus is closed exactly, one idle connection after the other.
 * <li>Vibur's timeout applies only until a place is free, not to the connect. A connecting thread has a place, which
 *     Vibur already counts as taken and created.
 * <li>Vibur passes the driver's connect exceptions on unchanged, after {@code acquireRetryAttempts}. Vibur's own
 *     exceptions have the SQLStates {@code VI000} to {@code VI006}.
 * <li>{@code getConnection(user, password)} with another user than the pool's returns a connection outside the pool.
 *     The gate counts it, Vibur does not.
 * </ul>
 */
final class ViburAdapter implements PoolAdapter {
    private static final String MAX_KEY = "poolMaxSize";

    private static final Pattern GENERATED_NAME = Pattern.compile("p\\d+");

    private final ViburDBCPDataSource dataSource;
    /** The user's poolMaxSize. */
    private final int poolMaxSize;

    ViburAdapter(ViburDBCPDataSource dataSource) {
        this.dataSource = dataSource;
        this.poolMaxSize = dataSource.getPoolMaxSize();
    }

    @Override
    public String type() {
        return "Vibur";
    }

    @Override
    public Optional<String> givenName() {
        return Optional.ofNullable(dataSource.getName())
                .filter(name -> !GENERATED_NAME.matcher(name).matches());
    }

    @Override
    public String initSql() {
        return Objects.requireNonNullElse(dataSource.getInitSQL(), "");
    }

    /** No transaction: Vibur sets the configured defaults again, which commits an open transaction. */
    @Override
    public Set<SessionProperty> restoredOnReturn() {
        Set<SessionProperty> restored = EnumSet.noneOf(SessionProperty.class);
        if (dataSource.isResetDefaultsAfterUse() && dataSource.getDefaultCatalog() != null) {
            restored.add(SessionProperty.CATALOG);
        }
        if (dataSource.isResetDefaultsAfterUse() && dataSource.getDefaultTransactionIsolationIntValue() != null) {
            restored.add(SessionProperty.TRANSACTION_ISOLATION);
        }
        return restored;
    }

    @Override
    public Set<Capability> capabilities() {
        return Set.of(Capability.EXACT_TRIM, Capability.PHYSICAL_FOLLOWS_LIMIT, Capability.EVICT);
    }

    /**
     * {@inheritDoc}
     *
     * <p>Takes no lock. Vibur's {@code poolInitialSize} is the minimum of Vibur's reducer, so it is reported as min
     * idle. Connecting threads count as active. Vibur does not report the number of waiting requests.
     */
    @Override
    public PoolSnapshot snapshot() {
        PoolService<ConnHolder> pool = dataSource.getPool();
        int initial = dataSource.getPoolInitialSize();
        if (pool == null || isClosed()) {
            return new PoolSnapshot(dataSource.getPoolMaxSize(), initial, 0, 0, 0, PoolSnapshot.UNKNOWN);
        }
        int taken = Math.max(0, pool.taken());
        // A connection that the trim is closing is briefly not counted, so the total may be below taken.
        int total = Math.max(taken, pool.createdTotal());
        return new PoolSnapshot(pool.maxSize(), initial, taken, total - taken, total, PoolSnapshot.UNKNOWN);
    }

    @Override
    public Optional<Duration> acquisitionTimeout() {
        long millis = dataSource.getConnectionTimeoutInMs();
        return millis == 0 ? Optional.empty() : Optional.of(Duration.ofMillis(millis));
    }

    @Override
    public String acquisitionTimeoutKey() {
        return "connectionTimeoutInMs";
    }

    @Override
    public void prepare(int base, int ceiling) {
        PoolService<ConnHolder> pool = dataSource.getPool();
        int max = pool == null ? dataSource.getPoolMaxSize() : pool.maxSize();
        if (max >= ceiling) {
            return;
        }
        if (dataSource.getState() != State.NEW || pool != null) {
            throw new IllegalArgumentException(MAX_KEY + " is " + max + ", the ceiling is " + ceiling
                    + ": a Vibur pool that has started cannot grow; set " + MAX_KEY + " to " + ceiling
                    + " before start()");
        }
        dataSource.setPoolMaxSize(ceiling);
    }

    /** Only before the start: a started pool keeps its max. */
    @Override
    public void restore() {
        if (dataSource.getState() == State.NEW && dataSource.getPool() == null) {
            dataSource.setPoolMaxSize(poolMaxSize);
        }
    }

    @Override
    public void resize(int max) {
        // Not possible.
    }

    @Override
    public void trim(int max) {
        PoolService<ConnHolder> pool = dataSource.getPool();
        if (pool != null) {
            pool.reduceCreatedTo(max, true);
        }
    }

    @Override
    public void evict() {
        PoolService<ConnHolder> pool = dataSource.getPool();
        if (pool != null && !isClosed()) {
            pool.reduceCreatedTo(0, true);
        }
    }

    @Override
    public void discard(Connection connection) throws SQLException {
        dataSource.severConnection(connection);
    }

    @Override
    public @Nullable Connection connect() throws SQLException {
        Connector connector = dataSource.getConnector();
        return connector == null ? null : connector.connect();
    }

    @Override
    public AcquisitionFailure classify(Throwable failure, PoolSnapshot snapshot, Duration waited) {
        return AcquisitionFailure.of(kind(failure), failure);
    }

    private Kind kind(Throwable failure) {
        if (isClosed()) {
            return Kind.CLOSED;
        }
        if (AcquisitionFailure.interrupted(failure)) {
            return Kind.INTERRUPTED;
        }
        if (!(failure instanceof SQLException sql)) {
            return Kind.OTHER;
        }
        String state = sql.getSQLState();
        if (ViburConfig.SQLSTATE_INTERRUPTED_ERROR.equals(state)) {
            return Kind.INTERRUPTED;
        }
        if (ViburConfig.SQLSTATE_TIMEOUT_ERROR.equals(state)) {
            return Kind.EXHAUSTED;
        }
        if (ViburConfig.SQLSTATE_POOL_NOTSTARTED_ERROR.equals(state)) {
            return Kind.OTHER;
        }
        // All other failures come from connecting or initialising.
        return Kind.CONNECT_FAILED;
    }

    @Override
    public SQLException timeout(String message, @Nullable SQLException connectFailure) {
        return connectFailure == null
                ? new SQLTimeoutException(message, ViburConfig.SQLSTATE_TIMEOUT_ERROR)
                : new SQLTimeoutException(
                        message, connectFailure.getSQLState(), connectFailure.getErrorCode(), connectFailure);
    }

    @Override
    public boolean isClosed() {
        return dataSource.getState() == State.TERMINATED;
    }

    @Override
    public void close() {
        dataSource.close();
    }
}
