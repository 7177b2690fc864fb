// SPDX-License-Identifier: Apache-2.0
package io.flexpool.benchmarks.overhead.isolated;

import io.flexpool.adapter.tck.database.MinimalDataSource;
import io.flexpool.benchmarks.stub.UnusedConnection;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.concurrent.atomic.AtomicIntegerFieldUpdater;
import javax.sql.DataSource;

/**
 * The floor under every decorator that times acquisition and lease and closes once: three clock reads, two records,
 * one object with a compare-and-set. What it adds to the bare pool is the unit of the comparison.
 */
final class IdealDataSource extends MinimalDataSource {
    private final DataSource target;
    private final IdealHistogram acquisitions = new IdealHistogram();
    private final IdealHistogram leases = new IdealHistogram();

    IdealDataSource(DataSource target) {
        this.target = target;
    }

    @Override
    public Connection getConnection() throws SQLException {
        long requested = System.nanoTime();
        Connection connection = target.getConnection();
        long acquired = System.nanoTime();
        acquisitions.record(acquired - requested);
        return new IdealConnection(connection, this, acquired);
    }

    /** 32 bytes: header 12, two references 8, the clock 8, the flag 4. */
    private static final class IdealConnection extends UnusedConnection {
        private static final AtomicIntegerFieldUpdater<IdealConnection> CLOSED =
                AtomicIntegerFieldUpdater.newUpdater(IdealConnection.class, "closed");

        private final Connection target;
        private final IdealDataSource owner;
        private final long acquired;

        @SuppressWarnings("unused") // through CLOSED
        private volatile int closed;

        IdealConnection(Connection target, IdealDataSource owner, long acquired) {
            this.target = target;
            this.owner = owner;
            this.acquired = acquired;
        }

        @Override
        public void close() throws SQLException {
            if (CLOSED.compareAndSet(this, 0, 1)) {
                target.close();
                owner.leases.record(System.nanoTime() - acquired);
            }
        }
    }
}
