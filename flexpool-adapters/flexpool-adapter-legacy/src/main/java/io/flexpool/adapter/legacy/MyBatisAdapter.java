// SPDX-License-Identifier: Apache-2.0
package io.flexpool.adapter.legacy;

import io.flexpool.adapter.AcquisitionFailure;
import io.flexpool.adapter.AcquisitionFailure.Kind;
import io.flexpool.adapter.PoolAdapter;
import io.flexpool.adapter.PoolAdapter.Capability;
import io.flexpool.adapter.PoolAdapter.SessionProperty;
import io.flexpool.pool.PoolSnapshot;
import io.flexpool.pool.PoolSnapshot.Figure;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import org.apache.ibatis.datasource.pooled.PooledDataSource;
import org.jspecify.annotations.Nullable;

/**
 * Watches MyBatis' {@code PooledDataSource}. Observed behaviour (from the source of 3.5.19, and from tests):
 *
 * <ul>
 * <li>A request waits without a time limit. So limiting the pool needs flexpool's {@code acquisitionTimeout}; then no
 *     request waits inside it.
 * <li>If all connections are leased, a request takes over the longest lease, if it exceeds
 *     {@code poolMaximumCheckoutTime} (20 s): the request gets a new handle on the same connection, and the old handle
 *     is marked as invalid.
 * <li>Each of its setters closes all connections, leased ones too. So the adapter changes the max only before the first
 *     request.
 * <li>In earlier versions the figures take the lock that is held during connects, so flexpool reads only the max.
 * <li>It has no close method. {@code forceCloseAll} closes leased connections too, and the next request opens new ones:
 *     flexpool refuses that request.
 * </ul>
 */
final class MyBatisAdapter implements PoolAdapter {
    /** The flag {@code valid} of a handle's handler, read directly: each of its methods may ping the database. */
    private static final @Nullable VarHandle VALID = valid();

    private final PooledDataSource dataSource;
    private final int poolMaximumActiveConnections;
    private volatile boolean closed;

    MyBatisAdapter(PooledDataSource dataSource) {
        this.dataSource = dataSource;
        this.poolMaximumActiveConnections = dataSource.getPoolMaximumActiveConnections();
    }

    private static @Nullable VarHandle valid() {
        try {
            Class<?> handler = Class.forName(
                    "org.apache.ibatis.datasource.pooled.PooledConnection",
                    false,
                    PooledDataSource.class.getClassLoader());
            return MethodHandles.privateLookupIn(handler, MethodHandles.lookup())
                    .findVarHandle(handler, "valid", boolean.class);
        } catch (ReflectiveOperationException | RuntimeException otherVersion) {
            return null;
        }
    }

    @Override
    public String type() {
        return "MyBatis";
    }

    @Override
    public Set<SessionProperty> restoredOnReturn() {
        return Set.of(SessionProperty.TRANSACTION, SessionProperty.READ_ONLY_TRANSACTION);
    }

    @Override
    public Set<Capability> capabilities() {
        return Set.of();
    }

    @Override
    public PoolSnapshot snapshot() {
        int unknown = PoolSnapshot.UNKNOWN;
        return new PoolSnapshot(dataSource.getPoolMaximumActiveConnections(), 0, unknown, unknown, unknown, unknown);
    }

    @Override
    public Set<Figure> figures() {
        return Set.of(Figure.MAX, Figure.MIN_IDLE);
    }

    @Override
    public Optional<Duration> acquisitionTimeout() {
        return Optional.empty();
    }

    @Override
    public String acquisitionTimeoutKey() {
        return "acquisition timeout, because MyBatis' pool has none: it waits without limit";
    }

    @Override
    public void prepare(int base, int ceiling) {
        if (poolMaximumActiveConnections >= ceiling) {
            return;
        }
        if (hasBeenUsed()) {
            throw new IllegalArgumentException("the ceiling " + ceiling
                    + " is above MyBatis' poolMaximumActiveConnections " + poolMaximumActiveConnections
                    + ", whose setter closes all connections of a pool that has started");
        }
        dataSource.setPoolMaximumActiveConnections(ceiling);
    }

    @Override
    public void restore() {
        if (dataSource.getPoolMaximumActiveConnections() != poolMaximumActiveConnections && !hasBeenUsed()) {
            dataSource.setPoolMaximumActiveConnections(poolMaximumActiveConnections);
        }
    }

    private boolean hasBeenUsed() {
        return dataSource.getPoolState().getRequestCount() > 0
                || dataSource.getPoolState().getActiveConnectionCount() > 0;
    }

    @Override
    public void resize(int max) {
        // Capability not declared: the gate suffices.
    }

    @Override
    public Predicate<Connection> takenBack() {
        if (VALID == null) {
            throw new UnsupportedOperationException(
                    "this version of MyBatis has no PooledConnection.valid that can be read");
        }
        return MyBatisAdapter::isTakenBack;
    }

    private static boolean isTakenBack(Connection handle) {
        if (VALID == null || !Proxy.isProxyClass(handle.getClass())) {
            return false;
        }
        Object handler = Proxy.getInvocationHandler(handle);
        return VALID.coordinateTypes().get(0).isInstance(handler) && !(boolean) VALID.getVolatile(handler);
    }

    @Override
    public Optional<Duration> overdueAfter() {
        int millis = dataSource.getPoolMaximumCheckoutTime();
        return millis < 0 ? Optional.empty() : Optional.of(Duration.ofMillis(millis));
    }

    /** Only in a full pool: otherwise the request would open a connection beyond the limit. */
    @Override
    public void takeBackOverdue() throws SQLException {
        if (dataSource.getPoolState().getActiveConnectionCount() >= dataSource.getPoolMaximumActiveConnections()) {
            dataSource.getConnection().close();
        }
    }

    @Override
    public AcquisitionFailure classify(Throwable failure, PoolSnapshot snapshot, Duration waited) {
        return AcquisitionFailure.of(kind(failure), failure);
    }

    private Kind kind(Throwable failure) {
        if (closed) {
            return Kind.CLOSED;
        }
        if (AcquisitionFailure.interrupted(failure) || Thread.currentThread().isInterrupted()) {
            return Kind.INTERRUPTED;
        }
        return AcquisitionFailure.refusedByDatabase(failure) ? Kind.CONNECT_FAILED : Kind.OTHER;
    }

    /** The pool itself never times out. */
    @Override
    public SQLException timeout(String message, @Nullable SQLException connectFailure) {
        return connectFailure == null
                ? new SQLTransientConnectionException(message)
                : new SQLTransientConnectionException(
                        message, connectFailure.getSQLState(), connectFailure.getErrorCode(), connectFailure);
    }

    @Override
    public boolean isClosed() {
        return closed;
    }

    @Override
    public void close() {
        closed = true;
        dataSource.forceCloseAll();
    }
}
