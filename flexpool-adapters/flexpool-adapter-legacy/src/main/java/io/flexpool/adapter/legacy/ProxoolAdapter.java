// SPDX-License-Identifier: Apache-2.0
package io.flexpool.adapter.legacy;

import io.flexpool.adapter.AcquisitionFailure;
import io.flexpool.adapter.AcquisitionFailure.Kind;
import io.flexpool.adapter.PoolAdapter;
import io.flexpool.adapter.PoolAdapter.Capability;
import io.flexpool.adapter.PoolAdapter.SessionProperty;
import io.flexpool.pool.PoolSnapshot;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.util.EnumSet;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.logicalcobwebs.cglib.proxy.Factory;
import org.logicalcobwebs.proxool.ProxoolDataSource;
import org.logicalcobwebs.proxool.ProxoolException;
import org.logicalcobwebs.proxool.ProxoolFacade;
import org.logicalcobwebs.proxool.ProxyConnection;
import org.logicalcobwebs.proxool.WrappedConnection;
import org.logicalcobwebs.proxool.admin.SnapshotIF;

/**
 * Watches Proxool. Observed behaviour (from the sources of 0.9.1, and from tests):
 *
 * <ul>
 * <li>A request to a full pool fails at once. So the pool's acquisition timeout is zero, and with flexpool's
 *     {@code acquisitionTimeout} requests wait at the gate.
 * <li>Its exceptions are plain {@link SQLException}s without SQLState and cause, both for a full pool and for more
 *     simultaneous connects than {@code simultaneousBuildThrottle} (10). It passes the driver's exceptions on
 *     unchanged. So the figures decide. A pool that flexpool sizes before it starts gets a throttle of at least the
 *     ceiling, because otherwise requests admitted by a growth could fail.
 * <li>It searches for an idle connection without a lock: concurrent requests are sometimes refused although there is
 *     room (seen in tests). So with flexpool's timeout a refused request is repeated until the timeout is over.
 * <li>Of several concurrent first requests, one creates the pool, and the others may find it half created: they get a
 *     {@link NullPointerException}, bare or as the text of an {@link SQLException}. They are repeated, too.
 * <li>The pool belongs to its alias, in a registry that is global to the class loader, from the first request on. After
 *     the pool was removed there, the next request recreates it: flexpool refuses that request. Proxool's threads
 *     HouseKeeper and Prototyper serve all pools and run until {@code ProxoolFacade.shutdown()}.
 * <li>Its housekeeper closes a connection that is leased for longer than {@code maximumActiveTime} (5 minutes by
 *     default), and gives it the status NULL, which it keeps.
 * <li>A connection that was returned dead is lent again, unless it is killed.
 * <li>On Java 9 and later it needs {@code --add-opens java.base/java.lang=ALL-UNNAMED}.
 * </ul>
 */
final class ProxoolAdapter implements PoolAdapter {
    private static final long PAUSE_NANOS = 1_000_000;

    private final ProxoolDataSource dataSource;
    private final int maximumConnectionCount;
    private final int simultaneousBuildThrottle;
    /** Whether a request was served, so that the pool exists. */
    private volatile boolean begun;

    private volatile boolean closed;

    ProxoolAdapter(ProxoolDataSource dataSource) {
        this.dataSource = dataSource;
        this.maximumConnectionCount = dataSource.getMaximumConnectionCount();
        this.simultaneousBuildThrottle = dataSource.getSimultaneousBuildThrottle();
    }

    @Override
    public String type() {
        return "Proxool";
    }

    @Override
    public Set<SessionProperty> restoredOnReturn() {
        return EnumSet.of(
                SessionProperty.CATALOG,
                SessionProperty.TYPE_MAP,
                SessionProperty.HOLDABILITY,
                SessionProperty.TRANSACTION_ISOLATION,
                SessionProperty.TRANSACTION,
                SessionProperty.READ_ONLY_TRANSACTION);
    }

    @Override
    public Set<Capability> capabilities() {
        return Set.of(Capability.PER_CALL_TIMEOUT);
    }

    /** A request admitted by the gate has a place; if the pool did not find it, the next attempt will. */
    @Override
    public Connection connection(long timeoutNanos) throws SQLException {
        long end = System.nanoTime() + timeoutNanos;
        while (true) {
            // Read before the attempt: another's first request may be served while this one fails.
            boolean made = begun;
            try {
                Connection connection = dataSource.getConnection();
                begun = true;
                return connection;
            } catch (SQLException | NullPointerException refused) {
                long left = end - System.nanoTime();
                if (left <= 0 || !worthAnotherLook(refused, made)) {
                    throw refused;
                }
                LockSupport.parkNanos(Math.min(left, PAUSE_NANOS));
                if (Thread.currentThread().isInterrupted()) {
                    throw interrupted(refused);
                }
            }
        }
    }

