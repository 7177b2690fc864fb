// SPDX-License-Identifier: Apache-2.0
package io.flexpool.adapter.ucp;

import io.flexpool.adapter.AcquisitionFailure;
import io.flexpool.adapter.AcquisitionFailure.Kind;
import io.flexpool.adapter.PoolAdapter;
import io.flexpool.adapter.PoolAdapter.Capability;
import io.flexpool.pool.PoolSnapshot;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Predicate;
import oracle.ucp.UniversalConnectionPoolException;
import oracle.ucp.UniversalPooledConnection;
import oracle.ucp.UniversalPooledConnectionStatus;
import oracle.ucp.admin.UniversalConnectionPoolManager;
import oracle.ucp.admin.UniversalConnectionPoolManagerImpl;
import oracle.ucp.jdbc.JDBCConnectionPoolStatistics;
import oracle.ucp.jdbc.PoolDataSource;
import oracle.ucp.jdbc.ValidConnection;
import org.jspecify.annotations.Nullable;

/**
 * Reads and resizes Oracle UCP. Observed behaviour (of 23.9.0.25.07 or 23.26.2.0.0, with a driver that is not Oracle's):
 *
 * <ul>
 * <li>{@code setMaxPoolSize} of a running pool is safe. A raised max serves threads that already wait inside. A lowered
 *     max closes idle connections, but no active one (23.26 closes the surplus, 23.9 all idle ones). Active connections
 *     stay open after their return, until the same max is set again: that is {@link #trim(int)}. UCP accepts a max
 *     below {@code minPoolSize}, so the adapter changes both together.
 * <li>Every failure is an {@link SQLException} with UCP's error code 29 and no SQLState, caused by a
 *     {@link UniversalConnectionPoolException} with the specific code. Exhaustion and outage have the same codes: in an
 *     outage the deepest cause is the driver's exception, and the pool is not full. A hanging connect has no cause;
 *     then the figures decide.
 * <li>23.26 misses concurrent requests: with 6 at once on a pool with room for 6, up to one request in 14 waited until
 *     its timeout, for a connection that was never opened, unless {@code createConnectionInBorrowThread} was set. So
 *     the adapter sets this property for a bound pool.
 * <li>An interrupt does not end a wait inside the pool, and the thread's flag is cleared afterwards.
 * <li>After an abort the connection keeps its place until it is closed. After the close the dead connection is lent
 *     again, unless it was marked as invalid before. The place is freed a moment after the close. If a statement cannot
 *     be closed, for example during its use, the close throws the driver's exception or a {@link NoSuchMethodError} of
 *     UCP's tracing: the handle is then closed, but its place is never freed.
 * <li>{@code connectionWaitTimeout} is 3 seconds by default. With 0 a request does not wait, and on 23.26 it fails even
 *     if a connection could be opened.
 * <li>While connections are closed, because the max changed or the database failed, the count of available ones is
 *     briefly negative (seen: -1, on 23.26). The other figures were never negative, in millions of readings.
 * <li>One pool serves all users: at the max, {@code getConnection(user, password)} closes another user's idle
 *     connection, so that the total stays within the max.
 * <li>UCP closes a connection that was abandoned, or leased longer than {@code timeToLiveConnectionTimeout}. Its handle
 *     shows this only by a call of the driver; its pooled object has the status closed.
 * <li>A pool object exists from the first {@code getConnection()} on, in a manager that is global to the class loader,
 *     with an MBean. Only destroying the pool there closes it. The manager's own MBean stays.
 * </ul>
 */
final class UcpAdapter implements PoolAdapter {
    /** UCP-45060: the pool is stopped, or was destroyed. */
    private static final int INVALID_LIFE_CYCLE_STATE = 60;

    private static final int CODE_WITHOUT_FACILITY = 1_000;

    /** In each name that UCP generates, between its package and a number. */
    private static final String GENERATED_NAME = "UniversalConnectionPool";

    private final PoolDataSource dataSource;
    private final int maxPoolSize;
    private final int minPoolSize;
    private final int initialPoolSize;
    private final boolean connectsWhoBorrows;
    /** Held while sizes are read and set, so that no thread overwrites a newer size with an older size. */
    private final ReentrantLock sizing = new ReentrantLock();

