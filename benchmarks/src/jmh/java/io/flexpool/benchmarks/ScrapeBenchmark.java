// SPDX-License-Identifier: Apache-2.0
package io.flexpool.benchmarks;

import io.flexpool.benchmarks.decorations.Decorated;
import io.flexpool.benchmarks.overhead.isolated.Variant;
import io.flexpool.benchmarks.stub.StubConnection;
import io.flexpool.benchmarks.stub.StubDataSource;
import java.io.IOException;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Group;
import org.openjdk.jmh.annotations.GroupThreads;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Threads;
import org.openjdk.jmh.annotations.Warmup;

/**
 * All figures of a busy pool read at once, as the backend's reporter would, while two threads open and close; and how
 * long these take, so that a scrape that held them up would show in their longest times. Ten pools by turns, so that
 * each scrape reads anew and there are enough of them.
 */
@BenchmarkMode(Mode.SampleTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Warmup(iterations = 3, time = 2)
@Measurement(iterations = 5, time = 4)
@Fork(1)
@State(Scope.Benchmark)
public class ScrapeBenchmark {
    private static final int POOLS = 10;
    private static final int POOL_SIZE = 4;

    /** flexpool alone reads its statistics, with a backend what the backend shows. */
    @Param({
        "flexpool-bound",
        "flexpool-bound-dropwizard",
        "flexpool-bound-micrometer",
        "flexpool-bound-opentelemetry",
        "flexpool-bound-prometheus",
        "flexpool-bound-jmx"
    })
    public String variant = "";

    private final List<Decorated> opened = new ArrayList<>();

    /** Which pool comes next. All threads use all pools. */
    @State(Scope.Thread)
    public static class Turn {
        private int next;

        Decorated of(List<Decorated> pools) {
            next = (next + 1) % pools.size();
            return pools.get(next);
        }
    }

    /** Between two scrapes: until a pool's turn comes again, no backend has kept its reading, which it may for 100 ms. */
    @State(Scope.Thread)
    public static class Pause {
        private static final long NANOS = 12_000_000;

        /** Waits. */
        @Setup(Level.Invocation)
        public void pause() {
            LockSupport.parkNanos(NANOS);
        }
    }

    /** Opens the pools. */
    @Setup
    public void open() {
        for (int at = 0; at < POOLS; at++) {
            opened.add(Variant.named(variant)
                    .decorator()
                    .around(StubDataSource.pool(variant + "-" + at, StubConnection::new, POOL_SIZE)));
        }
    }

    /** Closes the pools. */
    @TearDown
    public void close() throws IOException {
        for (Decorated pool : opened) {
            pool.end().close();
        }
        opened.clear();
    }

    @Benchmark
    @Group("busy")
    @GroupThreads(1)
    @SuppressWarnings("UnusedVariable") // the pause is its set-up
    public int scrape(Turn turn, Pause pause) {
        return turn.of(opened).scrape().getAsInt();
    }

    /** The same without a reader: what the longest times of {@link #openAndClose} are to be compared with. */
    @Benchmark
    @Threads(2)
    public void unread(Turn turn) throws SQLException {
        turn.of(opened).dataSource().getConnection().close();
    }

    @Benchmark
    @Group("busy")
    @GroupThreads(2)
    public void openAndClose(Turn turn) throws SQLException {
        turn.of(opened).dataSource().getConnection().close();
    }
}
