// SPDX-License-Identifier: Apache-2.0
package io.flexpool.adapter.hikaricp;

import com.zaxxer.hikari.HikariDataSource;
import com.zaxxer.hikari.pool.HikariPool;
import io.flexpool.adapter.AcquisitionFailure;
import io.flexpool.adapter.AcquisitionFailure.Kind;
import io.flexpool.adapter.PoolAdapter;
import io.flexpool.adapter.PoolAdapter.Capability;
import io.flexpool.adapter.PoolAdapter.ConnectWatch;
import io.flexpool.adapter.PoolAdapter.SessionProperty;
import io.flexpool.pool.PoolSnapshot;
import java.lang.ref.WeakReference;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLFeatureNotSupportedException;
import java.sql.SQLTransientConnectionException;
import java.time.Duration;
import java.util.EnumSet;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Reads and resizes HikariCP. Observed behaviour (from the sources of 6.3.3 and 7.1.0, and from tests):
 *
 * <ul>
 * <li>HikariCP's connection adder queues at most as many requests for connections as the max size <em>at the pool's
 *     creation</em>, and drops further ones silently. So the adapter creates an unstarted pool with the ceiling as its max, and sets the
 *     real max right after, or when its start fails or hangs. For pools started before, {@link #wake(int)} repeats the
 *     requests.
 * <li>{@code minimumIdle} counts idle connections only: if it were above the limit, HikariCP would open base + active. So
 *     the adapter keeps {@code minimumIdle} within the limit.
 * <li>Lowering the max closes nothing and refuses nothing: the gate limits, and {@link #trim(int)} closes.
 * <li>An acquisition timeout and an outage throw the same class. In an outage the exception's cause is the last connect
 *     failure; HikariCP drops it at the next successful connect. If the pool is full, that failure is not the reason of
 *     the timeout. A hanging connect has not failed yet, so it leaves no cause: the pool was not full, and no connect
 *     succeeded during a request's wait.
 * </ul>
 */
final class HikariAdapter implements PoolAdapter {
    /**
     * The longest duration of a wake, because a trim waits for it. If a request still waits, the next tick starts
     * another wake.
     */
    private static final long WAKE_FOR_NANOS = TimeUnit.SECONDS.toNanos(1);

    private static final long WAKE_EVERY_NANOS = TimeUnit.MILLISECONDS.toNanos(5);
    /**
     * The number of rounds without a waiting thread that end a wake: an admitted thread needs a moment until it waits
     * inside the pool.
     */
    private static final int QUIET_ROUNDS = 20;

    /**
     * HikariCP hands connections over by a fair {@code SynchronousQueue}, which was rewritten in Java 22. In older
     * versions, a thread that times out at the end of the queue may spin until the queue moves, while threads before it
     * wait. HikariCP's own waiters have equal timeouts and time out in order; a call with a shorter timeout does not.
     * Returned connections move the queue, but not in an outage.
     */
    private static final boolean WAITERS_MAY_SPIN = Runtime.version().feature() < 22;

    private static final long BEFORE_QUEUE_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

    /** HikariCP names a pool without a name when it starts. */
    private static final Pattern MADE_UP_NAME = Pattern.compile("HikariPool-\\d+");

    private static final long STALE_AFTER_NANOS = TimeUnit.SECONDS.toNanos(15);
    private static final long CLOSE_WAIT_NANOS = TimeUnit.SECONDS.toNanos(1);

    private final HikariDataSource dataSource;
    private final Set<Capability> capabilities;
    /** The user's minimumIdle; by default HikariCP uses the max size. */
    private final int minimumIdle;
    /** The user's maximumPoolSize. */
    private final int maximumPoolSize;
    /** The connect failure of the last timeout. */
    private volatile @Nullable SeenCause seen;

    private record SeenCause(WeakReference<Throwable> cause, long firstSeenNanos) {}

    private final ConnectWatch connects = new ConnectWatch();

    HikariAdapter(HikariDataSource dataSource) {
        this.dataSource = dataSource;
        int configured = dataSource.getMinimumIdle();
        this.maximumPoolSize = dataSource.getMaximumPoolSize();
        this.minimumIdle = configured < 0 ? dataSource.getMaximumPoolSize() : configured;
        EnumSet<Capability> can = EnumSet.of(
                Capability.LIVE_RESIZE,
                Capability.WAKE,
                Capability.EXACT_TRIM,
                Capability.PHYSICAL_FOLLOWS_LIMIT,
                Capability.PENDING_COUNT,
                Capability.EVICT,
                Capability.EVICT_LEASED);
        if (dataSource.getClass() == HikariDataSource.class) {
            // A call with a timeout bypasses the data source's getConnection(), which a subclass may have overridden.
            can.add(Capability.PER_CALL_TIMEOUT);
        }
        this.capabilities = Set.copyOf(can);
    }

    @Override
    public String type() {
        return "HikariCP";
    }

    @Override
    public Optional<String> givenName() {
        return Optional.ofNullable(dataSource.getPoolName())
                .filter(name -> !MADE_UP_NAME.matcher(name).matches());
    }

    @Override
    public String initSql() {
        return Objects.requireNonNullElse(dataSource.getConnectionInitSql(), "");
    }

    /** Includes schema and catalog only if a value to restore is configured. */
    @Override
    public Set<SessionProperty> restoredOnReturn() {
        Set<SessionProperty> restored = EnumSet.of(
                SessionProperty.NETWORK_TIMEOUT,
                SessionProperty.TRANSACTION_ISOLATION,
                SessionProperty.TRANSACTION,
                SessionProperty.READ_ONLY_TRANSACTION);
        if (dataSource.getSchema() != null) {
            restored.add(SessionProperty.SCHEMA);
        }
        if (dataSource.getCatalog() != null) {
            restored.add(SessionProperty.CATALOG);
        }
        return restored;
    }

    @Override
    public Set<Capability> capabilities() {
        return capabilities;
    }

    @Override
    public PoolSnapshot snapshot() {
        HikariPool pool = pool();
        int max = dataSource.getMaximumPoolSize();
        // Negative until the pool starts, which then uses the max.
        int minIdle = dataSource.getMinimumIdle() < 0 ? max : dataSource.getMinimumIdle();
        if (pool == null) {
            return new PoolSnapshot(max, minIdle, 0, 0, 0, 0);
        }
        return new PoolSnapshot(
                max,
                minIdle,
                pool.getActiveConnections(),
                pool.getIdleConnections(),
                connects.seen(pool.getTotalConnections(), max),
                pool.getThreadsAwaitingConnection());
    }

    @Override
    public Optional<Duration> acquisitionTimeout() {
        long millis = dataSource.getConnectionTimeout();
        // HikariCP represents "for ever" as Integer.MAX_VALUE milliseconds.
        return millis >= Integer.MAX_VALUE ? Optional.empty() : Optional.of(Duration.ofMillis(millis));
    }

    @Override
    public String acquisitionTimeoutKey() {
        return "connectionTimeout";
    }

    @Override
    public void prepare(int base, int ceiling) {
        if (pool() == null) {
            dataSource.setMinimumIdle(Math.min(minimumIdle, base));
            // Not less than the user's max, which may be restored at run time.
            dataSource.setMaximumPoolSize(Math.max(ceiling, maximumPoolSize));
        } else {
            resize(base);
        }
    }

    @Override
    public void restore() {
        dataSource.setMaximumPoolSize(maximumPoolSize);
        dataSource.setMinimumIdle(minimumIdle);
    }

    @Override
    public boolean started() {
        return pool() != null;
    }

    @Override
    public void resize(int max) {
        int idle = Math.min(minimumIdle, max);
        if (max >= dataSource.getMaximumPoolSize()) {
            dataSource.setMaximumPoolSize(max);
            dataSource.setMinimumIdle(idle);
        } else {
            dataSource.setMinimumIdle(idle);
            dataSource.setMaximumPoolSize(max);
        }
    }

    @Override
    public void wake(int wanted) {
        HikariPool pool = pool();
        if (pool == null) {
            return;
        }
        long end = System.nanoTime() + WAKE_FOR_NANOS;
        int quiet = 0;
        while (quiet < QUIET_ROUNDS
                && end - System.nanoTime() > 0
                && !Thread.currentThread().isInterrupted()
                && !dataSource.isClosed()
                && hasRoom(pool)) {
            int waiting = pool.getThreadsAwaitingConnection();
            if (waiting == 0) {
                quiet++;
            } else {
                quiet = 0;
                pool.addBagItem(waiting);
            }
            LockSupport.parkNanos(this, WAKE_EVERY_NANOS);
        }
    }

    private boolean hasRoom(HikariPool pool) {
        int max = dataSource.getMaximumPoolSize();
        return connects.seen(pool.getTotalConnections(), max) < max;
    }

    @Override
    public void trim(int max) {
        HikariPool pool = pool();
        if (pool == null) {
            return;
        }
        // The limit may rise while this runs: then the rest is no longer surplus.
        while (pool.getTotalConnections() > Math.max(max, dataSource.getMaximumPoolSize())
                && pool.getIdleConnections() > 0
                && !Thread.currentThread().isInterrupted()) {
            if (!trimOne(pool)) {
                return;
            }
        }
    }

    /** Borrows an idle connection, which makes it exclusive, and evicts it. */
    private boolean trimOne(HikariPool pool) {
        try {
            Connection surplus = pool.getConnection(TimeUnit.SECONDS.toMillis(1));
            Connection physical = surplus.unwrap(Connection.class);
            pool.evictConnection(surplus);
            awaitClose(physical);
            return true;
        } catch (SQLException noneIdleAnyMore) {
            return false;
        }
    }

    /** HikariCP forgets a connection before it is closed. One at a time, so that closes do not pile up. */
    private void awaitClose(Connection physical) throws SQLException {
        long end = System.nanoTime() + CLOSE_WAIT_NANOS;
        while (!physical.isClosed()
                && end - System.nanoTime() > 0
                && !Thread.currentThread().isInterrupted()) {
            LockSupport.parkNanos(this, WAKE_EVERY_NANOS);
        }
    }

    /** Not used by {@link #trim}: this call closes all connections, not only the surplus. */
    @Override
    public void evict() {
        HikariPool pool = pool();
        if (pool != null) {
            pool.softEvictConnections();
        }
    }

    @Override
    public Connection connection(long timeoutNanos) throws SQLException {
        HikariPool pool = pool();
        if (pool == null || dataSource.isClosed()) {
            return dataSource.getConnection();
        }
        long left = WAITERS_MAY_SPIN ? leftAfterOthers(pool, timeoutNanos) : timeoutNanos;
        // With a zero timeout no thread joins the queue, and the pool fails at once.
        return pool.getConnection(left <= 0 ? 0 : Math.max(1, TimeUnit.NANOSECONDS.toMillis(left)));
    }

    /**
     * Waits in front of HikariCP's queue while no connection is open and a thread waits in it.
     *
     * @return the remaining time
     */
    private long leftAfterOthers(HikariPool pool, long timeoutNanos) {
        long start = System.nanoTime();
        long left = timeoutNanos;
        while (left > 0
                && pool.getTotalConnections() == 0
                && pool.getThreadsAwaitingConnection() > 0
                && !Thread.currentThread().isInterrupted()
                && !dataSource.isClosed()) {
            LockSupport.parkNanos(this, Math.min(left, BEFORE_QUEUE_NANOS));
            left = timeoutNanos - (System.nanoTime() - start);
        }
        return left;
    }

    /** An aborted connection keeps its place until it is closed, and an application that aborts does not close. */
    @Override
    public void discard(Connection connection) {
        dataSource.evictConnection(connection);
    }

    @Override
    public @Nullable Connection connect() throws SQLException {
        HikariPool pool = pool();
        if (pool == null) {
            return null;
        }
        String user = dataSource.getUsername();
        return user == null
                ? pool.getUnwrappedDataSource().getConnection()
                : pool.getUnwrappedDataSource().getConnection(user, dataSource.getPassword());
    }

    @Override
    public AcquisitionFailure classify(Throwable failure, PoolSnapshot snapshot, Duration waited) {
        return AcquisitionFailure.of(kind(failure, snapshot, waited), failure);
    }

    private Kind kind(Throwable failure, PoolSnapshot snapshot, Duration waited) {
        if (dataSource.isClosed()) {
            return Kind.CLOSED;
        }
        if (failure.getCause() instanceof InterruptedException) {
            return Kind.INTERRUPTED;
        }
        if (failure instanceof SQLFeatureNotSupportedException) {
            return Kind.OTHER;
        }
        if (pool() == null) {
            // HikariCP connects once when it starts, and throws the driver's exception.
            return failure instanceof SQLException || failure instanceof HikariPool.PoolInitializationException
                    ? Kind.CONNECT_FAILED
                    : Kind.OTHER;
        }
        if (failure instanceof SQLTransientConnectionException) {
            boolean full = snapshot.total() >= snapshot.max();
            // Without active connections the pool cannot be exhausted.
            boolean connectFailed = fresh(failure.getCause())
                    || snapshot.total() == 0
                    || (snapshot.idle() == 0 && connects.nothingConnectedFor(waited));
            return full || !connectFailed ? Kind.EXHAUSTED : Kind.CONNECT_FAILED;
        }
        return AcquisitionFailure.refusedByDatabase(failure) ? Kind.CONNECT_FAILED : Kind.OTHER;
    }

    /**
     * HikariCP keeps the last connect failure until a connect succeeds. While connects fail, it tries at least every
     * five seconds, so a failure that is much older is stale. With the request's age as the limit, outages would count
     * as exhaustion: the adder thread pauses up to five seconds, and timeouts can be shorter. Without a limit, a
     * failure of the morning would explain exhaustion in the evening.
     */
    private boolean fresh(@Nullable Throwable cause) {
        if (cause == null) {
            return false;
        }
        SeenCause last = seen;
        long now = System.nanoTime();
        if (last == null || last.cause().get() != cause) {
            seen = new SeenCause(new WeakReference<>(cause), now);
            return true;
        }
        return now - last.firstSeenNanos() < STALE_AFTER_NANOS;
    }

    @Override
    public SQLException timeout(String message, @Nullable SQLException connectFailure) {
        if (connectFailure == null) {
            return new SQLTransientConnectionException(message);
        }
        SQLException timeout = new SQLTransientConnectionException(
                message, connectFailure.getSQLState(), connectFailure.getErrorCode(), connectFailure);
        timeout.setNextException(connectFailure);
        return timeout;
    }

    @Override
    public boolean isClosed() {
        return dataSource.isClosed();
    }

    @Override
    public void close() {
        dataSource.close();
    }

    private @Nullable HikariPool pool() {
        return (HikariPool) dataSource.getHikariPoolMXBean();
    }
}
