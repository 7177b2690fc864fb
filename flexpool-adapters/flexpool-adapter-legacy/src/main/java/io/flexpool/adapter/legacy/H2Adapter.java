// SPDX-License-Identifier: Apache-2.0
package io.flexpool.adapter.legacy;

import io.flexpool.adapter.AcquisitionFailure;
import io.flexpool.adapter.AcquisitionFailure.Kind;
import io.flexpool.adapter.PoolAdapter;
import io.flexpool.adapter.PoolAdapter.Capability;
import io.flexpool.pool.PoolSnapshot;
import io.flexpool.pool.PoolSnapshot.Figure;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import org.h2.jdbcx.JdbcConnectionPool;
import org.jspecify.annotations.Nullable;

/**
 * Reads and resizes H2's {@link JdbcConnectionPool}, over any {@code ConnectionPoolDataSource}. Observed behaviour (from the
 * sources of 2.4.240, and from tests):
 *
 * <ul>
 * <li>{@code setMaxConnections} is safe at any time: waiting threads check it each millisecond. A lowered max closes
 *     returned connections only while more are active than the max. Idle ones stay open, and H2 does not report their
 *     number.
 * <li>Exhaustion and a driver's connect failure have the same SQLState 08001; exhaustion has the error code 8001.
 * <li>An interrupt does not end the wait: the thread spins until the timeout and keeps its flag.
 * <li>A connection that is being opened counts as active, so a hanging connect cannot be distinguished from a lease.
 * <li>H2 does not validate connections, so a dead one returns to the pool. If the driver detects this when it is lent
 *     again, that request fails with the driver's exception, and the place is free. H2's own {@code abort} has no
 *     effect.
 * <li>After {@code dispose()}, requests get an {@link IllegalStateException}.
 * </ul>
 */
final class H2Adapter implements PoolAdapter {
    /** The vendor code of "Login timeout", which no driver's connect failure has. */
    private static final int LOGIN_TIMEOUT = 8001;

    private static final String UNREACHABLE = "08001";

    private final JdbcConnectionPool pool;
    private final int maxConnections;
    private volatile boolean closed;

    H2Adapter(JdbcConnectionPool pool) {
        this.pool = pool;
        this.maxConnections = pool.getMaxConnections();
    }

    @Override
    public String type() {
        return "H2 JdbcConnectionPool";
    }

    @Override
    public Set<Capability> capabilities() {
        return Set.of(Capability.LIVE_RESIZE);
    }

    @Override
    public PoolSnapshot snapshot() {
        int unknown = PoolSnapshot.UNKNOWN;
        return new PoolSnapshot(pool.getMaxConnections(), 0, pool.getActiveConnections(), unknown, unknown, unknown);
    }

    @Override
    public Set<Figure> figures() {
        return Set.of(Figure.MAX, Figure.MIN_IDLE, Figure.ACTIVE);
    }

    @Override
    public Optional<Duration> acquisitionTimeout() {
        return Optional.of(Duration.ofSeconds(pool.getLoginTimeout()));
    }

    @Override
    public String acquisitionTimeoutKey() {
        return "loginTimeout";
    }

    @Override
    public void prepare(int base, int ceiling) {
        resize(base);
    }

    @Override
    public void restore() {
        resize(maxConnections);
    }

    @Override
    public void resize(int max) {
        pool.setMaxConnections(max);
    }

    @Override
    public AcquisitionFailure classify(Throwable failure, PoolSnapshot snapshot, Duration waited) {
        return AcquisitionFailure.of(kind(failure), failure);
    }

    private Kind kind(Throwable failure) {
        if (closed || failure instanceof IllegalStateException) {
            return Kind.CLOSED;
        }
        if (AcquisitionFailure.interrupted(failure)) {
            return Kind.INTERRUPTED;
        }
        if (failure instanceof SQLException timeout
                && timeout.getErrorCode() == LOGIN_TIMEOUT
                && UNREACHABLE.equals(timeout.getSQLState())) {
            return Thread.currentThread().isInterrupted() ? Kind.INTERRUPTED : Kind.EXHAUSTED;
        }
        return AcquisitionFailure.refusedByDatabase(failure) ? Kind.CONNECT_FAILED : Kind.OTHER;
    }

    @Override
    public SQLException timeout(String message, @Nullable SQLException connectFailure) {
        return connectFailure == null
                ? new SQLException(message, UNREACHABLE, LOGIN_TIMEOUT)
                : PoolAdapter.super.timeout(message, connectFailure);
    }

    @Override
    public void discard(Connection connection) throws SQLException {
        connection.close();
    }

    @Override
    public boolean isClosed() {
        return closed;
    }

    @Override
    public void close() {
        closed = true;
        pool.dispose();
    }
}
