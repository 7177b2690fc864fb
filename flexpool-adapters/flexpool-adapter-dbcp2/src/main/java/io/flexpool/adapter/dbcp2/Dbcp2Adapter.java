// SPDX-License-Identifier: Apache-2.0
package io.flexpool.adapter.dbcp2;

import io.flexpool.adapter.AcquisitionFailure;
import io.flexpool.adapter.AcquisitionFailure.Kind;
import io.flexpool.adapter.Capability;
import io.flexpool.adapter.PoolAdapter;
import io.flexpool.pool.PoolSnapshot;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLFeatureNotSupportedException;
import java.time.Duration;
import java.util.NoSuchElementException;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.apache.commons.dbcp2.BasicDataSource;
import org.apache.commons.dbcp2.PoolableConnection;
import org.apache.commons.pool2.impl.GenericObjectPool;
import org.jspecify.annotations.Nullable;

/**
 * Steers Commons DBCP 2. What it has to mind (read in the sources of 2.10.0 and 2.14.0, and seen):
 *
 * <ul>
 *   <li>Most getters of {@link BasicDataSource} are synchronized, and its first acquisition connects inside that
 *       monitor. The figures come from the object pool, which has no such lock; counting its idle connections and its
 *       waiters takes the short lock of its queue, which nobody holds while connecting or closing.
 *   <li>Threads that wait for a connection to come back are not told of a raised {@code maxTotal}: {@link #wake(int)}
 *       opens connections for them.
 *   <li>Lowering {@code maxTotal} closes nothing; {@code maxIdle} closes on return. The idle ones go by
 *       {@link #trim(int)}.
 *   <li>An acquisition timeout is a plain {@link SQLException} caused by a {@link NoSuchElementException}. In the same
 *       way end those who waited while others were connecting in vain; but then the pool is not full. What the driver
 *       throws comes as it is, or, while the pool starts, as the cause of a plain {@link SQLException}.
 *   <li>The wrapper that {@code getConnection()} puts around each connection can be made by nobody else, so there is no
 *       timeout of a call.
 *   <li>Those who wait inside the pool while it is closed are interrupted by it.
 * </ul>
 */
final class Dbcp2Adapter implements PoolAdapter {
    private static final Set<Capability> CAPABILITIES = Set.of(
            Capability.LIVE_RESIZE,
            Capability.WAKE,
            Capability.EXACT_TRIM,
            Capability.PHYSICAL_FOLLOWS_LIMIT,
            Capability.PENDING_COUNT);
    private static final long WAKE_FOR_NANOS = TimeUnit.SECONDS.toNanos(10);
    private static final long WAKE_PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(1);
    private static final Duration AT_ONCE = Duration.ZERO;

    private final BasicDataSource dataSource;
    /** The user's sizes. Negative means without limit. */
    private final int maxTotal;

    private final int maxIdle;
    private final int minIdle;
    /** By us. */
    private volatile boolean closed;

    /** Whether there was ever seen to be a pool. */
    private volatile boolean started;

    /** Of a pool that has not started. */
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
    public Set<Capability> capabilities() {
        return CAPABILITIES;
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
        // Two figures of two moments: one that left the queue in between would make it less than none.
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
                    // Taken at once, or refused because as many as maxIdle are on their way to those who wait.
                    LockSupport.parkNanos(this, WAKE_PAUSE_NANOS);
                }
            }
        } catch (Exception cannotConnectOrClosed) {
            // Those who wait learn it by themselves.
            AcquisitionFailure.restoreInterrupt(cannotConnectOrClosed);
        }
    }

    @Override
    public void trim(int max) {
        GenericObjectPool<PoolableConnection> pool = dataSource.getConnectionPool();
        if (pool == null) {
            return;
        }
        // The limit may rise while this runs: then what is left is no longer too much.
        while (pool.getNumIdle() > 0
                && pool.getNumActive() + pool.getNumIdle() > Math.max(max, limit(pool.getMaxTotal()))
                && !interrupted()) {
            if (!trimOne(pool)) {
                return;
            }
        }
    }

    /** Borrows an idle connection, which nobody else can have then, and has the pool close it. */
    private static boolean trimOne(GenericObjectPool<PoolableConnection> pool) {
        try {
            // With more open than maxTotal, none is opened for this.
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

    @Override
    public void discard(Connection connection) throws SQLException {
        try {
            dataSource.invalidateConnection(connection);
        } catch (IllegalStateException thrown) {
            // The place is free; what failed is the close, or opening another one for those who wait.
            throw new SQLException(thrown);
        }
    }

    @Override
    public AcquisitionFailure classify(Throwable failure, PoolSnapshot snapshot, long waitedNanos) {
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
            // Its cause is why a new connection could not be used.
            boolean full = noneInTime.getCause() == null && snapshot.total() >= snapshot.max();
            return full ? Kind.EXHAUSTED : Kind.CONNECT_FAILED;
        }
        for (Throwable at : AcquisitionFailure.chain(failure)) {
            if (at instanceof ReflectiveOperationException) {
                // No such driver class.
                return Kind.OTHER;
            }
        }
        // All else that an acquisition does is connecting.
        return Kind.CONNECT_FAILED;
    }

    /** A start that fails has a cause. Nobody connects in the monitor of a data source that is closed. */
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
     * <p>The data source answers under the monitor in which an unstarted pool connects, so it is asked only once its pool
     * was seen and is gone. What others have closed before is not known to be closed.
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
