// SPDX-License-Identifier: Apache-2.0
package io.flexpool.examples.ownadapter;

import io.flexpool.adapter.AcquisitionFailure;
import io.flexpool.adapter.AcquisitionFailure.Kind;
import io.flexpool.adapter.PoolAdapter;
import io.flexpool.adapter.PoolAdapter.Capability;
import io.flexpool.examples.ownadapter.OwnPool.Figures;
import io.flexpool.pool.PoolSnapshot;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLTimeoutException;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Reads and steers an {@link OwnPool}. */
final class OwnAdapter implements PoolAdapter {
    private final OwnPool pool;
    /** The user's max. */
    private final int max;

    OwnAdapter(OwnPool pool) {
        this.pool = pool;
        this.max = pool.figures().max();
    }

    @Override
    public String type() {
        return "OwnPool";
    }

    @Override
    public Set<Capability> capabilities() {
        return Set.of(
                Capability.LIVE_RESIZE,
                Capability.EXACT_TRIM,
                Capability.PHYSICAL_FOLLOWS_LIMIT,
                Capability.PER_CALL_TIMEOUT,
                Capability.PENDING_COUNT);
    }

    /** The pool rolls back a transaction that is open when its connection comes back. */
    @Override
    public Set<SessionProperty> restoredOnReturn() {
        return Set.of(SessionProperty.TRANSACTION, SessionProperty.READ_ONLY_TRANSACTION);
    }

    @Override
    public PoolSnapshot snapshot() {
        Figures now = pool.figures();
        return new PoolSnapshot(now.max(), 0, now.active(), now.idle(), now.active() + now.idle(), now.pending());
    }

    @Override
    public Optional<Duration> acquisitionTimeout() {
        return pool.timeout().isZero() ? Optional.empty() : Optional.of(pool.timeout());
    }

    @Override
    public String acquisitionTimeoutKey() {
        return "timeout";
    }

    @Override
    public void prepare(int base, int ceiling) {
        pool.max(base);
    }

    @Override
    public void restore() {
        pool.max(max);
    }

    @Override
    public void resize(int limit) {
        pool.max(limit);
    }

    @Override
    public void trim(int keep) {
        pool.closeIdle(keep);
    }

    @Override
    public Connection connection(long timeoutNanos) throws SQLException {
        return pool.getConnection(Duration.ofNanos(timeoutNanos));
    }

    @Override
    public Connection connect() throws SQLException {
        return pool.connect();
    }

    @Override
    public AcquisitionFailure classify(Throwable failure, PoolSnapshot snapshot, Duration waited) {
        return AcquisitionFailure.of(kind(failure, waited), failure);
    }

    private Kind kind(Throwable failure, Duration waited) {
        if (pool.isClosed()) {
            return Kind.CLOSED;
        }
        if (AcquisitionFailure.interrupted(failure)) {
            return Kind.INTERRUPTED;
        }
        if (failure instanceof SQLTimeoutException) {
            return connectsHang(waited) ? Kind.CONNECT_FAILED : Kind.EXHAUSTED;
        }
        return AcquisitionFailure.refusedByDatabase(failure) ? Kind.CONNECT_FAILED : Kind.OTHER;
    }

    /** A connecting request occupied a place, and no connect ended while this request waited. */
    private boolean connectsHang(Duration waited) {
        Figures now = pool.figures();
        return now.opening() > 0 && System.nanoTime() - now.lastOpenNanos() >= waited.toNanos();
    }

    @Override
    public SQLException timeout(String message, @Nullable SQLException connectFailure) {
        return connectFailure == null
                ? new SQLTimeoutException(message)
                : new SQLTimeoutException(
                        message, connectFailure.getSQLState(), connectFailure.getErrorCode(), connectFailure);
    }

    @Override
    public boolean isClosed() {
        return pool.isClosed();
    }

    @Override
    public void close() {
        pool.close();
    }
}
