// SPDX-License-Identifier: Apache-2.0
package io.flexpool.adapter.legacy;

import io.flexpool.adapter.AcquisitionFailure;
import io.flexpool.adapter.AcquisitionFailure.Kind;
import io.flexpool.adapter.PoolAdapter;
import io.flexpool.adapter.PoolAdapter.Capability;
import io.flexpool.adapter.PoolAdapter.SessionProperty;
import io.flexpool.pool.PoolSnapshot;
import io.flexpool.pool.PoolSnapshot.Figure;
import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.postgresql.ds.PGPoolingDataSource;

/**
 * Watches PostgreSQL's {@code PGPoolingDataSource}. Observed behaviour (from the byte code of 42.7.14, and from tests):
 *
 * <ul>
 *   <li>It waits for ever, and an interrupt does not end the wait. So a limit needs flexpool's {@code
 *       acquisitionTimeout}, and then no request waits inside the pool.
 *   <li>It reports its max only: neither active nor open connections.
 *   <li>{@code setMaxConnections} is refused once the pool has started. {@code maxConnections} 0, the default, is no
 *       limit at all.
 *   <li>It connects with its lock held: connects come one after the other, and all wait for one that hangs.
 *   <li>It hands out a connection without validation. One that dies while leased costs no place: the driver closes it,
 *       and the pool drops it.
 *   <li>It takes back aborted connections, and those that {@code isValid} found dead, as usable; the next request that
 *       would get one fails with the SQLState 08003, and it is dropped: a connect failure.
 *   <li>A connect failure is the driver's own exception. A closed pool's has the SQLState 08003, too; but a closed pool
 *       is no longer registered under its {@code dataSourceName}. One without a name that was closed directly cannot be
 *       distinguished.
 *   <li>An exception without an SQLState, such as a failed unwrap's, makes it drop the connection without closing it.
 *   <li>Without a {@code dataSourceName} its close throws at the end, because it searches a map for itself.
 * </ul>
 */
@SuppressWarnings("deprecation") // PostgreSQL has deprecated its pool, whose users need this
final class PgPoolingAdapter implements PoolAdapter {
    private final PGPoolingDataSource dataSource;
    private final int maxConnections;
    private volatile boolean closed;

    PgPoolingAdapter(PGPoolingDataSource dataSource) {
        this.dataSource = dataSource;
        this.maxConnections = dataSource.getMaxConnections();
    }

    @Override
    public String type() {
        return "PGPoolingDataSource";
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
        int max = dataSource.getMaxConnections();
        return new PoolSnapshot(max == 0 ? Integer.MAX_VALUE : max, 0, unknown, unknown, unknown, unknown);
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
        return "acquisition timeout, because PGPoolingDataSource has none: it waits without limit";
    }

    @Override
    public void prepare(int base, int ceiling) {
        if (maxConnections == 0 || maxConnections >= ceiling) {
            return;
        }
        try {
            dataSource.setMaxConnections(ceiling);
        } catch (IllegalStateException started) {
            throw new IllegalArgumentException(
                    "the ceiling " + ceiling + " is above PGPoolingDataSource's maxConnections " + maxConnections
                            + ", which cannot change once the pool has started",
                    started);
        }
    }

    @Override
    public void restore() {
        try {
            dataSource.setMaxConnections(maxConnections);
        } catch (IllegalStateException started) {
            // It keeps the sizes that it started with.
        }
    }

    @Override
    public void resize(int max) {
        // Not declared: the gate suffices.
    }

    @Override
    public AcquisitionFailure classify(Throwable failure, PoolSnapshot snapshot, Duration waited) {
        return AcquisitionFailure.of(kind(failure), failure);
    }

    private Kind kind(Throwable failure) {
        if (isClosed()) {
            return Kind.CLOSED;
        }
        if (AcquisitionFailure.interrupted(failure)) {
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
        return closed || removed();
    }

    /** A named pool is in the driver's map of pools until it is closed. */
    private boolean removed() {
        String name = dataSource.getDataSourceName();
        return name != null && PGPoolingDataSource.getDataSource(name) != dataSource;
    }

    @Override
    public void close() {
        closed = true;
        try {
            dataSource.close();
        } catch (NullPointerException | AssertionError unnamed) {
            // Which of them, the JVM's assertions decide.
            if (dataSource.getDataSourceName() != null) {
                throw unnamed;
            }
        }
    }
}