    private volatile boolean closed;
    /** Whether the manager has ever had the pool. */
    private volatile boolean seen;

    UcpAdapter(PoolDataSource dataSource) {
        this.dataSource = dataSource;
        this.maxPoolSize = dataSource.getMaxPoolSize();
        this.minPoolSize = dataSource.getMinPoolSize();
        this.initialPoolSize = dataSource.getInitialPoolSize();
        this.connectsWhoBorrows = dataSource.isCreateConnectionInBorrowThread();
    }

    @Override
    public String type() {
        return "Oracle UCP";
    }

    @Override
    public Optional<String> givenName() {
        return Optional.ofNullable(dataSource.getConnectionPoolName()).filter(name -> !name.contains(GENERATED_NAME));
    }

    /** The callback is code of the application, so its statements are unknown. */
    @Override
    public @Nullable String initSql() {
        return dataSource.getConnectionInitializationCallback() == null ? "" : null;
    }

    @Override
    public Set<Capability> capabilities() {
        return Set.of(
                Capability.LIVE_RESIZE, Capability.PHYSICAL_FOLLOWS_LIMIT, Capability.EVICT, Capability.EVICT_LEASED);
    }

    @Override
    public PoolSnapshot snapshot() {
        int max = dataSource.getMaxPoolSize();
        int minIdle = dataSource.getMinPoolSize();
        JDBCConnectionPoolStatistics figures = dataSource.getStatistics();
        if (figures == null) {
            return new PoolSnapshot(max, minIdle, 0, 0, 0, PoolSnapshot.UNKNOWN);
        }
        if (!seen) {
            seen = isManaged();
        }
        return new PoolSnapshot(
                max,
                minIdle,
                figures.getBorrowedConnectionsCount(),
                Math.max(0, figures.getAvailableConnectionsCount()),
                figures.getTotalConnectionsCount(),
                // UCP's count of waiting requests includes those whose connection it tests or opens, and counts that
                // connection as borrowed too.
                PoolSnapshot.UNKNOWN);
    }

    @Override
    public Optional<Duration> acquisitionTimeout() {
        return Optional.of(dataSource.getConnectionWaitDuration());
    }

    @Override
    public String acquisitionTimeoutKey() {
        return "connectionWaitTimeout";
    }

    @Override
    public void prepare(int base, int ceiling) {
        connectWhoBorrows(true);
        resize(base);
    }

    @Override
    public void restore() {
        size(maxPoolSize, minPoolSize, initialPoolSize);
        connectWhoBorrows(connectsWhoBorrows);
    }

    private void connectWhoBorrows(boolean on) {
        try {
            dataSource.setCreateConnectionInBorrowThread(on);
        } catch (SQLException e) {
            throw new IllegalStateException("createConnectionInBorrowThread was refused by UCP", e);
        }
    }

    @Override
    public void resize(int max) {
        size(max, Math.min(minPoolSize, max), Math.min(initialPoolSize, max));
    }

    /** Sets the sizes in an order in which no size ever exceeds the max. */
    private void size(int max, int min, int initial) {
        sizing.lock();
        try {
            boolean up = max >= dataSource.getMaxPoolSize();
            if (up) {
                dataSource.setMaxPoolSize(max);
            }
            dataSource.setMinPoolSize(min);
            dataSource.setInitialPoolSize(initial);
            if (!up) {
                dataSource.setMaxPoolSize(max);
            }
        } catch (SQLException e) {
            throw new IllegalStateException("maxPoolSize " + max + " was refused by UCP", e);
        } finally {
            sizing.unlock();
        }
    }

    @Override
    public void trim(int max) {
        if (!sizing.tryLock()) {
            // Another thread sets the max, which also closes the surplus; otherwise the next tick tries again.
            return;
        }
        try {
            // Setting the same max again closes surplus connections that have returned since.
            dataSource.setMaxPoolSize(dataSource.getMaxPoolSize());
        } catch (SQLException e) {
            throw new IllegalStateException("maxPoolSize was refused by UCP", e);
        } finally {
            sizing.unlock();
        }
    }

