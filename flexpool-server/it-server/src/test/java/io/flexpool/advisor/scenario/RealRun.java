// SPDX-License-Identifier: Apache-2.0
package io.flexpool.advisor.scenario;

import com.zaxxer.hikari.HikariDataSource;
import io.flexpool.advisor.LeaseTrace;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Arrays;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * One run of a workload on a real pool of a fixed size. Each request begins at its own time, whether or not those before
 * have ended.
 */
final class RealRun {
    private static final double NANOS = 1e9;
    private static final double NANOS_PER_MS = 1e6;
    private static final int READY_THREADS = 100;

    private final Workload workload;
    private final LeaseTrace planned;
    private final DataSource pool;
    private final long[] waitNanos;
    private final AtomicReference<@Nullable Exception> failure = new AtomicReference<>();

    private RealRun(Workload workload, LeaseTrace planned, DataSource pool) {
        this.workload = workload;
        this.planned = planned;
        this.pool = pool;
        this.waitNanos = new long[planned.requests()];
    }

    /** A pool of HikariCP with all connections open. */
    static HikariDataSource pool(DataSource database, int size) throws InterruptedException {
        HikariDataSource pool = new HikariDataSource();
        pool.setDataSource(database);
        pool.setMaximumPoolSize(size);
        try {
            pool.getConnection().close();
        } catch (SQLException e) {
            pool.close();
            throw new IllegalStateException("the pool does not start", e);
        }
        while (pool.getHikariPoolMXBean().getTotalConnections() < size) {
            TimeUnit.MILLISECONDS.sleep(10);
        }
        return pool;
    }

    /**
     * Runs the planned requests.
     *
     * @param pool where they get their connections
     * @return the 99th percentile of their waits in {@code getConnection()}, milliseconds
     */
    static double p99Ms(Workload workload, LeaseTrace planned, DataSource pool) throws InterruptedException {
        RealRun run = new RealRun(workload, planned, pool);
        play(planned, run);
        return run.p99Ms();
    }

    /**
     * Runs the planned requests in two pools at the same time, so that what else the machine does happens to both.
     *
     * @param pool whose waits are measured
     * @param other where the same requests get other connections at the same moments
     * @return the 99th percentile of the waits in the first pool, milliseconds
     */
    static double p99Ms(Workload workload, LeaseTrace planned, DataSource pool, DataSource other)
            throws InterruptedException {
        RealRun run = new RealRun(workload, planned, pool);
        play(planned, run, new RealRun(workload, planned, other));
        return run.p99Ms();
    }

    private static void play(LeaseTrace planned, RealRun... runs) throws InterruptedException {
        // Ready before they are needed: a new thread would come late.
        ThreadPoolExecutor threads = new ThreadPoolExecutor(
                READY_THREADS * runs.length, Integer.MAX_VALUE, 1, TimeUnit.MINUTES, new SynchronousQueue<>());
        threads.prestartAllCoreThreads();
        long begin = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(100);
        try {
            for (int request = 0; request < planned.requests(); request++) {
                parkUntil(begin + planned.arrivalNanos(request));
                int number = request;
                for (RealRun run : runs) {
                    threads.execute(() -> run.request(number));
                }
            }
        } finally {
            threads.shutdown();
        }
        if (!threads.awaitTermination(2, TimeUnit.MINUTES)) {
            throw new IllegalStateException("a request has been under way for two minutes");
        }
    }

    private double p99Ms() {
        Exception failed = failure.get();
        if (failed != null) {
            throw new IllegalStateException("a request failed", failed);
        }
        Arrays.sort(waitNanos);
        return waitNanos[(int) Math.ceil(0.99 * waitNanos.length) - 1] / NANOS_PER_MS;
    }

    private void request(int number) {
        long asked = System.nanoTime();
        try (Connection connection = pool.getConnection()) {
            waitNanos[number] = System.nanoTime() - asked;
            workload.serve(connection, planned.leaseNanos(number) / NANOS, number);
        } catch (SQLException | RuntimeException e) {
            failure.compareAndSet(null, e);
        }
    }

    private static void parkUntil(long nanos) throws InterruptedException {
        long left;
        while ((left = nanos - System.nanoTime()) > 0) {
            LockSupport.parkNanos(left);
            if (Thread.interrupted()) {
                throw new InterruptedException();
            }
        }
    }
}
