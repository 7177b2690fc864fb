// SPDX-License-Identifier: Apache-2.0
package io.flexpool.adapter.dbcp2;

import io.flexpool.adapter.AcquisitionFailure;
import io.flexpool.adapter.AcquisitionFailure.Kind;
import io.flexpool.adapter.PoolAdapter;
import io.flexpool.adapter.PoolAdapter.Capability;
import io.flexpool.adapter.PoolAdapter.SessionProperty;
import io.flexpool.pool.PoolSnapshot;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLFeatureNotSupportedException;
import java.time.Duration;
import java.util.EnumSet;
import java.util.NoSuchElementException;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.apache.commons.dbcp2.BasicDataSource;
import org.apache.commons.dbcp2.ConnectionFactory;
import org.apache.commons.dbcp2.PoolableConnection;
import org.apache.commons.dbcp2.managed.BasicManagedDataSource;
import org.apache.commons.pool2.impl.GenericObjectPool;
import org.jspecify.annotations.Nullable;

/**
 * Reads and resizes Commons DBCP 2. Observed behaviour (from the sources of 2.10.0 and 2.14.0, and from tests):
 *
 * <ul>
 * <li>Most getters of {@link BasicDataSource} are synchronized, and its first acquisition connects inside that monitor.
 *     So the figures come from the object pool. Counting its idle connections and waiters only takes the lock of its
 *     queue, which is never held during connects and closes.
 * <li>A raised {@code maxTotal} does not wake waiting threads: {@link #wake(int)} opens connections for them.
 * <li>Lowering {@code maxTotal} closes no connection. The pool closes a returned connection if {@code maxIdle}
 *     connections are idle. {@link #trim(int)} closes idle connections.
 * <li>An acquisition timeout is a plain {@link SQLException} caused by a {@link NoSuchElementException}. Requests that
 *     waited while other requests' connects failed get the same exception; but then the pool is not full. The driver's
 *     exceptions are passed on unchanged or, while the pool starts, as the cause of a plain {@link SQLException}.
 * <li>Only {@code getConnection()} can create the wrapper of a connection, so a timeout per call is not possible.
 * <li>The pool's close interrupts threads that wait inside the pool.
 * <li>The pool aborts an abandoned connection by the driver's method, and removes it from its map of all connections;
 *     the handle does not show this. With only {@code removeAbandonedOnBorrow}, this happens at a request that finds
 *     the pool nearly full.
 * </ul>
 */
final class Dbcp2Adapter implements PoolAdapter {
    private static final Set<Capability> CAPABILITIES = Set.of(
            Capability.LIVE_RESIZE,
            Capability.WAKE,
            Capability.EXACT_TRIM,
            Capability.PHYSICAL_FOLLOWS_LIMIT,
            Capability.PENDING_COUNT,
            Capability.EVICT);
    /**
     * The capabilities with JTA transactions. No eviction, because a transaction keeps a connection that the
     * application has closed, and needs it for its end.
     */
    private static final Set<Capability> CAPABILITIES_WITH_TRANSACTIONS =
            CAPABILITIES.stream().filter(one -> one != Capability.EVICT).collect(Collectors.toUnmodifiableSet());

    private static final long WAKE_FOR_NANOS = TimeUnit.SECONDS.toNanos(10);
    private static final long WAKE_PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(1);
    private static final Duration AT_ONCE = Duration.ZERO;

    /** Creates the pool's connection factory, also if a subclass of the data source overrides the method. */
    private static final MethodHandle CONNECTION_FACTORY;

