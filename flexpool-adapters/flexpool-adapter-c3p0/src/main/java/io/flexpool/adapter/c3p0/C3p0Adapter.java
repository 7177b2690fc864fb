// SPDX-License-Identifier: Apache-2.0
package io.flexpool.adapter.c3p0;

import com.mchange.v2.c3p0.C3P0ProxyConnection;
import com.mchange.v2.c3p0.WrapperConnectionPoolDataSource;
import com.mchange.v2.c3p0.impl.AbstractPoolBackedDataSource;
import com.mchange.v2.resourcepool.ResourcePoolException;
import com.mchange.v2.resourcepool.TimeoutException;
import io.flexpool.adapter.AcquisitionFailure;
import io.flexpool.adapter.AcquisitionFailure.Kind;
import io.flexpool.adapter.PoolAdapter;
import io.flexpool.adapter.PoolAdapter.Capability;
import io.flexpool.adapter.PoolAdapter.ConnectWatch;
import io.flexpool.adapter.PoolAdapter.SessionProperty;
import io.flexpool.pool.PoolSnapshot;
import java.lang.ref.WeakReference;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.EnumSet;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * Watches c3p0, which cannot be resized: its max is the ceiling, and the gate starts at the base. Observed behaviour
 * (from the sources of 0.12.0 and 0.14.1, and from tests):
 *
 * <ul>
 * <li>Every setter of the data source discards an existing pool: waiting requests fail at once, and a second pool opens
 *     beside the first. So the adapter sets nothing once a pool exists. Before, it may raise the max.
 * <li>c3p0 has one pool per user, each up to {@code maxPoolSize}; flexpool has one gate for all. So at most the limit
 *     is leased, but each user's pool may open up to the ceiling. The figures cover all users.
 * <li>A helper thread processes returned connections, so the next request may find none and open another. Physical
 *     connections then exceed the limit, up to {@code maxPoolSize}, and stay open unless
 *     {@code maxIdleTimeExcessConnections} is set. {@code forceSynchronousCheckins} helps too.
 * <li>c3p0 connects in helper threads (three), tries 30 times, once a second, and only then fails the waiting requests.
 *     So in an outage most requests time out before that, as if the pool were exhausted. The adapter reports an outage
 *     if the pool was not full, and a connect has failed lately or none has succeeded during the request's wait.
 * <li>If a new request takes the connection opened for a waiting one, c3p0 opens another only at the next request, even
 *     if the pool is not full. A gate at its limit admits no request, and does not grow while one is still entering the
 *     pool. So {@link #wake} makes a request.
 * <li>A soft reset under load loses connections for ever: {@link UserPools} closes them.
 * <li>After {@code unreturnedConnectionTimeout} c3p0 closes the physical connection and no longer counts it; the handle
 *     does not show this.
 * <li>c3p0's own abort permanently loses the connection's place, because it clears the connection's reference to the
 *     pool. So the adapter aborts the physical connection, and c3p0 finds it broken on use and return.
 * </ul>
 */
final class C3p0Adapter implements PoolAdapter {
    private static final String MAX_KEY = "maxPoolSize";

    private static final Method ABORT;

    static {
        try {
            ABORT = Connection.class.getMethod("abort", Executor.class);
        } catch (NoSuchMethodException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    /**
     * The age from which a connect failure is stale. c3p0 retries after acquireRetryDelay, one second, and a connect
     * may take several seconds.
     */
    private static final long STALE_AFTER_NANOS = TimeUnit.SECONDS.toNanos(15);

    private final AbstractPoolBackedDataSource dataSource;
    private final WrapperConnectionPoolDataSource settings;
    private final UserPools pools;
    /** The user's maxPoolSize. */
    private final int maxPoolSize;
    /** The last connect failure seen so far. */
    private volatile @Nullable SeenFailure seen;

    private final ConnectWatch connects = new ConnectWatch();

    private record SeenFailure(WeakReference<Throwable> failure, long firstSeenNanos) {}

    C3p0Adapter(AbstractPoolBackedDataSource dataSource, WrapperConnectionPoolDataSource settings) {
        this.dataSource = dataSource;
        this.settings = settings;
        this.pools = new UserPools(dataSource);
        this.maxPoolSize = settings.getMaxPoolSize();
    }

    @Override
    public String type() {
        return "c3p0";
    }

    /** Without a name, c3p0 answers with its identity token. */
    @Override
    public Optional<String> givenName() {
        return Optional.ofNullable(dataSource.getDataSourceName())
                .filter(name -> !name.equals(dataSource.getIdentityToken()));
    }

    @Override
    public @Nullable String initSql() {
        return settings.getConnectionCustomizerClassName() == null ? "" : null;
    }

    /**
     * The transaction, unless the pool is configured to commit it or leave it open; not the catalog, whose change c3p0
     * does not detect.
     */
    @Override
    public Set<SessionProperty> restoredOnReturn() {
        Set<SessionProperty> restored = EnumSet.of(
                SessionProperty.TYPE_MAP, SessionProperty.HOLDABILITY, SessionProperty.TRANSACTION_ISOLATION);
        if (!settings.isAutoCommitOnClose() && !settings.isForceIgnoreUnresolvedTransactions()) {
            restored.add(SessionProperty.TRANSACTION);
            restored.add(SessionProperty.READ_ONLY_TRANSACTION);
        }
        return restored;
    }

    @Override
    public Set<Capability> capabilities() {
        return Set.of(Capability.WAKE, Capability.PENDING_COUNT, Capability.EVICT, Capability.EVICT_LEASED);
    }

    /**
     * {@inheritDoc}
     *
     * <p>The sum over all users' pools; max and min idle are per pool. Takes c3p0's locks one after another, each for
     * some instructions. Acquisitions take these locks too, but a successful acquisition does not read the figures.
     */
    @Override
    public PoolSnapshot snapshot() {
        int max = settings.getMaxPoolSize();
        // c3p0 limits min to max.
        int min = Math.min(settings.getMinPoolSize(), max);
        try {
            UserPools.Figures all = pools.figures();
            connects.seen(all.total(), max);
            look();
            // Excludes connections that are being returned, which would count as foreign.
            int out = Math.max(0, all.taken() - pools.tasks());
            return new PoolSnapshot(max, min, out, all.idle(), all.total(), all.waiting());
        } catch (SQLException unreadable) {
            return new PoolSnapshot(
                    max, min, PoolSnapshot.UNKNOWN, PoolSnapshot.UNKNOWN, PoolSnapshot.UNKNOWN, PoolSnapshot.UNKNOWN);
        }
    }

    @Override
    public Optional<Duration> acquisitionTimeout() {
        int millis = settings.getCheckoutTimeout();
        return millis <= 0 ? Optional.empty() : Optional.of(Duration.ofMillis(millis));
    }

    @Override
    public String acquisitionTimeoutKey() {
        return "checkoutTimeout";
    }

    @Override
    public void prepare(int base, int ceiling) {
        int max = settings.getMaxPoolSize();
        if (max >= ceiling) {
            return;
        }
        if (pools.started()) {
            throw new IllegalArgumentException(MAX_KEY + " is " + max + ", the ceiling is " + ceiling
                    + ": a c3p0 pool that has started cannot grow; set " + MAX_KEY + " to " + ceiling
                    + " before its first connection");
        }
        // Bypasses the data source, whose setter would reset a pool that another thread has just created.
        settings.setMaxPoolSize(ceiling);
    }

    /** Only without a pool: an existing one keeps its max. */
    @Override
    public void restore() {
        if (!pools.started() && settings.getMaxPoolSize() != maxPoolSize) {
            settings.setMaxPoolSize(maxPoolSize);
        }
    }

    @Override
    public void resize(int max) {
        // Not possible.
    }

    @Override
    public void wake(int wanted) {
        if (pools.closed()) {
            return;
        }
        try {
            pools.ask(settings.getMaxPoolSize());
        } catch (SQLException closedMeanwhile) {
            // The pool was closed meanwhile, so no request waits in it.
        } catch (InterruptedException enough) {
            Thread.currentThread().interrupt();
        }
    }

    /** Marks all connections of the existing pools; unlike a setter, it does not fail waiting requests. */
    @Override
    public void evict() throws SQLException {
        if (pools.started() && !pools.closed()) {
            dataSource.softResetAllUsers();
        }
    }

    @Override
    public void abort(Connection connection, Executor executor) throws SQLException {
        if (!(connection instanceof C3P0ProxyConnection proxy)) {
            connection.abort(executor);
            return;
        }
        try {
            proxy.rawConnectionOperation(ABORT, C3P0ProxyConnection.RAW_CONNECTION, new Object[] {executor});
        } catch (InvocationTargetException thrown) {
            throw thrown.getCause() instanceof SQLException sql ? sql : new SQLException(thrown.getCause());
        } catch (IllegalAccessException notPublic) {
            throw new SQLException(notPublic);
        }
    }

    /** {@inheritDoc} Reads the pooled connection behind a handle, because the handle does not show it. */
    @Override
    public Predicate<Connection> takenBack() {
        if (!PooledConnections.readable()) {
            throw new UnsupportedOperationException("unsupported version of c3p0: its fields differ");
        }
        return PooledConnections::takenBack;
    }

    /** c3p0 tests a connection again once one of its methods has thrown, and does not keep a broken one. */
    @Override
    public void discard(Connection connection) throws SQLException {
        try (connection) {
            // Breaks the connection, because c3p0 would keep a working one.
            abort(connection, Runnable::run);
            connection.createStatement().close();
        } catch (SQLException whatItIsToThrow) {
            return;
        }
    }

    @Override
    public @Nullable Connection connect() throws SQLException {
        DataSource nested = settings.getNestedDataSource();
        String user = settings.getOverrideDefaultUser();
        if (nested == null) {
            return null;
        }
        return user == null
                ? nested.getConnection()
                : nested.getConnection(user, settings.getOverrideDefaultPassword());
    }

    @Override
    public AcquisitionFailure classify(Throwable failure, PoolSnapshot snapshot, Duration waited) {
        if (pools.closed()) {
            return AcquisitionFailure.of(Kind.CLOSED, failure);
        }
        if (failure.getCause() instanceof InterruptedException) {
            // Checks only the exception itself: c3p0 interrupts its own helper threads, so an interrupt may be a cause
            // of a failed acquisition.
            return AcquisitionFailure.of(Kind.INTERRUPTED, failure);
        }
        Throwable connectFailure = look();
        if (failure.getCause() instanceof TimeoutException
                && (full()
                        || (connectFailure == null && snapshot.total() > 0 && !connects.nothingConnectedFor(waited)))) {
            return AcquisitionFailure.of(Kind.EXHAUSTED, failure);
        }
        if (failure.getCause() instanceof ResourcePoolException) {
            // The driver's failure is more precise than c3p0's.
            return AcquisitionFailure.of(Kind.CONNECT_FAILED, connectFailure == null ? failure : connectFailure);
        }
        Kind kind = AcquisitionFailure.refusedByDatabase(failure) ? Kind.CONNECT_FAILED : Kind.OTHER;
        return AcquisitionFailure.of(kind, failure);
    }

    private boolean full() {
        try {
            return pools.full(settings.getMaxPoolSize());
        } catch (SQLException unreadable) {
            return true;
        }
    }

    /**
     * Records the last connect failure, so that its age is known.
     *
     * @return null without a failure, or if it is too old
     */
    private @Nullable Throwable look() {
        Throwable failure;
        try {
            failure = pools.lastConnectFailure();
        } catch (SQLException unreadable) {
            return null;
        }
        if (failure == null) {
            return null;
        }
        SeenFailure last = seen;
        long now = System.nanoTime();
        if (last == null || last.failure().get() != failure) {
            seen = new SeenFailure(new WeakReference<>(failure), now);
            return failure;
        }
        return now - last.firstSeenNanos() < STALE_AFTER_NANOS ? failure : null;
    }

    @Override
    public SQLException timeout(String message, @Nullable SQLException connectFailure) {
        return connectFailure == null
                ? new SQLException(message, new TimeoutException(message))
                : PoolAdapter.super.timeout(message, connectFailure);
    }

    @Override
    public boolean isClosed() {
        return pools.closed();
    }

    @Override
    public void close() {
        pools.closeLost();
        dataSource.close();
    }
}
