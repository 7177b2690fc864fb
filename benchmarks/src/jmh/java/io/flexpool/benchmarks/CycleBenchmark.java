// SPDX-License-Identifier: Apache-2.0
package io.flexpool.benchmarks;

import io.flexpool.FlexPool;
import io.flexpool.FlexPoolBuilder;
import io.flexpool.FlexPoolDataSource;
import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.annotations.AuxCounters;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
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
import org.openjdk.jmh.infra.BenchmarkParams;
import org.openjdk.jmh.infra.ThreadParams;

/**
 * One {@code getConnection()} and its {@code close()} by threads that have twice as many permits as they need, over a
 * pool that costs nothing and with a clock that stands still: what is left is the memory that the threads write, and
 * whether they get in each other's way there. The three clock reads of a real cycle cost more than all of it and would
 * hide a line that two threads write.
 *
 * <p>Each iteration has a pool of its own, so its figure is that pool's: two pools in one JVM may differ, because the
 * collector puts their objects in different places. {@code cpuNanosPerCycle} is the threads' processor time, in which
 * other processes have no part; with more threads than processors it is the one to read, iteration by iteration or as
 * minimum, average and maximum, because JMH's last table shows the sum over all iterations. What a cycle gives goes into
 * JMH's sink, of which each thread has its own.
 */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 4, time = 500, timeUnit = TimeUnit.MILLISECONDS)
@Measurement(iterations = 10, time = 500, timeUnit = TimeUnit.MILLISECONDS)
@Fork(
        value = 1,
        // Room for what an iteration allocates: a pool that is not moved before it stays where it is.
        jvmArgs = {"-XX:+UseG1GC", "-Xmx1g", "-Xmn640m"})
@State(Scope.Benchmark)
public class CycleBenchmark {
    private static final int PERMITS_PER_THREAD = 2;
    private static final int GARBAGE_BYTES = 1 << 16;

    /** What is around the pool; {@code bare} is the pool alone, and what JMH costs. */
    @Param({"bare", "watched", "bound"})
    public String variant = "";

    /**
     * Which collection moves the pool's objects before it is measured: a {@code young} one, in the order of their
     * references, or a {@code full} one, in the order in which they lay; or {@code none}.
     */
    @Param({"young", "full", "none"})
    public String collection = "";

    /** Whether a thread that is idle from then on opens one connection first. */
    @Param({"true", "false"})
    public boolean idle;

    private final CountDownLatch end = new CountDownLatch(1);
    private DataSource dataSource = new SteadyPool(1);
    private @Nullable FlexPoolDataSource wrapped;
    /** Public, so that the compiler cannot assume that it is never read. */
    public byte @Nullable [] garbage;

    /** The processor time of one thread. */
    @State(Scope.Thread)
    @AuxCounters(AuxCounters.Type.EVENTS)
    public static class Cpu {
        private final ThreadMXBean threads = ManagementFactory.getThreadMXBean();
        private long cycles;
        private long nanos;
        private int threadCount;

        /** Begins an iteration. */
        @Setup(Level.Iteration)
        public void begin(ThreadParams params) {
            threadCount = params.getThreadCount();
            cycles = 0;
            nanos = -threads.getCurrentThreadCpuTime();
        }

        /** Ends an iteration. */
        @TearDown(Level.Iteration)
        public void end() {
            nanos += threads.getCurrentThreadCpuTime();
        }

        /** This thread's part of the mean, as JMH adds up the threads. */
        public double cpuNanosPerCycle() {
            return (double) nanos / cycles / threadCount;
        }
    }

    /** A new pool. */
    @Setup(Level.Iteration)
    public void open(BenchmarkParams params) throws SQLException, InterruptedException {
        collectAll();
        SteadyPool pool = new SteadyPool(PERMITS_PER_THREAD * params.getThreads());
        dataSource = variant.equals("bare") ? pool : wrap(pool, params.getThreads());
        if (idle) {
            openElsewhere();
        }
        if (collection.equals("young")) {
            collectYoung();
        } else if (collection.equals("full")) {
            collectAll();
        }
    }

    @SuppressWarnings("SystemGc") // where the collector puts the objects is what is measured
    private static void collectAll() {
        System.gc();
        System.gc();
    }

    private void collectYoung() {
        long before = collections();
        while (collections() == before) {
            garbage = new byte[GARBAGE_BYTES];
        }
    }

    private static long collections() {
        return ManagementFactory.getGarbageCollectorMXBeans().stream()
                .mapToLong(GarbageCollectorMXBean::getCollectionCount)
                .sum();
    }

    private DataSource wrap(SteadyPool pool, int threads) {
        FlexPoolBuilder builder =
                FlexPool.wrap(pool).adapter(pool).name("cycle").framework(settings -> settings.ticker(() -> 0));
        if (variant.equals("bound")) {
            builder.set("base", PERMITS_PER_THREAD * threads);
        }
        wrapped = builder.build();
        return wrapped;
    }

    private void openElsewhere() throws InterruptedException {
        CountDownLatch opened = new CountDownLatch(1);
        Thread thread = new Thread(
                () -> {
                    try {
                        dataSource.getConnection().close();
                        opened.countDown();
                        end.await();
                    } catch (SQLException | InterruptedException e) {
                        throw new IllegalStateException(e);
                    }
                },
                "idle");
        thread.setDaemon(true);
        thread.start();
        opened.await();
    }

    /** Closes the pool. */
    @TearDown(Level.Iteration)
    public void close() {
        FlexPoolDataSource closed = wrapped;
        if (closed != null) {
            closed.close();
        }
        wrapped = null;
    }

    /** Ends the idle threads. */
    @TearDown
    public void endIdle() {
        end.countDown();
    }

    @Benchmark
    public Connection oneOnTwo(Cpu cpu) throws SQLException {
        return cycle(cpu);
    }

    @Benchmark
    @Threads(2)
    public Connection twoOnFour(Cpu cpu) throws SQLException {
        return cycle(cpu);
    }

    @Benchmark
    @Threads(8)
    public Connection eightOnSixteen(Cpu cpu) throws SQLException {
        return cycle(cpu);
    }

    private Connection cycle(Cpu cpu) throws SQLException {
        cpu.cycles++;
        Connection connection = dataSource.getConnection();
        connection.close();
        return connection;
    }
}