    private boolean worthAnotherLook(Exception refused, boolean made) {
        Kind kind = kind(refused, snapshot());
        return kind == Kind.EXHAUSTED || (kind == Kind.OTHER && (!made || foundTheLastGone(refused)));
    }

    /** Another request removed a connection while Proxool read its list; the next attempt has room, and connects. */
    private static boolean foundTheLastGone(Exception refused) {
        return String.valueOf(refused.getMessage()).startsWith(IndexOutOfBoundsException.class.getName());
    }

    private static SQLException interrupted(Exception refused) {
        SQLException thrown =
                new SQLException("interrupted while Proxool had no connection", new InterruptedException());
        thrown.addSuppressed(refused);
        return thrown;
    }

    /** Avoids the list of all aliases: another pool's start may change the list, because Proxool does not lock it. */
    private boolean running() {
        try {
            return ProxoolFacade.getConnectionPoolDefinition(dataSource.getAlias()) != null;
        } catch (ProxoolException | RuntimeException notRegistered) {
            return false;
        }
    }

    @Override
    public PoolSnapshot snapshot() {
        int unknown = PoolSnapshot.UNKNOWN;
        int min = dataSource.getMinimumConnectionCount();
        if (!running()) {
            return new PoolSnapshot(dataSource.getMaximumConnectionCount(), min, 0, 0, 0, unknown);
        }
        try {
            SnapshotIF figures = ProxoolFacade.getSnapshot(dataSource.getAlias());
            return new PoolSnapshot(
                    figures.getMaximumConnectionCount(),
                    min,
                    figures.getActiveConnectionCount(),
                    figures.getAvailableConnectionCount(),
                    (int) figures.getConnectionCount(),
                    unknown);
        } catch (ProxoolException | NullPointerException removedOrHalfMade) {
            return new PoolSnapshot(dataSource.getMaximumConnectionCount(), min, 0, 0, 0, unknown);
        }
    }

    @Override
    public Optional<Duration> acquisitionTimeout() {
        return Optional.of(Duration.ZERO);
    }

    @Override
    public String acquisitionTimeoutKey() {
        return "acquisition timeout, because Proxool has none: it never waits";
    }

    @Override
    public void prepare(int base, int ceiling) {
        if (running()) {
            int max = snapshot().max();
            if (max < ceiling) {
                throw new IllegalArgumentException("the ceiling " + ceiling
                        + " is above Proxool's maximumConnectionCount " + max
                        + ", which flexpool does not change once the pool has started");
            }
            return;
        }
        dataSource.setMaximumConnectionCount(Math.max(ceiling, maximumConnectionCount));
        dataSource.setSimultaneousBuildThrottle(Math.max(ceiling, simultaneousBuildThrottle));
    }

    @Override
    public void restore() {
        dataSource.setMaximumConnectionCount(maximumConnectionCount);
        dataSource.setSimultaneousBuildThrottle(simultaneousBuildThrottle);
    }

    @Override
    public void resize(int max) {
        // The capability is not declared, because the gate suffices.
    }

    /** Kills the connection, because an aborted one would be lent again. */
    @Override
    public void discard(Connection connection) throws SQLException {
        try {
            ProxoolFacade.killConnecton(connection, false);
        } catch (ProxoolException notItsOwn) {
            connection.close();
        }
    }

    /** {@inheritDoc} A handle that was closed without flexpool has no connection. */
    @Override
    public Predicate<Connection> takenBack() {
        return ProxoolAdapter::isTakenBack;
    }

    private static boolean isTakenBack(Connection handle) {
        if (!(handle instanceof Factory proxy && proxy.getCallback(0) instanceof WrappedConnection behind)) {
            return false;
        }
        ProxyConnection pooled = behind.getProxyConnection();
        return pooled == null || pooled.isNull();
    }

    @Override
    public @Nullable Connection connect() throws SQLException {
        String url = dataSource.getDriverUrl();
        return url == null ? null : DriverManager.getConnection(url, dataSource.getUser(), dataSource.getPassword());
    }

    @Override
    public AcquisitionFailure classify(Throwable failure, PoolSnapshot snapshot, Duration waited) {
        return AcquisitionFailure.of(kind(failure, snapshot), failure);
    }

    private Kind kind(Throwable failure, PoolSnapshot snapshot) {
        if (closed) {
            return Kind.CLOSED;
        }
        if (AcquisitionFailure.interrupted(failure)) {
            return Kind.INTERRUPTED;
        }
        if (AcquisitionFailure.refusedByDatabase(failure)) {
            return Kind.CONNECT_FAILED;
        }
        boolean full = snapshot.total() >= snapshot.max();
        return full && failure instanceof SQLException ? Kind.EXHAUSTED : Kind.OTHER;
    }

    @Override
    public boolean isClosed() {
        return closed;
    }

    @Override
    public void close() throws ProxoolException {
        closed = true;
        if (running()) {
            ProxoolFacade.removeConnectionPool(dataSource.getAlias());
        }
    }
}