    /** Refreshes the pool, which replaces idle connections at once, leased ones on return. */
    @Override
    public void evict() throws SQLException {
        if (dataSource.getStatistics() == null || !isManaged()) {
            return;
        }
        try {
            manager().refreshConnectionPool(dataSource.getConnectionPoolName());
        } catch (UniversalConnectionPoolException refused) {
            throw new SQLException(refused);
        }
    }

    @Override
    public void discard(Connection connection) throws SQLException {
        if (connection instanceof ValidConnection ucp) {
            ucp.setInvalid();
        }
        try {
            connection.close();
        } catch (SQLException | NoSuchMethodError ofAStatement) {
            // A statement could not be closed: the handle is already marked closed, the connection not yet returned.
            giveBack(connection);
        }
    }

    private void giveBack(Connection connection) throws SQLException {
        UniversalPooledConnection pooled = PooledObjects.behind(connection);
        if (pooled == null) {
            return;
        }
        try {
            manager().getConnectionPool(dataSource.getConnectionPoolName()).returnConnection(pooled);
        } catch (UniversalConnectionPoolException refused) {
            throw new SQLException(refused);
        }
    }

    /** {@inheritDoc} Reads the status of the handle's pooled object: a call of the handle would query the driver. */
    @Override
    public @Nullable Predicate<Connection> takenBack() {
        return handle -> {
            UniversalPooledConnection pooled = PooledObjects.behind(handle);
            return pooled != null && UniversalPooledConnectionStatus.STATUS_CLOSED.equals(pooled.getStatus());
        };
    }

    @Override
    public AcquisitionFailure classify(Throwable failure, PoolSnapshot snapshot, Duration waited) {
        return AcquisitionFailure.of(kind(failure, snapshot), failure);
    }

    private Kind kind(Throwable failure, PoolSnapshot snapshot) {
        if (isClosed()) {
            return Kind.CLOSED;
        }
        if (AcquisitionFailure.interrupted(failure)) {
            return Kind.INTERRUPTED;
        }
        for (Throwable at : AcquisitionFailure.chain(failure)) {
            if (at instanceof UniversalConnectionPoolException ucp) {
                return kind(ucp, failure, snapshot);
            }
        }
        return AcquisitionFailure.refusedByDatabase(failure) ? Kind.CONNECT_FAILED : Kind.OTHER;
    }

    private static Kind kind(UniversalConnectionPoolException ucp, Throwable failure, PoolSnapshot snapshot) {
        return switch (ucp.getErrorCode() % CODE_WITHOUT_FACILITY) {
            case INVALID_LIFE_CYCLE_STATE -> Kind.CLOSED;
            // All connections are active, or none is open. A hanging connect has no cause.
            case 64, 69 -> snapshot.total() >= snapshot.max() ? Kind.EXHAUSTED : Kind.CONNECT_FAILED;
            default -> AcquisitionFailure.refusedByDatabase(failure) ? Kind.CONNECT_FAILED : Kind.OTHER;
        };
    }

    /** {@inheritDoc} A starting pool has figures before the manager knows it, and is not closed. */
    @Override
    public boolean isClosed() {
        return closed || (seen && !isManaged());
    }

    private boolean isManaged() {
        String name = dataSource.getConnectionPoolName();
        if (name == null) {
            // The pool is starting: it has figures before it has a name, and UCP does not accept null as a name.
            return false;
        }
        try {
            manager().getConnectionPool(name);
            return true;
        } catch (UniversalConnectionPoolException unknownToTheManager) {
            return false;
        }
    }

    @Override
    public void close() throws UniversalConnectionPoolException {
        closed = true;
        if (dataSource.getStatistics() != null && isManaged()) {
            manager().destroyConnectionPool(dataSource.getConnectionPoolName());
        }
    }

    private static UniversalConnectionPoolManager manager() throws UniversalConnectionPoolException {
        return UniversalConnectionPoolManagerImpl.getUniversalConnectionPoolManager();
    }
}
