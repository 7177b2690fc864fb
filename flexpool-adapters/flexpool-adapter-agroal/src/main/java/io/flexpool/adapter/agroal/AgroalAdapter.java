// SPDX-License-Identifier: Apache-2.0
package io.flexpool.adapter.agroal;

import io.agroal.api.AgroalDataSource;
import io.agroal.api.AgroalDataSource.FlushMode;
import io.agroal.api.AgroalDataSourceMetrics;
import io.agroal.api.configuration.AgroalConnectionPoolConfiguration;
import io.agroal.pool.wrapper.ConnectionWrapper;
import io.flexpool.adapter.AcquisitionFailure;
import io.flexpool.adapter.AcquisitionFailure.Kind;
import io.flexpool.adapter.PoolAdapter;
import io.flexpool.adapter.PoolAdapter.Capability;
import io.flexpool.adapter.PoolAdapter.PoolTransactions;
import io.flexpool.adapter.PoolAdapter.SessionProperty;
import io.flexpool.pool.PoolSnapshot;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.EnumSet;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CancellationException;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Reads and resizes Agroal. Observed behaviour (from the sources of 2.0 and 3.2.1, and from tests):
 *
 * <ul>
 * <li>The sizes can be set at run time; each setter refuses a min above the max, so their order matters.
 * <li>A thread that waits for a connection to come back does not check the max again, so raising it wakes no thread.
 *     Filling the pool up to its min size wakes threads; so {@link #wake(int)} raises the min size for the duration of a wake.
 * <li>When it removes a broken connection, it wakes no waiting request: it opens another up to the min size only. So
 *     {@link #discard(Connection)} raises the min size until the place is filled.
 * <li>A lower max closes connections on return, but not idle ones. A flush closes idle ones down to the
 *     min size: so {@link #trim(int)} raises the min to its target for its duration. A trim borrows no connection, because a
 *     borrow could wait for ever.
 * <li>Agroal 3 connects in the requesting thread, for as long as the driver takes; 2.0 in its one housekeeping thread.
 *     The driver's exceptions are passed on unchanged.
 * <li>A timeout and an interrupt throw a plain {@link SQLException} without SQLState and cause. An interrupt leaves the
 *     thread's flag set, a timeout is never early. In Agroal 2.0 the exception of a connect that took too long has a
 *     {@link TimeoutException} as its cause.
 * <li>Agroal counts active connections only while its metrics are on ({@code metricsEnabled}); without them active and
 *     idle are unknown.
 * <li>Agroal 2.0 does not abort and loses the place of an aborted connection. So the adapter aborts the physical
 *     connection and returns the pool's connection, as 3.x does itself. Only a validation, on borrow or of idle
 *     connections, detects the dead connection.
 * <li>A graceful flush marks leased connections, which are then removed on return, also if requests wait. If it marks
 *     a connection that a request has taken out but not yet validated, nobody gets the connection, and its place is
 *     lost for ever (from the sources of 3.2.1, and seen under load). So the adapter flushes only idle connections.
 * <li>A flush of all connections ({@code FlushMode.ALL}) or of leaks closes leased connections, and the pool no longer
 *     counts them.
 * <li>With a {@code transactionIntegration} a transaction uses one connection for all its requests, until it ends.
 * </ul>
 */
final class AgroalAdapter implements PoolAdapter {
    /** If connects take longer, or fail, the next tick tries again. */
    private static final long WAKE_FOR_NANOS = TimeUnit.SECONDS.toNanos(2);

    private static final long WAKE_EVERY_NANOS = TimeUnit.MILLISECONDS.toNanos(5);

    private static final long CLOSE_WAIT_NANOS = TimeUnit.SECONDS.toNanos(1);
    private static final long TRIM_EVERY_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

    private final AgroalDataSource dataSource;
    private final AgroalConnectionPoolConfiguration sizes;
    private final @Nullable Insides insides;
    private final @Nullable PoolTransactions transactions;
    private final Set<Capability> capabilities;
    private final boolean followsHoldability;
    /** The user's min and max size. */
    private final int minSize;

    private final int maxSize;
    /** Guards changes of min and max, which need several calls. */
    private final ReentrantLock sizesLock = new ReentrantLock();
    /** The required min size while it is lifted; 0 otherwise. Guarded by the lock. */
    private int lifted;
    /** How many calls have lifted the min size and not lowered it yet. Guarded by the lock. */
    private int lifts;

    private volatile boolean closed;

    AgroalAdapter(AgroalDataSource dataSource) {
        this(dataSource, Insides.of(dataSource).orElse(null));
    }

    AgroalAdapter(AgroalDataSource dataSource, @Nullable Insides insides) {
        this.dataSource = dataSource;
        this.insides = insides;
        this.sizes = dataSource.getConfiguration().connectionPoolConfiguration();
        this.minSize = sizes.minSize();
        this.maxSize = sizes.maxSize();
        this.transactions = transactions(sizes);
        this.followsHoldability = followsHoldability(dataSource);
        EnumSet<Capability> can = EnumSet.of(Capability.LIVE_RESIZE, Capability.EVICT);
        if (insides != null || metricsOn()) {
            can.add(Capability.WAKE);
            can.add(Capability.PENDING_COUNT);
        }
        if (metricsOn()) {
            // A trim needs the number of idle connections.
            can.add(Capability.EXACT_TRIM);
            can.add(Capability.PHYSICAL_FOLLOWS_LIMIT);
            can.add(Capability.CONNECT_TIME);
        }
        if (transactions != null) {
            can.add(Capability.TRANSACTIONS);
        }
        this.capabilities = Set.copyOf(can);
    }

    private static @Nullable PoolTransactions transactions(AgroalConnectionPoolConfiguration sizes) {
        try {
            return AgroalTransactions.of(sizes.transactionIntegration());
        } catch (LinkageError noTransactionsOnTheClassPath) {
            return null;
        }
    }

    private boolean metricsOn() {
        return dataSource.getConfiguration().metricsEnabled();
    }

    @Override
    public String type() {
        return "Agroal";
    }

    @Override
    public String initSql() {
        return Objects.requireNonNullElse(
                dataSource
                        .getConfiguration()
                        .connectionPoolConfiguration()
                        .connectionFactoryConfiguration()
                        .initialSql(),
                "");
    }

    /** Without {@code TRANSACTION}: Agroal commits an open transaction. Agroal 3.1 and newer restore holdability and network timeout. */
    @Override
    public Set<SessionProperty> restoredOnReturn() {
        return followsHoldability
                ? Set.of(
                        SessionProperty.TRANSACTION_ISOLATION,
                        SessionProperty.HOLDABILITY,
                        SessionProperty.NETWORK_TIMEOUT)
                : Set.of(SessionProperty.TRANSACTION_ISOLATION);
    }

    private static boolean followsHoldability(AgroalDataSource dataSource) {
        try {
            Class<?> followed = Class.forName(
                    "io.agroal.pool.ConnectionHandler$DirtyAttribute",
                    false,
                    dataSource.getClass().getClassLoader());
            return followed.getField("HOLDABILITY").isEnumConstant();
        } catch (ReflectiveOperationException | LinkageError older) {
            return false;
        }
    }

    @Override
    public Set<Capability> capabilities() {
        return capabilities;
    }

    /**
     * {@inheritDoc}
     *
     * <p>Takes no lock. Active and idle are unknown while Agroal's metrics are off, and permanently wrong in Agroal 3
     * if they were switched on while connections were leased.
     */
    @Override
    public PoolSnapshot snapshot() {
        int unknown = PoolSnapshot.UNKNOWN;
        boolean metricsOn = metricsOn();
        AgroalDataSourceMetrics metrics = dataSource.getMetrics();
        int active = metricsOn ? (int) Math.max(0, metrics.activeCount()) : unknown;
        int total = unknown;
        int waiting = unknown;
        if (insides != null) {
            total = insides.total();
            waiting = insides.waiting();
        } else if (metricsOn) {
            total = active + (int) Math.max(0, metrics.availableCount());
            waiting = (int) metrics.awaitingCount();
        }
        int idle = metricsOn ? Math.max(0, total - active) : unknown;
        return new PoolSnapshot(sizes.maxSize(), sizes.minSize(), active, idle, total, waiting);
    }

    /** Read from Agroal's metrics, which count successful connects. */
    @Override
    public ConnectTotals connects() {
        AgroalDataSourceMetrics metrics = dataSource.getMetrics();
        // Reads the count first, because the sum may already include one more connect.
        long count = metrics.creationCount();
        return count == 0 ? ConnectTotals.NONE : new ConnectTotals(count, metrics.creationTimeTotal());
    }

    @Override
    public @Nullable PoolTransactions transactions() {
        return transactions;
    }

    @Override
    public Optional<Duration> acquisitionTimeout() {
        Duration timeout = sizes.acquisitionTimeout();
        return timeout.isZero() ? Optional.empty() : Optional.of(timeout);
    }

    @Override
    public String acquisitionTimeoutKey() {
        return "acquisitionTimeout";
    }

    @Override
    public void prepare(int base, int ceiling) {
        resize(base);
    }

    @Override
    public void restore() {
        resize(maxSize);
    }

    @Override
    public void resize(int max) {
        sizesLock.lock();
        try {
            int min = Math.min(Math.max(minSize, lifted), max);
            if (max >= sizes.maxSize()) {
                sizes.setMaxSize(max);
                sizes.setMinSize(min);
            } else {
                sizes.setMinSize(min);
                sizes.setMaxSize(max);
            }
        } finally {
            sizesLock.unlock();
        }
    }

    @Override
    public void wake(int wanted) {
        PoolSnapshot before = snapshot();
        if (before.pending() <= 0 || before.total() >= before.max()) {
            return;
        }
        int target = Math.min(before.max(), before.total() + before.pending());
        long end = System.nanoTime() + WAKE_FOR_NANOS;
        try {
            lift(target);
            dataSource.flush(FlushMode.FILL);
            PoolSnapshot now = before;
            while (now.pending() > 0 && now.total() < target && goesOn(end)) {
                LockSupport.parkNanos(this, WAKE_EVERY_NANOS);
                now = snapshot();
            }
        } finally {
            lower();
        }
    }

    private boolean goesOn(long end) {
        return end - System.nanoTime() > 0
                && !isClosed()
                && !Thread.currentThread().isInterrupted();
    }

    /** Raises the min, but not above the max, which Agroal would refuse. {@link #lower()} must follow. */
    private void lift(int min) {
        sizesLock.lock();
        try {
            lifts++;
            lifted = Math.max(lifted, min);
            setMinSize();
        } finally {
            sizesLock.unlock();
        }
    }

    /** Ends a lift. */
    private void lower() {
        sizesLock.lock();
        try {
            if (--lifts == 0) {
                lifted = 0;
                setMinSize();
            }
        } finally {
            sizesLock.unlock();
        }
    }

    private void setMinSize() {
        sizes.setMinSize(Math.min(Math.max(minSize, lifted), sizes.maxSize()));
    }

    /** Returns once the surplus is closed, if that can be observed; at the latest after a second or two. */
    @Override
    public void trim(int max) {
        PoolSnapshot now = snapshot();
        int keep = Math.max(max, now.max());
        if (now.total() <= keep || now.idle() <= 0) {
            return;
        }
        try {
            lift(keep);
            dataSource.flush(FlushMode.IDLE);
            awaitFlush(keep);
        } finally {
            lower();
        }
        if (insides != null) {
            insides.awaitClosed(CLOSE_WAIT_NANOS);
        }
    }

    /** Waits for Agroal's thread, which closes connections after the flush. */
    private void awaitFlush(int keep) {
        if (insides != null) {
            insides.awaitClosed(CLOSE_WAIT_NANOS);
            return;
        }
        long end = System.nanoTime() + CLOSE_WAIT_NANOS;
        while (snapshot().total() > keep && goesOn(end)) {
            LockSupport.parkNanos(this, TRIM_EVERY_NANOS);
        }
    }

    /** Agroal flushes idle connections down to its min size. */
    @Override
    public void evict() {
        sizesLock.lock();
        try {
            sizes.setMinSize(0);
            dataSource.flush(FlushMode.IDLE);
            awaitFlush(0);
        } finally {
            setMinSize();
            sizesLock.unlock();
        }
        dataSource.flush(FlushMode.FILL);
    }

    /**
     * Marks the connection before the abort, so that Agroal closes it on return: an aborted connection resembles a
     * returned one.
     */
    @Override
    public void abort(Connection connection, Executor executor) throws SQLException {
        mark(connection);
        Connection physical = connection.unwrap(Connection.class);
        (physical == null ? connection : physical).abort(executor);
    }

    /** Fills the place if requests wait for it, unless the pool's fields cannot be read. */
    @Override
    public void discard(Connection connection) throws SQLException {
        mark(connection);
        connection.close();
        PoolSnapshot now = snapshot();
        if (insides != null && now.pending() > 0 && now.total() < now.max()) {
            lift(now.total() + now.pending());
            dataSource.flush(FlushMode.FILL);
            insides.afterFlush(this::lower);
        }
    }

    private static void mark(Connection connection) throws SQLException {
        if (connection instanceof ConnectionWrapper wrapper && !Insides.isReturned(wrapper)) {
            wrapper.getHandler().setFlushOnly();
        }
    }

    /** {@inheritDoc} Only by a flush of all or of leaks, which the application calls. */
    @Override
    public Predicate<Connection> takenBack() {
        if (insides == null) {
            throw new UnsupportedOperationException("the fields of this Agroal pool cannot be read");
        }
        return insides::removed;
    }

    @Override
    public @Nullable Connection connect() throws SQLException {
        return insides == null ? null : insides.connect();
    }

    @Override
    public AcquisitionFailure classify(Throwable failure, PoolSnapshot snapshot, Duration waited) {
        return AcquisitionFailure.of(kind(failure, snapshot, waited), failure);
    }

    private Kind kind(Throwable failure, PoolSnapshot snapshot, Duration waited) {
        Throwable cause = failure.getCause();
        if (isClosed() || cause instanceof CancellationException || cause instanceof RejectedExecutionException) {
            return Kind.CLOSED;
        }
        if (AcquisitionFailure.interrupted(failure)) {
            // If a request times out, Agroal 2.0 interrupts its own thread, whose next connect then fails with an
            // interrupt.
            return Thread.currentThread().isInterrupted() ? Kind.INTERRUPTED : Kind.CONNECT_FAILED;
        }
        if (!(failure instanceof SQLException sql)) {
            return Kind.OTHER;
        }
        if (sql.getSQLState() != null || AcquisitionFailure.refusedByDatabase(failure)) {
            // The SQLState is the driver's, because Agroal sets none.
            return Kind.CONNECT_FAILED;
        }
        if (cause instanceof TimeoutException) {
            return Kind.CONNECT_FAILED;
        }
        return cause == null ? kindOfAPlainOne(snapshot, waited) : Kind.OTHER;
    }

    private Kind kindOfAPlainOne(PoolSnapshot snapshot, Duration waited) {
        if (Thread.currentThread().isInterrupted()) {
            return Kind.INTERRUPTED;
        }
        long timeout = sizes.acquisitionTimeout().toNanos();
        if (timeout == 0 || waited.toNanos() < timeout) {
            // A driver without SQLStates, or a rule of the pool: one connection per thread, or none without a
            // transaction.
            return Kind.OTHER;
        }
        boolean full = snapshot.total() == PoolSnapshot.UNKNOWN || snapshot.total() >= snapshot.max();
        return full ? Kind.EXHAUSTED : Kind.CONNECT_FAILED;
    }

    /** Closed by anyone, if the state is readable; otherwise only closed through this adapter. */
    @Override
    public boolean isClosed() {
        return closed || (insides != null && insides.closed());
    }

    /** Agroal forgets the removed connections that its own thread has not closed yet. */
    @Override
    public void close() {
        closed = true;
        if (insides != null && !insides.closed()) {
            insides.awaitClosed(CLOSE_WAIT_NANOS);
        }
        dataSource.close();
    }
}
