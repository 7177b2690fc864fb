// SPDX-License-Identifier: Apache-2.0
package io.flexpool.benchmarks.footprint;

import com.sun.management.OperatingSystemMXBean;
import com.sun.management.ThreadMXBean;
import com.zaxxer.hikari.HikariDataSource;
import io.flexpool.benchmarks.kit.AnsweringJvm;
import io.flexpool.benchmarks.stub.StubConnection;
import io.flexpool.benchmarks.stub.StubDataSource;
import java.lang.management.ClassLoadingMXBean;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryMXBean;
import java.lang.management.ThreadInfo;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * What each fresh JVM runs. Its pools are open and full before the first is wrapped, so that a first build and a first
 * call cost what the wrapper costs; whatever this program needs itself it has used once by then.
 *
 * <p>The heap kept is counted without the first pool, with which came what all share.
 */
public final class FootprintProgram {
    private static final double NANOS_PER_MILLI = 1e6;
    private static final double SECONDS_PER_MINUTE = 60;
    private static final double KIB = 1024;
    private static final int CALLS = 100;
    private static final int COLLECTIONS = 3;
    private static final int USERS = 10;

    private final OperatingSystemMXBean machine = (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
    private final ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    private final ClassLoadingMXBean classes = ManagementFactory.getClassLoadingMXBean();
    private final MemoryMXBean memory = ManagementFactory.getMemoryMXBean();
    private final Plan plan;
    private final Wrapping wrapping;

    private FootprintProgram(Subject subject, Plan plan) {
        this.plan = plan;
        this.wrapping = new Wrapping(subject);
    }

    /**
     * Measures, and reports one line.
     *
     * @param args the subject's constant, and the components of {@link Plan}
     * @throws SQLException if a call fails
     * @throws InterruptedException if this thread is interrupted
     */
    public static void main(String[] args) throws SQLException, InterruptedException {
        Subject subject = Subject.valueOf(args[0]);
        Plan plan = new Plan(
                Integer.parseInt(args[1]),
                Integer.parseInt(args[2]),
                Integer.parseInt(args[3]),
                Integer.parseInt(args[4]));
        // Before the first lambda of this program, whose preparation would else be missing in what a first build costs.
        Measurement measured = new FootprintProgram(subject, plan).measure();
        // Other pools' threads need not end first.
        AnsweringJvm.answerJson(() -> measured);
    }

    private Measurement measure() throws SQLException, InterruptedException {
        List<HikariDataSource> pools = pools();
        List<DataSource> wrapped = new ArrayList<>(plan.pools());
        // So that none of this is loaded by what is timed.
        allocatedBytes();
        ownNanos();
        kept();
        int threadsBefore = threads.getThreadCount();
        long classesBefore = classes.getTotalLoadedClassCount();

        long begin = System.nanoTime();
        DataSource first = wrapping.around(pools.get(0));
        long built = System.nanoTime();
        first.getConnection().close();
        long called = System.nanoTime();
        wrapped.add(first);
        long classesAfter = classes.getTotalLoadedClassCount();

        use(first);
        long shared = kept();
        long further = System.nanoTime();
        for (HikariDataSource pool : pools.subList(1, pools.size())) {
            wrapped.add(wrapping.around(pool));
        }
        long all = System.nanoTime();
        int threadsAfter = threads.getThreadCount();
        long keptBuilt = kept();
        for (DataSource one : wrapped) {
            use(one);
        }
        long keptUsed = kept();

        rest(plan.restSeconds());
        long cpu = machine.getProcessCpuTime();
        long own = ownNanos();
        long bytes = allocatedBytes();
        long from = System.nanoTime();
        rest(plan.measureSeconds());
        long to = System.nanoTime();
        long allocated = allocatedBytes() - bytes;
        double minutes = (to - from) / NANOS_PER_MILLI / 1000 / SECONDS_PER_MINUTE;
        double ownMs = (ownNanos() - own) / NANOS_PER_MILLI;
        double idleMs = (machine.getProcessCpuTime() - cpu) / NANOS_PER_MILLI;
        long keptRested = kept();

        int others = plan.pools() - 1;
        return new Measurement(
                System.getProperty("java.version", "unknown"),
                (built - begin) / NANOS_PER_MILLI,
                (all - further) / NANOS_PER_MILLI / others,
                (called - built) / NANOS_PER_MILLI,
                (double) (classesAfter - classesBefore),
                (double) threadsAfter - threadsBefore,
                (keptBuilt - shared) / KIB / others,
                (keptUsed - shared) / KIB / others,
                (keptRested - shared) / KIB / others,
                idleMs / minutes,
                ownMs / minutes,
                allocated / KIB / KIB / minutes);
    }

    /** Open, and with all their connections. */
    private List<HikariDataSource> pools() throws SQLException {
        List<HikariDataSource> pools = new ArrayList<>(plan.pools());
        for (int at = 0; at < plan.pools(); at++) {
            HikariDataSource pool = StubDataSource.pool("footprint-" + at, StubConnection::new, plan.size());
            pool.getConnection().close();
            pools.add(pool);
        }
        for (HikariDataSource pool : pools) {
            long end = System.nanoTime() + TimeUnit.MINUTES.toNanos(1);
            while (pool.getHikariPoolMXBean().getTotalConnections() < plan.size()) {
                if (System.nanoTime() - end > 0) {
                    throw new SQLException(pool.getPoolName() + " does not open its connections");
                }
                LockSupport.parkNanos(1_000_000);
            }
        }
        return pools;
    }

    /** By threads that live no longer than this; one after the other, so that each finds a free connection. */
    private static void use(DataSource dataSource) throws SQLException, InterruptedException {
        AtomicReference<@Nullable SQLException> failed = new AtomicReference<>();
        for (int at = 0; at < USERS; at++) {
            Thread user = new Thread(new User(dataSource, failed), "footprint-user-" + at);
            user.start();
            user.join();
        }
        SQLException thrown = failed.get();
        if (thrown != null) {
            throw thrown;
        }
    }

    private record User(DataSource dataSource, AtomicReference<@Nullable SQLException> failed) implements Runnable {
        @Override
        public void run() {
            try {
                for (int call = 0; call < CALLS; call++) {
                    dataSource.getConnection().close();
                }
            } catch (SQLException thrown) {
                failed.set(thrown);
            }
        }
    }

    /** Bytes that are still reachable. */
    private long kept() {
        for (int at = 0; at < COLLECTIONS; at++) {
            System.gc();
        }
        return memory.getHeapMemoryUsage().getUsed();
    }

    /** Processor time of flexpool's threads that live. */
    private long ownNanos() {
        long sum = 0;
        for (ThreadInfo thread : threads.getThreadInfo(threads.getAllThreadIds())) {
            if (thread != null && thread.getThreadName().startsWith("flexpool-")) {
                sum += Math.max(0, threads.getThreadCpuTime(thread.getThreadId()));
            }
        }
        return sum;
    }

    /** Of the threads that live. */
    private long allocatedBytes() {
        long sum = 0;
        for (long bytes : threads.getThreadAllocatedBytes(threads.getAllThreadIds())) {
            sum += Math.max(0, bytes);
        }
        return sum;
    }

    private static void rest(int seconds) {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(seconds);
        for (long left; (left = end - System.nanoTime()) > 0; ) {
            LockSupport.parkNanos(left);
        }
    }
}
