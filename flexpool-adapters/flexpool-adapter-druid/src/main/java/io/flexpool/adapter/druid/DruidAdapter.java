// SPDX-License-Identifier: Apache-2.0
package io.flexpool.adapter.druid;

import com.alibaba.druid.pool.DruidAbstractDataSource;
import com.alibaba.druid.pool.DruidConnectionHolder;
import com.alibaba.druid.pool.DruidDataSource;
import com.alibaba.druid.pool.DruidPooledConnection;
import com.alibaba.druid.pool.GetConnectionTimeoutException;
import com.alibaba.druid.proxy.DruidDriver;
import com.alibaba.druid.stat.DruidDataSourceStatManager;
import io.flexpool.adapter.AcquisitionFailure;
import io.flexpool.adapter.AcquisitionFailure.Kind;
import io.flexpool.adapter.PoolAdapter;
import io.flexpool.adapter.PoolAdapter.Capability;
import io.flexpool.adapter.PoolAdapter.ConnectWatch;
import io.flexpool.adapter.PoolAdapter.SessionProperty;
import io.flexpool.pool.PoolSnapshot;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.invoke.VarHandle;
import java.lang.management.ManagementFactory;
import java.lang.reflect.Method;
import java.sql.Connection;
import java.sql.Driver;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Properties;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import javax.management.JMException;
import javax.management.MBeanServer;
import javax.management.ObjectName;
import org.jspecify.annotations.Nullable;

/**
 * Reads and resizes Druid. Observed behaviour (from the sources of 1.2.8 and 1.2.28, and from tests):
 *
 * <ul>
 * <li>The pool's lock guards the counters, so a snapshot takes it once, for a few nanoseconds. The pool does not hold
 *     it while it opens or closes a connection, except in its start (flexpool does not read then) and in its own close.
 * <li>Connections are opened by a thread of the pool that sleeps until a request signals it. Requests already waiting
 *     when {@code maxActive} rises have signalled too early: {@link #wake(int)} signals again. A wake makes no request,
 *     which would count towards {@code maxWaitThreadCount}, or be refused.
 * <li>{@code setMaxActive} on a running pool replaces arrays that the pool's thread for idle connections uses without
 *     the lock: with a shorter or an empty array, an exception would end that thread. During the start, which holds the
 *     pool's lock, the method leaves the arrays too short. So they get the ceiling's length once, before the pool
 *     starts or when it is wrapped; later only the field {@code maxActive} is written.
 * <li>Neither {@code minIdle} nor, at the start, {@code initialSize} may exceed {@code maxActive}.
 * <li>Lowering {@code maxActive} closes nothing at once; returned connections beyond it are closed. {@link #trim(int)}
 *     closes idle connections. It does not use the pool's {@code shrink}, because that shares its workspace with the
 *     pool's thread without a lock.
 * <li>An acquisition timeout and an outage throw the same class. Its cause, if it has one, is the last connect failure.
 *     It has no cause while connects hang: then the pool is not full, and no connect succeeds while a request waits.
 * <li>While not full, 1.2.8 waits twice the timeout, because with {@code notFullTimeoutRetryCount = 0} it compares by
 *     {@code <=} and repeats the attempt once. 1.2.28 compares by {@code <}. In 1.2.8 a timeout per call is doubled
 *     too.
 * <li>The pool discards broken connections on return, but logs this as an error, with a stack trace.
 * <li>An interrupt causes a plain {@link SQLException} and clears the flag.
 * </ul>
 */
final class DruidAdapter implements PoolAdapter {
    private static final long WAKE_FOR_NANOS = TimeUnit.SECONDS.toNanos(10);
    /** The longest wait of a resize for the pool's start, which opens initialSize connections, usually 0. */
    private static final long START_NANOS = TimeUnit.SECONDS.toNanos(2);
    /**
     * The longest wait of a restore for the pool's start, which would otherwise create the pool with the ceiling as its
     * max.
     */
    private static final long RESTORE_NANOS = TimeUnit.MINUTES.toNanos(10);

