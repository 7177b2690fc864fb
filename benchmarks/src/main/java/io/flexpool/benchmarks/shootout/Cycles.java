// SPDX-License-Identifier: Apache-2.0
package io.flexpool.benchmarks.shootout;

import com.sun.management.OperatingSystemMXBean;
import java.lang.management.ManagementFactory;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * Cycles that threads share: {@code getConnection}, {@code prepareStatement("select 1")}, {@code executeQuery}, every row,
 * and the three closes. One that fails counts as an error and is not repeated.
 */
final class Cycles {
    private static final double NANOS_PER_MILLI = 1e6;
    private static final OperatingSystemMXBean PROCESS =
            (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();

    private final DataSource source;
    private final Assignment.Round round;
    private final AtomicLong answered = new AtomicLong();
    private final AtomicLong errors = new AtomicLong();
    private final AtomicReference<@Nullable String> firstError = new AtomicReference<>();

    /**
     * Nothing runs yet.
     *
     * @param source where connections come from
     * @param round how many threads share how many cycles
     */
    Cycles(DataSource source, Assignment.Round round) {
        this.source = source;
        this.round = round;
    }

    /**
     * What running them took.
     *
     * @param ms milliseconds
     * @param cpuMs the JVM's CPU time, milliseconds
     * @param answered cycles whose query was answered
     * @param errors cycles that ended with an exception
     * @param firstError the first one's class and message
     */
    record Taken(
            double ms,
            double cpuMs,
            long answered,
            long errors,
            @Nullable String firstError) {}

    /** Runs all and waits for the last one. */
    Taken run() throws InterruptedException {
        int threads = round.threads();
        int cycles = round.cycles();
        CountDownLatch go = new CountDownLatch(1);
        List<Thread> running = new ArrayList<>();
        for (int at = 0; at < threads; at++) {
            int share = cycles / threads + (at < cycles % threads ? 1 : 0);
            Thread thread = new Thread(() -> work(go, share), "cycles-" + at);
            thread.setDaemon(true);
            thread.start();
            running.add(thread);
        }
        long cpu = PROCESS.getProcessCpuTime();
        long start = System.nanoTime();
        go.countDown();
        for (Thread thread : running) {
            thread.join();
        }
        long nanos = System.nanoTime() - start;
        long cpuNanos = PROCESS.getProcessCpuTime() - cpu;
        if (answered.get() + errors.get() != cycles) {
            throw new IllegalStateException(
                    answered + " answers and " + errors + " errors are not " + cycles + " cycles");
        }
        return new Taken(
                nanos / NANOS_PER_MILLI, cpuNanos / NANOS_PER_MILLI, answered.get(), errors.get(), firstError.get());
    }

    private void work(CountDownLatch go, int share) {
        long ones = 0;
        long failed = 0;
        try {
            go.await();
            for (int at = 0; at < share; at++) {
                try {
                    ones += cycle();
                } catch (SQLException | RuntimeException e) {
                    // Old pools under contention throw more than their interface says.
                    failed++;
                    note(e);
                }
            }
        } catch (InterruptedException e) {
            // The program ends; what this thread did is counted.
            Thread.currentThread().interrupt();
        }
        answered.addAndGet(ones);
        errors.addAndGet(failed);
    }

    private void note(Exception error) {
        if (firstError.get() == null) {
            firstError.compareAndSet(null, error.getClass().getName() + ": " + error.getMessage());
        }
    }

    private int cycle() throws SQLException {
        int ones = 0;
        try (Connection connection = source.getConnection();
                PreparedStatement statement = connection.prepareStatement("select 1");
                ResultSet result = statement.executeQuery()) {
            while (result.next()) {
                ones += result.getInt(1);
            }
            if (round.pressing()) {
                LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(round.holdMs()));
            }
        }
        return ones;
    }
}
