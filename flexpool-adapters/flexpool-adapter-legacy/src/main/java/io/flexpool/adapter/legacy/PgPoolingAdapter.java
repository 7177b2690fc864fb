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
 * <li>A request waits for ever, and an interrupt does not end the wait. So a limit needs flexpool's
 *     {@code acquisitionTimeout}; then no request waits inside the pool.
 * <li>It reports its max only: neither active nor open connections.
 * <li>A started pool refuses {@code setMaxConnections}. {@code maxConnections} 0, the default, means no limit.
 * <li>It holds its lock during connects, so that they run one after another, and all wait for a hanging one.
 * <li>It lends connections without validation. A connection that dies during a lease costs no place: the driver closes
 *     it, and the pool drops it.
 * <li>Aborted connections, and those that {@code isValid} found dead, return to the pool as usable. The next request
 *     that gets one fails with the SQLState 08003, a connect failure, and the pool drops it.
 * <li>A connect failure is the driver's exception. A closed pool's exception has the SQLState 08003 too; but a closed
 *     pool is no longer registered under its {@code dataSourceName}. The direct close of a pool without a name cannot
 *     be detected.
 * <li>After an exception without an SQLState, for example of a failed unwrap, it drops the connection without closing
 *     it.
 * <li>Without a {@code dataSourceName} its close throws at the end, because it removes the name from a map without null
 *     keys.
 * </ul>
 */
@SuppressWarnings("deprecation") // supports users of PostgreSQL's deprecated pool
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
            // A started pool keeps its sizes.
        }
    }

    @Override
    public void resize(int max) {
        // The capability is not declared, because the gate suffices.
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
            // An AssertionError or a NullPointerException, depending on the JVM's assertions.
            if (dataSource.getDataSourceName() != null) {
                throw unnamed;
            }
        }
    }
}