    private static final long WAKE_EVERY_NANOS = TimeUnit.MILLISECONDS.toNanos(5);
    /**
     * The timeout of a trim's request. Short, because an idle connection is lent at once, and a waiting request counts
     * towards maxWaitThreadCount.
     */
    private static final long TRIM_MILLIS = 1;

    private static final int TRIM_ATTEMPTS = 20;
    /** Druid's method that closes a connection and frees its place; returns nothing in 1.2.8, a boolean in 1.2.28. */
    private static final MethodHandle DISCARD;
    /** The flag of {@code disable()}, which removes the {@code DruidConnectionHolder}: a call in progress throws a NullPointerException. */
    private static final VarHandle DISABLED;
    /** The field that the adapter writes instead of calling {@code setMaxActive}, see above. */
    private static final VarHandle MAX_ACTIVE;
    /** One of the arrays that the start creates before it connects. */
    private static final VarHandle CONNECTIONS;
    /** Druid's method that a request calls before it waits; needs the pool's lock. */
    private static final MethodHandle EMPTY_SIGNAL;

    static {
        try {
            Method method = DruidDataSource.class.getMethod("discardConnection", DruidConnectionHolder.class);
            DISCARD = MethodHandles.publicLookup().unreflect(method);
            DISABLED = MethodHandles.privateLookupIn(DruidPooledConnection.class, MethodHandles.lookup())
                    .findVarHandle(DruidPooledConnection.class, "disable", boolean.class);
            MAX_ACTIVE = MethodHandles.privateLookupIn(DruidAbstractDataSource.class, MethodHandles.lookup())
                    .findVarHandle(DruidAbstractDataSource.class, "maxActive", int.class);
            CONNECTIONS = MethodHandles.privateLookupIn(DruidDataSource.class, MethodHandles.lookup())
                    .findVarHandle(DruidDataSource.class, "connections", DruidConnectionHolder[].class);
            EMPTY_SIGNAL = MethodHandles.privateLookupIn(DruidDataSource.class, MethodHandles.lookup())
                    .findVirtual(DruidDataSource.class, "emptySignal", MethodType.methodType(void.class));
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private static final Pattern GENERATED_NAME = Pattern.compile("DataSource-\\d+");

    private final DruidDataSource dataSource;
    private final ConnectWatch connects = new ConnectWatch();
    private final Set<Capability> capabilities;
    /** The user's sizes. */
    private final int maxActive;

    private final int minIdle;
    private final int initialSize;
    /** The minimum length of the pool's arrays. */
    private volatile int length;
    /** Whether {@link #restore()} has something to restore. */
    private volatile boolean prepared;

    DruidAdapter(DruidDataSource dataSource) {
        this.dataSource = dataSource;
        this.maxActive = dataSource.getMaxActive();
        this.minIdle = dataSource.getMinIdle();
        this.initialSize = dataSource.getInitialSize();
        this.length = maxActive;
        EnumSet<Capability> can = EnumSet.of(
                Capability.LIVE_RESIZE,
                Capability.WAKE,
                Capability.EXACT_TRIM,
                Capability.PHYSICAL_FOLLOWS_LIMIT,
                Capability.PENDING_COUNT,
                Capability.EVICT);
        if (dataSource.getClass() == DruidDataSource.class) {
            // getConnection(long) bypasses getConnection(), which a subclass may override.
            can.add(Capability.PER_CALL_TIMEOUT);
        }
        this.capabilities = Set.copyOf(can);
    }

    @Override
    public String type() {
        return "Druid";
    }

    @Override
    public Optional<String> givenName() {
        return Optional.ofNullable(dataSource.getName())
                .filter(name -> !GENERATED_NAME.matcher(name).matches());
    }

    @Override
    public String initSql() {
        return String.join(";\n", dataSource.getConnectionInitSqls());
    }

    /** Includes no read-only transaction, because the pool does not roll back on a read-only connection. */
    @Override
    public Set<SessionProperty> restoredOnReturn() {
        return Set.of(SessionProperty.HOLDABILITY, SessionProperty.TRANSACTION_ISOLATION, SessionProperty.TRANSACTION);
    }

    @Override
    public Set<Capability> capabilities() {
        return capabilities;
    }

    @Override
    public PoolSnapshot snapshot() {
        if (!dataSource.isInited()) {
            return new PoolSnapshot(dataSource.getMaxActive(), dataSource.getMinIdle(), 0, 0, 0, 0);
        }
        Lock lock = dataSource.getLock();
        lock.lock();
        try {
            int max = dataSource.getMaxActive();
            int active = dataSource.getActiveCount();
            int idle = dataSource.getPoolingCount();
            return new PoolSnapshot(
                    max,
                    dataSource.getMinIdle(),
                    active,
                    idle,
                    connects.seen(active + idle, max),
                    dataSource.getNotEmptyWaitThreadCount());
        } finally {
            lock.unlock();
        }
    }

    @Override
    public Optional<Duration> acquisitionTimeout() {
        long millis = dataSource.getMaxWait();
        return millis <= 0 ? Optional.empty() : Optional.of(Duration.ofMillis(millis));
    }

    @Override
    public String acquisitionTimeoutKey() {
        return "maxWait";
    }

    /** Gives the arrays the ceiling's length, so that they never have to be replaced later. */
    @Override
    public void prepare(int base, int ceiling) {
        int longest = Math.max(ceiling, maxActive);
        underTheLockOfAStart(longest, START_NANOS, () -> {
            prepared = true;
            initialSize(Math.min(initialSize, base));
            lengthen(longest);
        });
        resize(base);
    }

    /** A pool keeps the ceiling as its max until it has started: the start creates arrays of this length. */
    @Override
    public boolean started() {
        return dataSource.isInited();
    }

    @Override
    public void restore() {
        if (!prepared) {
            return;
        }
        underTheLockOfAStart(maxActive, RESTORE_NANOS, () -> {
            sizes(maxActive, minIdle);
            initialSize(initialSize);
            if (!dataSource.isInited()) {
                length = maxActive;
            }
        });
    }

    @Override
    public void resize(int max) {
        if (dataSource.isInited()) {
            if (max > length) {
                underTheLockOfAStart(max, START_NANOS, () -> lengthen(max));
            }
            sizes(max, Math.min(minIdle, max));
        } else if (arraysAreMade()) {
            // The start probably hangs in a connect.
            sizes(max, Math.min(minIdle, max));
        } else {
            dataSource.setMinIdle(Math.min(minIdle, max));
        }
    }

    private boolean arraysAreMade() {
        DruidConnectionHolder[] made = (DruidConnectionHolder[]) CONNECTIONS.getVolatile(dataSource);
        return made != null && made.length >= length;
    }

    private void lengthen(int max) {
        boolean longEnough = dataSource.isInited() ? length >= max : dataSource.getMaxActive() >= max;
        if (!longEnough) {
            dataSource.setMaxActive(max);
        }
        length = Math.max(length, max);
    }

    private void sizes(int max, int least) {
        if (least < dataSource.getMinIdle()) {
            dataSource.setMinIdle(least);
        }
        MAX_ACTIVE.setVolatile(dataSource, max);
        dataSource.setMinIdle(least);
    }

    /** Sets a size that only the start uses; immutable afterwards. */
    private void initialSize(int size) {
        if (!dataSource.isInited()) {
            dataSource.setInitialSize(size);
        }
    }

    private void underTheLockOfAStart(int max, long nanos, Runnable change) {
        Lock lock = dataSource.getLock();
        if (!lockedInTime(lock, nanos)) {
            throw new IllegalStateException("Druid is still starting, so maxActive cannot be set to " + max
                    + "; the next change of the limit sets it");
        }
        try {
            change.run();
        } finally {
            lock.unlock();
        }
    }

    private static boolean lockedInTime(Lock lock, long nanos) {
        try {
            return lock.tryLock(nanos, TimeUnit.NANOSECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    @Override
    public void wake(int wanted) {
        long end = System.nanoTime() + WAKE_FOR_NANOS;
        PoolSnapshot now = snapshot();
        while (now.pending() > 0
                && now.total() < now.max()
                && end - System.nanoTime() > 0
                // Otherwise Druid itself fails the waiting requests.
                && !dataSource.isFailContinuous()
                && !dataSource.isClosed()
                && !interrupted()) {
            signal();
            LockSupport.parkNanos(this, WAKE_EVERY_NANOS);
            now = snapshot();
        }
    }

    private void signal() {
        Lock lock = dataSource.getLock();
        lock.lock();
        try {
            EMPTY_SIGNAL.invoke(dataSource);
        } catch (Throwable thrown) {
            throw new IllegalStateException(
                    "could not signal Druid's CreateConnectionThread: Druid opens a connection only at the next request",
                    thrown);
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void trim(int max) {
        try {
            PoolSnapshot now = snapshot();
            // The limit may rise while this runs: then the rest is no longer surplus.
            while (now.total() > Math.max(max, now.max()) && now.idle() > 0 && !interrupted()) {
                discard(takeIdle());
                now = snapshot();
            }
        } catch (SQLException noneIdleAnyMore) {
            AcquisitionFailure.restoreInterrupt(noneIdleAnyMore);
        }
    }

    /** Borrows all idle connections before it closes any, because Druid lends the last returned connection first. */
    @Override
    public void evict() {
        long now = InstantSource.system().millis();
        List<DruidPooledConnection> idle = new ArrayList<>();
        try {
            int most = snapshot().max();
            while (idle.size() < most && snapshot().idle() > 0 && !interrupted()) {
                idle.add(takeIdle());
            }
        } catch (SQLException noneIdleAnyMore) {
            AcquisitionFailure.restoreInterrupt(noneIdleAnyMore);
        } finally {
            idle.forEach(connection -> end(connection, now));
        }
    }

    /** Retries: Druid counts whole milliseconds, and may time out at the next one even if a connection is idle. */
    private DruidPooledConnection takeIdle() throws SQLException {
        for (int attempt = 1; ; attempt++) {
            try {
                return dataSource.getConnection(TRIM_MILLIS);
            } catch (GetConnectionTimeoutException early) {
                if (attempt == TRIM_ATTEMPTS || snapshot().idle() == 0 || interrupted()) {
                    throw early;
                }
            }
        }
    }

    private void end(DruidPooledConnection connection, long evictedMillis) {
        try {
            DruidConnectionHolder holder = connection.getConnectionHolder();
            if (holder == null || holder.getConnectTimeMillis() <= evictedMillis) {
                discard(connection);
            } else {
                connection.close();
            }
        } catch (SQLException whileItCloses) {
            AcquisitionFailure.restoreInterrupt(whileItCloses);
        }
    }

    private static boolean interrupted() {
        return Thread.currentThread().isInterrupted();
    }

    @Override
    public Connection connection(long timeoutNanos) throws SQLException {
        // Druid reads 0 as no timeout.
        return dataSource.getConnection(Math.max(1, TimeUnit.NANOSECONDS.toMillis(timeoutNanos)));
    }

    /**
     * {@inheritDoc}
     *
     * <p>A handle that Druid has closed as abandoned has no {@code DruidConnectionHolder}; its physical connection is lent again. After a
     * fatal error of the database Druid discards the connection and disables its handle.
     */
    @Override
    public Predicate<Connection> takenBack() {
        return handle -> handle instanceof DruidPooledConnection pooled
                && (pooled.getConnectionHolder() == null || pooled.isDisable());
    }

    /** Druid would report the ordinary return of a closed connection as an error. */
    @Override
    public void discard(Connection connection) throws SQLException {
        if (connection instanceof DruidPooledConnection pooled) {
            DruidConnectionHolder holder = pooled.getConnectionHolder();
            if (holder != null) {
                try {
                    DISCARD.invoke(dataSource, holder);
                } catch (Throwable thrown) {
                    throw new SQLException(thrown);
                }
            }
            DISABLED.setVolatile(pooled, true);
        } else {
            connection.close();
        }
    }

    /**
     * {@inheritDoc}
     *
     * <p>Uses the driver: the pool's method would store a failure, and report it to waiting requests. Null if callbacks
     * supply user or password.
     */
    @Override
    public @Nullable Connection connect() throws SQLException {
        Driver driver = dataSource.getRawDriver();
        if (driver == null || dataSource.getUserCallback() != null || dataSource.getPasswordCallback() != null) {
            return null;
        }
        Properties all = new Properties();
        all.putAll(dataSource.getConnectProperties());
        if (dataSource.getUsername() != null) {
            all.setProperty("user", dataSource.getUsername());
        }
        if (dataSource.getPassword() != null) {
            all.setProperty("password", dataSource.getPassword());
        }
        return driver.connect(dataSource.getRawJdbcUrl(), all);
    }

    @Override
    public AcquisitionFailure classify(Throwable failure, PoolSnapshot snapshot, Duration waited) {
        return AcquisitionFailure.of(kind(failure, snapshot, waited), failure);
    }

    private Kind kind(Throwable failure, PoolSnapshot snapshot, Duration waited) {
        if (dataSource.isClosed()) {
            return Kind.CLOSED;
        }
        boolean full = snapshot.total() >= snapshot.max();
        if (failure instanceof GetConnectionTimeoutException) {
            // The cause is the failure of the pool's own thread, also an interrupt of that thread.
            boolean connectFailed = failure.getCause() != null
                    || snapshot.total() == 0
                    || (snapshot.idle() == 0 && connects.nothingConnectedFor(waited));
            return full || !connectFailed ? Kind.EXHAUSTED : Kind.CONNECT_FAILED;
        }
        if (AcquisitionFailure.interrupted(failure)) {
            return Kind.INTERRUPTED;
        }
        if (AcquisitionFailure.refusedByDatabase(failure)) {
            return Kind.CONNECT_FAILED;
        }
        boolean turnedAway = failure.getClass() == SQLException.class && failure.getCause() == null;
        // More requests wait than the pool's maxWaitThreadCount.
        return full && turnedAway ? Kind.EXHAUSTED : Kind.OTHER;
    }

    @Override
    public SQLException timeout(String message, @Nullable SQLException connectFailure) {
        if (connectFailure == null) {
            return new GetConnectionTimeoutException(message);
        }
        return new StatedTimeout(message, connectFailure);
    }

    /** Druid's class has no constructor with the SQLState, which callers read from the exception. */
    private static final class StatedTimeout extends GetConnectionTimeoutException {
        private static final long serialVersionUID = 1L;

        StatedTimeout(String message, SQLException connectFailure) {
            super(message, connectFailure);
            setNextException(connectFailure);
        }

        @Override
        public @Nullable String getSQLState() {
            return getNextException().getSQLState();
        }

        @Override
        public int getErrorCode() {
            return getNextException().getErrorCode();
        }
    }

    @Override
    public boolean isClosed() {
        return dataSource.isClosed();
    }

    @Override
    public void close() throws JMException, SQLException {
        dataSource.close();
        if (DruidDataSourceStatManager.getInstances().isEmpty() && driverKeepsAnApplication()) {
            forgetDriver();
        }
    }

    /**
     * Whether Druid's driver is unused and keeps an application's classes loaded. It stays registered if the system
     * class loader has Druid, or the application uses {@code jdbc:wrap-jdbc:}.
     */
    private static boolean driverKeepsAnApplication() {
        for (ClassLoader at = ClassLoader.getSystemClassLoader(); at != null; at = at.getParent()) {
            if (at == DruidDriver.class.getClassLoader()) {
                return false;
            }
        }
        return DruidDriver.getProxyDataSources().isEmpty();
    }

    /**
     * Druid's driver registers itself and an MBean when it is loaded. Only {@code jdbc:wrap-jdbc:} URLs need them,
     * pools do not. The last pool removes both, so that an application can be unloaded.
     */
    private static void forgetDriver() throws JMException, SQLException {
        DruidDriver driver = DruidDriver.getInstance();
        MBeanServer server = ManagementFactory.getPlatformMBeanServer();
        ObjectName name = new ObjectName("com.alibaba.druid:type=DruidDriver");
        // Another application may have registered its driver under this name.
        if (server.isRegistered(name)
                && server.getClassLoaderFor(name) == driver.getClass().getClassLoader()) {
            server.unregisterMBean(name);
        }
        DriverManager.deregisterDriver(driver);
    }
}
