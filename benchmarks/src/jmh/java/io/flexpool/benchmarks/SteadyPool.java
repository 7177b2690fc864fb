// SPDX-License-Identifier: Apache-2.0
package io.flexpool.benchmarks;

import io.flexpool.adapter.AcquisitionFailure;
import io.flexpool.adapter.AcquisitionFailure.Kind;
import io.flexpool.adapter.PoolAdapter;
import io.flexpool.adapter.PoolAdapter.Capability;
import io.flexpool.adapter.tck.database.MinimalDataSource;
import io.flexpool.benchmarks.stub.StubConnection;
import io.flexpool.pool.PoolSnapshot;
import java.sql.Connection;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;

/**
 * A pool that costs nothing: every request gets the same connection, nothing is written and no clock is read. What is
 * left of a cycle is what is around it. It reports its pending requests as the large pools do, so that a watched one is
 * not counted twice. Immutable.
 */
final class SteadyPool extends MinimalDataSource implements PoolAdapter {
    private static final Connection CONNECTION = new StubConnection() {
        @Override
        public void close() {
            // It is everybody's.
        }
    };

    private final int size;

    SteadyPool(int size) {
        this.size = size;
    }

    @Override
    public Connection getConnection() {
        return CONNECTION;
    }

    @Override
    public String type() {
        return "Steady";
    }

    @Override
    public Set<Capability> capabilities() {
        return Set.of(Capability.PENDING_COUNT);
    }

    @Override
    public PoolSnapshot snapshot() {
        return new PoolSnapshot(size, 0, 0, size, size, 0);
    }

    @Override
    public Optional<Duration> acquisitionTimeout() {
        return Optional.of(Duration.ofSeconds(5));
    }

    @Override
    public String acquisitionTimeoutKey() {
        return "none";
    }

    @Override
    public void prepare(int base, int ceiling) {
        // Only the gate limits.
    }

    @Override
    public void resize(int max) {
        // Not a declared capability.
    }

    @Override
    public AcquisitionFailure classify(Throwable failure, PoolSnapshot snapshot, Duration waited) {
        return AcquisitionFailure.of(Kind.OTHER, failure);
    }

    @Override
    public boolean isClosed() {
        return false;
    }

    @Override
    public void close() {
        // Nothing is open.
    }
}