    static {
        try {
            CONNECTION_FACTORY = MethodHandles.privateLookupIn(BasicDataSource.class, MethodHandles.lookup())
                    .findVirtual(
                            BasicDataSource.class,
                            "createConnectionFactory",
                            MethodType.methodType(ConnectionFactory.class));
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private final BasicDataSource dataSource;
    /** The user's sizes. Negative means without limit. */
    private final int maxTotal;

    private final int maxIdle;
    private final int minIdle;
    /** Set by this adapter. */
    private volatile boolean closed;

    /** Whether a pool was ever seen. */
    private volatile boolean started;

    /** For a pool that has not started. */
    private volatile Sizes sizes;

    private record Sizes(int max, int minIdle) {}

    Dbcp2Adapter(BasicDataSource dataSource) {
        this.dataSource = dataSource;
        this.maxTotal = dataSource.getMaxTotal();
        this.maxIdle = dataSource.getMaxIdle();
        this.minIdle = dataSource.getMinIdle();
        this.sizes = new Sizes(limit(maxTotal), minIdle);
    }

    private static int limit(int configured) {
        return configured < 0 ? Integer.MAX_VALUE : configured;
    }

    @Override
    public String type() {
        return "Commons DBCP 2";
    }

    @Override
    public String initSql() {
        return String.join(";\n", dataSource.getConnectionInitSqls());
    }

    /** {@code TRANSACTION} does not apply to read-only connections, because the pool does not roll back on them. */
    @Override
    public Set<SessionProperty> restoredOnReturn() {
        Set<SessionProperty> restored = EnumSet.noneOf(SessionProperty.class);
        if (dataSource.getRollbackOnReturn()) {
            restored.add(SessionProperty.TRANSACTION);
        }
        if (dataSource.getDefaultCatalog() != null) {
            restored.add(SessionProperty.CATALOG);
        }
        if (dataSource.getDefaultSchema() != null) {
            restored.add(SessionProperty.SCHEMA);
        }
        if (dataSource.getDefaultTransactionIsolation() >= 0) {
            restored.add(SessionProperty.TRANSACTION_ISOLATION);
        }
        return restored;
    }

    @Override
    public Set<Capability> capabilities() {
        return dataSource instanceof BasicManagedDataSource ? CAPABILITIES_WITH_TRANSACTIONS : CAPABILITIES;
    }

    @Override
    public PoolSnapshot snapshot() {
        GenericObjectPool<PoolableConnection> pool = dataSource.getConnectionPool();
        if (pool == null) {
            Sizes known = sizes;
            return new PoolSnapshot(known.max(), known.minIdle(), 0, 0, 0, 0);
        }
        started = true;
        int idle = pool.getNumIdle();
        // The two figures are read at different moments, so their difference could be negative.
        int active = Math.max(0, pool.getNumActive());
        return new PoolSnapshot(
                limit(pool.getMaxTotal()), pool.getMinIdle(), active, idle, active + idle, pool.getNumWaiters());
    }

    @Override
    public Optional<Duration> acquisitionTimeout() {
        Duration wait = dataSource.getMaxWaitDuration();
        return wait.isNegative() ? Optional.empty() : Optional.of(wait);
    }

    @Override
    public String acquisitionTimeoutKey() {
        return "maxWait";
    }

    @Override
    public void prepare(int base, int ceiling) {
        resize(base);
    }

    @Override
    public void restore() {
        dataSource.setMaxTotal(maxTotal);
        dataSource.setMaxIdle(maxIdle);
        dataSource.setMinIdle(minIdle);
        sizes = new Sizes(limit(maxTotal), minIdle);
    }

    @Override
    public void resize(int max) {
        int least = Math.min(minIdle, max);
        dataSource.setMinIdle(least);
        dataSource.setMaxIdle(Math.min(limit(maxIdle), max));
        dataSource.setMaxTotal(max);
        sizes = new Sizes(max, least);
    }

    @Override
    public void wake(int wanted) {
        GenericObjectPool<PoolableConnection> pool = dataSource.getConnectionPool();
        if (pool == null) {
            return;
        }
        long end = System.nanoTime() + WAKE_FOR_NANOS;
        try {
            while (pool.getNumWaiters() > 0
                    && pool.getNumActive() + pool.getNumIdle() < limit(pool.getMaxTotal())
                    && pool.getMaxIdle() != 0
                    && end - System.nanoTime() > 0
                    && !interrupted()) {
                int idle = pool.getNumIdle();
                pool.addObject();
                if (pool.getNumIdle() == idle) {
                    // Another request has taken the connection at once, or the pool refused it because of maxIdle.
                    LockSupport.parkNanos(this, WAKE_PAUSE_NANOS);
                }
            }
        } catch (Exception cannotConnectOrClosed) {
            // Waiting requests detect the failure by themselves.
            AcquisitionFailure.restoreInterrupt(cannotConnectOrClosed);
        }
    }

    @Override
    public void trim(int max) {
        GenericObjectPool<PoolableConnection> pool = dataSource.getConnectionPool();
        if (pool == null) {
            return;
        }
        // The limit may rise while this runs: then the rest is no longer surplus.
        while (pool.getNumIdle() > 0
                && pool.getNumActive() + pool.getNumIdle() > Math.max(max, limit(pool.getMaxTotal()))
                && !interrupted()) {
            if (!trimOne(pool)) {
                return;
            }
        }
    }

    /** Closes idle connections; flexpool discards the leased ones, because the pool would keep them on return. */
    @Override
    public void evict() {
        GenericObjectPool<PoolableConnection> pool = dataSource.getConnectionPool();
        if (pool != null) {
            pool.clear();
        }
    }

    /** Borrows an idle connection, which makes it exclusive, and has the pool close it. */
    private static boolean trimOne(GenericObjectPool<PoolableConnection> pool) {
        try {
            // Above maxTotal the pool opens no connection to replace this one.
            pool.invalidateObject(pool.borrowObject(AT_ONCE));
            return true;
        } catch (Exception noneIdleAnyMore) {
            AcquisitionFailure.restoreInterrupt(noneIdleAnyMore);
            return false;
        }
    }

    private static boolean interrupted() {
        return Thread.currentThread().isInterrupted();
    }

    /**
     * {@inheritDoc}
     *
     * <p>Clears the list of open statements first. Otherwise the pool would close them and set them to null during
     * another thread's call, which then fails with a {@link NullPointerException}. The close of the physical connection
     * closes the statements too.
     */
    @Override
    public void discard(Connection connection) throws SQLException {
        try {
            PooledConnections readable = PooledConnections.READABLE;
            if (readable != null && connection.isWrapperFor(PoolableConnection.class)) {
                readable.forgetStatements(connection.unwrap(PoolableConnection.class));
            }
            dataSource.invalidateConnection(connection);
        } catch (IllegalStateException thrown) {
            // The place is free, but the pool failed to close the connection, or to connect for a waiting request.
            throw new SQLException(thrown);
        }
    }

    /**
     * {@inheritDoc}
     *
     * <p>Reads the pool's map of all connections, because a handle does not show that the pool removed its connection.
     */
    @Override
    public Predicate<Connection> takenBack() {
        PooledConnections readable = PooledConnections.READABLE;
        if (readable == null) {
            throw new UnsupportedOperationException("unsupported version of Commons DBCP or Pool: its fields differ");
        }
        return readable::removed;
    }

    @Override
    public Optional<Duration> overdueAfter() {
        GenericObjectPool<PoolableConnection> pool = dataSource.getConnectionPool();
        return pool != null && pool.getRemoveAbandonedOnBorrow()
                ? Optional.of(pool.getRemoveAbandonedTimeoutDuration())
                : Optional.empty();
    }

    /**
     * Makes a request that does not wait. The pool first removes abandoned connections, and connects if a place is
     * free.
     */
    @Override
    public void takeBackOverdue() throws SQLException {
        GenericObjectPool<PoolableConnection> pool = dataSource.getConnectionPool();
        if (pool == null) {
            return;
        }
        try {
            pool.returnObject(pool.borrowObject(AT_ONCE));
        } catch (NoSuchElementException nothingIsAbandoned) {
            return;
        } catch (SQLException | RuntimeException thrown) {
            AcquisitionFailure.restoreInterrupt(thrown);
            throw thrown;
        } catch (Exception thrown) {
            AcquisitionFailure.restoreInterrupt(thrown);
            throw new SQLException(thrown);
        }
    }

    @Override
    public @Nullable Connection connect() throws SQLException {
        try {
            return ((ConnectionFactory) CONNECTION_FACTORY.invoke(dataSource)).createConnection();
        } catch (SQLException | RuntimeException | Error thrown) {
            throw thrown;
        } catch (Throwable notThrown) {
            throw new IllegalStateException(notThrown);
        }
    }

    @Override
    public AcquisitionFailure classify(Throwable failure, PoolSnapshot snapshot, Duration waited) {
        return AcquisitionFailure.of(kind(failure, snapshot), failure);
    }

    private Kind kind(Throwable failure, PoolSnapshot snapshot) {
        if (isClosed() || refusedByAClosedOne(failure)) {
            return Kind.CLOSED;
        }
        if (AcquisitionFailure.interrupted(failure)) {
            return Kind.INTERRUPTED;
        }
        if (!(failure instanceof SQLException) || failure instanceof SQLFeatureNotSupportedException) {
            return Kind.OTHER;
        }
        if (failure.getCause() instanceof NoSuchElementException noneInTime) {
            // A cause is the reason why a new connection was unusable.
            boolean full = noneInTime.getCause() == null && snapshot.total() >= snapshot.max();
            return full ? Kind.EXHAUSTED : Kind.CONNECT_FAILED;
        }
        for (Throwable at : AcquisitionFailure.chain(failure)) {
            if (at instanceof ReflectiveOperationException) {
                // The driver's class is missing.
                return Kind.OTHER;
            }
        }
        // Any other failure of an acquisition is a connect failure.
        return Kind.CONNECT_FAILED;
    }

    /** A failed start has a cause. A closed data source never connects in its monitor. */
    private boolean refusedByAClosedOne(Throwable failure) {
        return dataSource.getConnectionPool() == null
                && failure instanceof SQLException plain
                && plain.getCause() == null
                && plain.getSQLState() == null
                && dataSource.isClosed();
    }

    @Override
    public SQLException timeout(String message, @Nullable SQLException connectFailure) {
        NoSuchElementException cause = new NoSuchElementException(message, connectFailure);
        return connectFailure == null
                ? new SQLException(message, cause)
                : new SQLException(message, connectFailure.getSQLState(), connectFailure.getErrorCode(), cause);
    }

    /**
     * {@inheritDoc}
     *
     * <p>The data source's method takes the monitor in which an unstarted pool connects. So the adapter calls it only
     * after a known pool has disappeared. The adapter does not detect a direct close of a data source without a known
     * pool.
     */
    @Override
    public boolean isClosed() {
        if (closed) {
            return true;
        }
        if (dataSource.getConnectionPool() != null) {
            started = true;
            return false;
        }
        return started && dataSource.isClosed();
    }

    @Override
    public void close() throws SQLException {
        closed = true;
        dataSource.close();
    }
}
