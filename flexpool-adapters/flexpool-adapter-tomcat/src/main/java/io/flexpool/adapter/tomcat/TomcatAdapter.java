// SPDX-License-Identifier: Apache-2.0
package io.flexpool.adapter.tomcat;

import io.flexpool.adapter.AcquisitionFailure;
import io.flexpool.adapter.AcquisitionFailure.Kind;
import io.flexpool.adapter.PoolAdapter;
import io.flexpool.adapter.PoolAdapter.Capability;
import io.flexpool.adapter.PoolAdapter.SessionProperty;
import io.flexpool.pool.PoolSnapshot;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.invoke.VarHandle;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLFeatureNotSupportedException;
import java.time.Duration;
import java.util.EnumSet;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.apache.tomcat.jdbc.pool.ConnectionPool;
import org.apache.tomcat.jdbc.pool.DataSourceFactory;
import org.apache.tomcat.jdbc.pool.DataSourceProxy;
import org.apache.tomcat.jdbc.pool.JdbcInterceptor;
import org.apache.tomcat.jdbc.pool.PoolExhaustedException;
import org.apache.tomcat.jdbc.pool.PooledConnection;
import org.apache.tomcat.jdbc.pool.ProxyConnection;
import org.apache.tomcat.jdbc.pool.interceptor.ConnectionState;
import org.jspecify.annotations.Nullable;

/**
 * Steers Tomcat JDBC. Observed behaviour (from the sources of 9.0.50 and 11.0.25, and from tests):
 *
 * <ul>
 *   <li>Almost every getter of the data source makes it open a pool, also after a close. So the pool is read from its
 *       field: null before there is a pool, and again after its close. The pool's own figures take no lock.
 *   <li>A closed data source opens a new pool with the next acquisition.
 *   <li>{@link ConnectionPool#getSize()} counts connections that are still being opened; active and idle do not. So the
 *       pool is full if active + idle reach its max. A connection that is validated for a request (one round trip) is
 *       neither active nor idle: until the pool releases a connection, the highest count seen remains open.
 *   <li>Threads that wait for a connection to come back are not notified of a raised {@code maxActive}, nor released by
 *       a close: {@link #wake(int)} opens connections for them.
 *   <li>Lowering {@code maxActive} closes nothing: {@link #trim(int)} closes.
 *   <li>At its start the pool lowers {@code initialSize}, {@code minIdle} and {@code maxIdle} to {@code maxActive}, with a
 *       warning for each: the adapter lowers them first.
 *   <li>A starting pool connects inside a lock in which others wait, ignoring interrupts and timeouts.
 *   <li>An interrupt causes a plain {@link SQLException}, by default with the flag cleared.
 *   <li>A connection that was abandoned is released: closed, and no longer counted. Each call of a handle's methods may
 *       restart the time after which that happens ({@code ResetAbandonedTimer}).
 * </ul>
 */
final class TomcatAdapter implements PoolAdapter {
    private static final Set<Capability> CAPABILITIES = Set.of(
            Capability.LIVE_RESIZE,
            Capability.WAKE,
            Capability.EXACT_TRIM,
            Capability.PHYSICAL_FOLLOWS_LIMIT,
            Capability.PENDING_COUNT,
            Capability.EVICT,
            Capability.EVICT_LEASED);
    private static final long WAKE_FOR_NANOS = TimeUnit.SECONDS.toNanos(10);
    private static final long WAKE_PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(1);
    private static final int AT_ONCE = 0;
    /** As in {@code PoolProperties}. */
    private static final Pattern MADE_UP_NAME = Pattern.compile("Tomcat Connection Pool\\[\\d+-\\d+]");

    private static final VarHandle POOL;
    /** Acquires a connection with a timeout per call; {@link ConnectionPool#getConnection()} may wait for ever. */
    private static final MethodHandle BORROW;

    private static final MethodHandle SET_UP;

