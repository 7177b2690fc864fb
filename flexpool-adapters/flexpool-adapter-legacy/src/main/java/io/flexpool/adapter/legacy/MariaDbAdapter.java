// SPDX-License-Identifier: Apache-2.0
package io.flexpool.adapter.legacy;

import io.flexpool.adapter.AcquisitionFailure;
import io.flexpool.adapter.AcquisitionFailure.Kind;
import io.flexpool.adapter.PoolAdapter;
import io.flexpool.adapter.PoolAdapter.Capability;
import io.flexpool.pool.PoolSnapshot;
import io.flexpool.pool.PoolSnapshot.Figure;
import java.lang.reflect.Field;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.mariadb.jdbc.MariaDbPoolDataSource;
import org.mariadb.jdbc.pool.Pool;

/**
 * Watches MariaDB's {@link MariaDbPoolDataSource}. Observed behaviour (from the sources of 3.5.6, and from tests):
 *
 * <ul>
 * <li>Its sizes are options of its URL and never change; the pool starts with the URL and connects at once.
 * <li>The data source reports nothing. The pool behind it does, but is in a private field; its MBean's name is unique
 *     only among the pools of one class loader. If the field cannot be read the figures are unknown.
 * <li>A timeout is an {@link SQLException} without SQLState and cause, for an exhausted pool and in an outage: a thread
 *     of the pool connects, and only logs its failures. So the figures decide.
 * <li>A connection returned less than {@code poolValidMinDelay} (1 s) ago is lent without validation.
 * <li>Requests of a closed pool wait until their timeout.
 * </ul>
 */
final class MariaDbAdapter implements PoolAdapter {
    private static final @Nullable Field POOL = poolField();

    private final MariaDbPoolDataSource dataSource;
    private final Set<Capability> capabilities;
    private volatile boolean closed;

    MariaDbAdapter(MariaDbPoolDataSource dataSource) {
        this.dataSource = dataSource;
        // If the pool does not exist yet, flexpool counts pending requests itself, permanently.
        this.capabilities = pool() == null ? Set.of() : Set.of(Capability.PENDING_COUNT);
    }

    private static @Nullable Field poolField() {
        try {
            Field field = MariaDbPoolDataSource.class.getDeclaredField("pool");
            field.setAccessible(true);
            return field;
        } catch (NoSuchFieldException | RuntimeException notToBeRead) {
            return null;
        }
    }

    private @Nullable Pool pool() {
        try {
            return POOL == null ? null : (Pool) POOL.get(dataSource);
        } catch (IllegalAccessException notToBeRead) {
            return null;
        }
    }

    @Override
    public String type() {
        return "MariaDbPoolDataSource";
    }

    @Override
    public Set<Capability> capabilities() {
        return capabilities;
    }

    @Override
    public PoolSnapshot snapshot() {
        Pool pool = pool();
        if (pool == null) {
            return PoolSnapshot.NOTHING_KNOWN;
        }
        int total = (int) pool.getTotalConnections();
        int idle = (int) pool.getIdleConnections();
        return new PoolSnapshot(
                pool.getConf().maxPoolSize(),
                pool.getConf().minPoolSize(),
                Math.max(0, total - idle),
                idle,
                total,
                (int) pool.getConnectionRequests());
    }

    /** All figures, although they are unknown until the data source has its URL, and so its pool. */
    @Override
    public Set<Figure> figures() {
        return POOL == null ? Set.of() : PoolAdapter.super.figures();
    }

    @Override
    public Optional<Duration> acquisitionTimeout() {
        Pool pool = pool();
        return Optional.of(
                pool == null
                        ? Duration.ofSeconds(dataSource.getLoginTimeout())
                        : Duration.ofMillis(pool.getConf().connectTimeout()));
    }

    @Override
    public String acquisitionTimeoutKey() {
        return "connectTimeout";
    }

    @Override
    public void prepare(int base, int ceiling) {
        int max = snapshot().max();
        if (max != PoolSnapshot.UNKNOWN && max < ceiling) {
            throw new IllegalArgumentException(
                    "the ceiling " + ceiling + " is above MariaDbPoolDataSource's maxPoolSize " + max
                            + ", which stands in its URL and cannot change");
        }
    }

    @Override
    public void resize(int max) {
        // The capability is not declared, because the gate suffices.
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
        if (failure instanceof SQLException sql && sql.getSQLState() == null && sql.getCause() == null) {
            return snapshot.total() >= snapshot.max() ? Kind.EXHAUSTED : Kind.CONNECT_FAILED;
        }
        return AcquisitionFailure.refusedByDatabase(failure) ? Kind.CONNECT_FAILED : Kind.OTHER;
    }

    @Override
    public boolean isClosed() {
        return closed;
    }

    @Override
    public void close() {
        if (!closed && dataSource.getPoolName() != null) {
            dataSource.close();
        }
        closed = true;
    }
}
