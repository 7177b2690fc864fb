// SPDX-License-Identifier: Apache-2.0
package io.flexpool.internal.jdbc;

import io.flexpool.benchmarks.stub.StubConnection;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/** The one object of an acquisition: made and ended, and asked something in between. */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(1)
@State(Scope.Thread)
public class LeaseBenchmark {
    private final Connection target = new StubConnection();
    /** Public, so that the compiler cannot assume that it is never read. */
    public long ended;

    private final LeaseOwner owner = new LeaseOwner() {
        @Override
        public void ended(long acquiredNanos, int place, boolean reclaimed) {
            ended += acquiredNanos;
        }

        @Override
        public void discard(Connection connection) throws SQLException {
            connection.close();
        }
    };
    private final Connection open = new LeasedConnection(target, owner, 1, 0);

    /** Returned, so that the object is really made. */
    @Benchmark
    public Connection madeAndClosed() throws SQLException {
        Connection lease = new LeasedConnection(target, owner, 1, 0);
        lease.close();
        return lease;
    }

    @Benchmark
    public boolean passedThrough() throws SQLException {
        return open.getAutoCommit();
    }

    @Benchmark
    public boolean withoutALease() throws SQLException {
        return target.getAutoCommit();
    }
}
