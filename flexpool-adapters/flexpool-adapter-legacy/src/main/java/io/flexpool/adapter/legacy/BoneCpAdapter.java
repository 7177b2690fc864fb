// SPDX-License-Identifier: Apache-2.0
package io.flexpool.adapter.legacy;

import com.jolbox.bonecp.BoneCP;
import com.jolbox.bonecp.BoneCPDataSource;
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
import java.util.Optional;
import java.util.Properties;
import java.util.Set;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * Watches BoneCP. Observed behaviour (from the sources of 0.8.0, and from tests):
 *
 * <ul>
 * <li>Its max is {@code partitionCount} × {@code maxConnectionsPerPartition}, and is fixed when the pool starts, with
 *     the first {@code getConnection()}. A thread waits in one partition only. So with several partitions a request may
 *     fail while another partition is not full; that counts as a connect failure. Behind a gate one partition is
 *     enough.
 * <li>It misses concurrent requests: it opens {@code acquireIncrement} (2) connections, checks whether one is idle, and
 *     pauses even if more requests wait; of 7 requests on an empty pool 6 were served. So a pool that flexpool sizes
 *     before its start gets an increment of its whole max.
 * <li>{@code connectionTimeoutInMs} 0, the default, waits for ever.
 * <li>A timeout is an {@link SQLException} with the SQLState 08001 and no cause, for an exhausted pool and in an
 *     outage: a thread of the pool connects, and only logs its failures. So the figures decide. With
 *     {@code nullOnConnectionTimeout} BoneCP throws no exception, and flexpool's has no SQLState.
 * <li>A request to a pool that was shut down gets an {@link SQLException} without SQLState and cause.
 * <li>A connection that is leased when the pool is shut down is never closed.
 * <li>An aborted connection returns to the pool as usable. Its next user's first statement fails, and then the pool
 *     drops it; with an SQLState like 08001 it drops all idle connections.
 * <li>{@code getConnection(user, password)} creates a pool per user, which is never closed.
 * </ul>
 */
final class BoneCpAdapter implements PoolAdapter {
    private static final String UNREACHABLE = "08001";

    private final BoneCPDataSource dataSource;
    private final int maxPerPartition;
    private final int acquireIncrement;
    private volatile boolean closed;

    BoneCpAdapter(BoneCPDataSource dataSource) {
        this.dataSource = dataSource;
        this.maxPerPartition = dataSource.getMaxConnectionsPerPartition();
        this.acquireIncrement = dataSource.getAcquireIncrement();
    }

    @Override
    public String type() {
        return "BoneCP";
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
        BoneCP pool = dataSource.getPool();
        int partitions = dataSource.getPartitionCount();
        int max = partitions * dataSource.getMaxConnectionsPerPartition();
        int min = partitions * dataSource.getMinConnectionsPerPartition();
        if (pool == null) {
            return new PoolSnapshot(max, min, 0, 0, 0, PoolSnapshot.UNKNOWN);
        }
        int idle = pool.getTotalFree();
        int total = pool.getTotalCreatedConnections();
        return new PoolSnapshot(max, min, Math.max(0, total - idle), idle, total, PoolSnapshot.UNKNOWN);
    }

    @Override
    public Optional<Duration> acquisitionTimeout() {
        long millis = dataSource.getConnectionTimeoutInMs();
        return millis <= 0 || millis == Long.MAX_VALUE ? Optional.empty() : Optional.of(Duration.ofMillis(millis));
    }

    @Override
    public String acquisitionTimeoutKey() {
        return "connectionTimeoutInMs";
    }

    @Override
    public void prepare(int base, int ceiling) {
        int partitions = dataSource.getPartitionCount();
        boolean enough = partitions * maxPerPartition >= ceiling;
        if (dataSource.getPool() != null) {
            if (enough) {
                return;
            }
            throw new IllegalArgumentException("the ceiling " + ceiling
                    + " is above BoneCP's maxConnectionsPerPartition × partitionCount = " + partitions * maxPerPartition
                    + ", which cannot change once the pool has started");
        }
        int perPartition = Math.max(maxPerPartition, (ceiling + partitions - 1) / partitions);
        dataSource.setMaxConnectionsPerPartition(perPartition);
        dataSource.setAcquireIncrement(perPartition);
    }

    @Override
    public void restore() {
        if (dataSource.getPool() == null) {
            dataSource.setMaxConnectionsPerPartition(maxPerPartition);
            dataSource.setAcquireIncrement(acquireIncrement);
        }
    }

    @Override
    public void resize(int max) {
        // The capability is not declared, because the gate suffices.
    }

    @Override
    public @Nullable Connection connect() throws SQLException {
        DataSource bean = dataSource.getDatasourceBean();
        if (bean != null) {
            return bean.getConnection();
        }
        Properties all = new Properties();
        if (dataSource.getDriverProperties() != null) {
            all.putAll(dataSource.getDriverProperties());
        }
        if (dataSource.getUsername() != null) {
            all.setProperty("user", dataSource.getUsername());
        }
        if (dataSource.getPassword() != null) {
            all.setProperty("password", dataSource.getPassword());
        }
        return dataSource.getJdbcUrl() == null ? null : DriverManager.getConnection(dataSource.getJdbcUrl(), all);
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
        if (dataSource.getPool() == null || failure.getCause() != null || !(failure instanceof SQLException sql)) {
            // The pool's start connects in the caller's thread, and its failure is the cause.
            return AcquisitionFailure.refusedByDatabase(failure) ? Kind.CONNECT_FAILED : Kind.OTHER;
        }
        if (sql.getSQLState() == null && !dataSource.isNullOnConnectionTimeout()) {
            return Kind.CLOSED;
        }
        return snapshot.total() >= snapshot.max() ? Kind.EXHAUSTED : Kind.CONNECT_FAILED;
    }

    @Override
    public SQLException timeout(String message, @Nullable SQLException connectFailure) {
        return connectFailure == null
                ? new SQLException(message, UNREACHABLE)
                : PoolAdapter.super.timeout(message, connectFailure);
    }

    @Override
    public boolean isClosed() {
        return closed;
    }

    @Override
    public void close() {
        closed = true;
        dataSource.close();
    }
}