    static {
        try {
            POOL = MethodHandles.privateLookupIn(DataSourceProxy.class, MethodHandles.lookup())
                    .findVarHandle(DataSourceProxy.class, "pool", ConnectionPool.class);
            MethodHandles.Lookup inside = MethodHandles.privateLookupIn(ConnectionPool.class, MethodHandles.lookup());
            BORROW = inside.findVirtual(
                    ConnectionPool.class,
                    "borrowConnection",
                    MethodType.methodType(PooledConnection.class, int.class, String.class, String.class));
            SET_UP = inside.findVirtual(
                    ConnectionPool.class,
                    "setupConnection",
                    MethodType.methodType(Connection.class, PooledConnection.class));
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private final DataSourceProxy dataSource;
    /** The user's sizes. */
    private final int maxActive;

    private final int maxIdle;
    private final int minIdle;
    private final int initialSize;
    /** Whether the data source ever had a pool. */
    private volatile boolean seen;

    /** The last time when all connections were seen active, and whether ever. */
    private volatile long fullNanos;

    private volatile boolean everFull;

    private volatile @Nullable Open lastOpen;

    /** The most connections in the pool's queues since it last released a connection: all of these are still open. */
    private record Open(ConnectionPool pool, long released, int connections) {}

    TomcatAdapter(DataSourceProxy dataSource) {
        this.dataSource = dataSource;
        this.maxActive = dataSource.getMaxActive();
        this.maxIdle = dataSource.getMaxIdle();
        this.minIdle = dataSource.getMinIdle();
        this.initialSize = dataSource.getInitialSize();
    }

    @Override
    public String type() {
        return "Tomcat JDBC";
    }

    @Override
    public Optional<String> givenName() {
        return Optional.ofNullable(dataSource.getName())
                .filter(name -> !MADE_UP_NAME.matcher(name).matches());
    }

    @Override
    public String initSql() {
        return Objects.requireNonNullElse(dataSource.getInitSQL(), "");
    }

    /**
     * {@inheritDoc}
     *
     * <p>{@code rollbackOnReturn} has an effect only beside {@code defaultAutoCommit=false}.
     */
    @Override
    public Set<SessionProperty> restoredOnReturn() {
        Set<SessionProperty> restored = EnumSet.noneOf(SessionProperty.class);
        if (dataSource.getRollbackOnReturn() && Boolean.FALSE.equals(dataSource.getDefaultAutoCommit())) {
            restored.add(SessionProperty.TRANSACTION);
            restored.add(SessionProperty.READ_ONLY_TRANSACTION);
        }
        boolean resets = Stream.of(dataSource.getJdbcInterceptorsAsArray())
                .anyMatch(each -> ConnectionState.class.getName().endsWith(each.getClassName()));
        if (resets && dataSource.getDefaultCatalog() != null) {
            restored.add(SessionProperty.CATALOG);
        }
        if (resets && dataSource.getDefaultTransactionIsolation() != DataSourceFactory.UNKNOWN_TRANSACTIONISOLATION) {
            restored.add(SessionProperty.TRANSACTION_ISOLATION);
        }
        return restored;
    }

    @Override
    public Set<Capability> capabilities() {
        return CAPABILITIES;
    }

    @Override
    public PoolSnapshot snapshot() {
        ConnectionPool pool = pool();
        int max = dataSource.getMaxActive();
        int least = dataSource.getMinIdle();
        if (pool == null) {
            lastOpen = null;
            return new PoolSnapshot(max, Math.min(least, max), 0, 0, 0, 0);
        }
        long released = pool.getReleasedCount();
        int active = pool.getActive();
        int idle = pool.getIdle();
        if (active + idle >= max) {
            fullNanos = System.nanoTime();
            everFull = true;
        }
        int open = open(pool, released, Math.min(active, pool.getActive()) + idle);
        return new PoolSnapshot(max, least, active, idle, Math.max(active + idle, open), pool.getWaitCount());
    }

    /** The open connections, in a queue or not. A connection that is still opening counts only in the size. */
    private int open(ConnectionPool pool, long released, int queued) {
        Open before = lastOpen;
        if (before == null || before.pool != pool || before.released != released || before.connections < queued) {
            lastOpen = before = new Open(pool, released, queued);
        }
        return Math.min(before.connections, pool.getSize());
    }

    /** The pool, if there is one; never creates one. */
    private @Nullable ConnectionPool pool() {
        ConnectionPool pool = (ConnectionPool) POOL.getVolatile(dataSource);
        if (pool == null) {
            return null;
        }
        seen = true;
        return pool.isClosed() ? null : pool;
    }

    @Override
    public Optional<Duration> acquisitionTimeout() {
        int millis = dataSource.getMaxWait();
        return millis <= 0 ? Optional.empty() : Optional.of(Duration.ofMillis(millis));
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
        dataSource.setMaxActive(maxActive);
        dataSource.setMaxIdle(maxIdle);
        dataSource.setMinIdle(minIdle);
        dataSource.setInitialSize(initialSize);
    }

    @Override
    public void resize(int max) {
        dataSource.setMaxActive(max);
        dataSource.setMaxIdle(Math.min(maxIdle, max));
        dataSource.setMinIdle(Math.min(minIdle, max));
        dataSource.setInitialSize(Math.min(initialSize, max));
    }

    @Override
    public void wake(int wanted) {
        ConnectionPool pool = pool();
        if (pool == null) {
            return;
        }
        long end = System.nanoTime() + WAKE_FOR_NANOS;
        try {
            while (pool.getWaitCount() > 0
                    && pool.getSize() < dataSource.getMaxActive()
                    && end - System.nanoTime() > 0
                    && !pool.isClosed()
                    && !interrupted()) {
                // Opened if there is room, and handed to a waiting request on close.
                borrowed(pool).close();
                LockSupport.parkNanos(this, WAKE_PAUSE_NANOS);
            }
        } catch (SQLException cannotConnectOrClosed) {
            // Waiting requests detect the failure by themselves.
            AcquisitionFailure.restoreInterrupt(cannotConnectOrClosed);
        }
    }

    @Override
    public void trim(int max) {
        ConnectionPool pool = pool();
        if (pool == null) {
            return;
        }
        try {
            // The limit may rise while this runs: then the rest is no longer surplus.
            while (surplus(pool, max) && pool.getIdle() > 0 && !interrupted()) {
                Connection idle = borrowed(pool);
                if (surplus(pool, max)) {
                    discard(idle);
                } else {
                    idle.close();
                }
            }
        } catch (SQLException noneIdleAnyMore) {
            AcquisitionFailure.restoreInterrupt(noneIdleAnyMore);
        }
    }

    /** Raises the version of the pool: connections of an older version are closed on return. */
    @Override
    public void evict() {
        ConnectionPool pool = pool();
        if (pool != null) {
            pool.purge();
        }
    }

    private boolean surplus(ConnectionPool pool, int max) {
        return pool.getSize() > Math.max(max, dataSource.getMaxActive());
    }

    private static boolean interrupted() {
        return Thread.currentThread().isInterrupted();
    }

    /**
     * Borrows an idle connection, or opens one if there is room. Does not wait: a wait for a return could have no end.
     */
    private static Connection borrowed(ConnectionPool pool) throws SQLException {
        try {
            return (Connection) SET_UP.invokeExact(
                    pool, (PooledConnection) BORROW.invokeExact(pool, AT_ONCE, (String) null, (String) null));
        } catch (SQLException | RuntimeException | Error thrown) {
            throw thrown;
        } catch (Throwable undeclared) {
            throw new SQLException(undeclared);
        }
    }

    /** A connection that is marked as discarded is closed when it comes back. */
    @Override
    public void discard(Connection connection) throws SQLException {
        PooledConnection pooled = connection.unwrap(PooledConnection.class);
        if (pooled != null) {
            pooled.setDiscarded(true);
        }
        connection.close();
    }

    /** {@inheritDoc} Calls no method of the handle: it is a proxy whose last handler has the pool's connection. */
    @Override
    public Predicate<Connection> takenBack() {
        return TomcatAdapter::released;
    }

    private static boolean released(Connection handle) {
        if (!Proxy.isProxyClass(handle.getClass())
                || !(Proxy.getInvocationHandler(handle) instanceof JdbcInterceptor handler)) {
            return false;
        }
        while (handler != null && !(handler instanceof ProxyConnection)) {
            handler = handler.getNext();
        }
        PooledConnection pooled = handler instanceof ProxyConnection last ? last.getConnection() : null;
        // Without a pooled connection the handle was closed past flexpool.
        return pooled == null || pooled.isReleased();
    }

    /**
     * {@inheritDoc}
     *
     * <p>Uses the class with which the pool connects; the pool does not count the connection.
     */
    @Override
    public @Nullable Connection connect() throws SQLException {
        ConnectionPool pool = pool();
        if (pool == null) {
            return null;
        }
        PooledConnection made = new PooledConnection(dataSource.getPoolProperties(), pool);
        made.connect();
        return made.getConnection();
    }

    @Override
    public AcquisitionFailure classify(Throwable failure, PoolSnapshot snapshot, Duration waited) {
        return AcquisitionFailure.of(kind(failure, snapshot, waited), failure);
    }

    private Kind kind(Throwable failure, PoolSnapshot snapshot, Duration waited) {
        if (AcquisitionFailure.interrupted(failure)) {
            return Kind.INTERRUPTED;
        }
        if (failure instanceof PoolExhaustedException) {
            return full(snapshot, waited) ? Kind.EXHAUSTED : Kind.CONNECT_FAILED;
        }
        if (AcquisitionFailure.refusedByDatabase(failure)) {
            return Kind.CONNECT_FAILED;
        }
        if (isClosed()) {
            return Kind.CLOSED;
        }
        if (!(failure instanceof SQLException) || failure instanceof SQLFeatureNotSupportedException) {
            return Kind.OTHER;
        }
        for (Throwable at : AcquisitionFailure.chain(failure)) {
            if (at instanceof ReflectiveOperationException) {
                // No such driver, or an interceptor that cannot be created.
                return Kind.OTHER;
            }
        }
        // Any other failure of an acquisition is a connect failure.
        return Kind.CONNECT_FAILED;
    }

    /**
     * Whether the pool was exhausted. A connection that is validated for its next lease is in neither queue. So a pool
     * with a queued connection is also full if all are open, or if all were queued while the request waited.
     */
    private boolean full(PoolSnapshot snapshot, Duration waited) {
        int queued = snapshot.active() + snapshot.idle();
        return queued >= snapshot.max()
                || (queued > 0
                        && (snapshot.total() >= snapshot.max()
                                || (everFull && System.nanoTime() - fullNanos < waited.toNanos())));
    }

    @Override
    public SQLException timeout(String message, @Nullable SQLException connectFailure) {
        if (connectFailure == null) {
            return new PoolExhaustedException(message);
        }
        PoolExhaustedException timeout = new PoolExhaustedException(
                message, connectFailure.getSQLState(), connectFailure.getErrorCode(), connectFailure);
        timeout.setNextException(connectFailure);
        return timeout;
    }

    /** {@inheritDoc} The next request to the data source reopens a closed pool. */
    @Override
    public boolean isClosed() {
        ConnectionPool pool = (ConnectionPool) POOL.getVolatile(dataSource);
        return pool == null ? seen : pool.isClosed();
    }

    @Override
    public void close() {
        // Sets "seen" while the data source still has its pool.
        pool();
        dataSource.close();
    }
}
