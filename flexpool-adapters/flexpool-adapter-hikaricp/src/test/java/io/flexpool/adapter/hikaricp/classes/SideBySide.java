// SPDX-License-Identifier: Apache-2.0
package io.flexpool.adapter.hikaricp.classes;

import io.flexpool.adapter.hikaricp.classes.Sharing.Lease;
import io.flexpool.adapter.hikaricp.classes.Sharing.Source;
import io.flexpool.pool.ShedException;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Interactive requests at a steady rate, each at its own time whether or not the ones before are answered, beside threads
 * that do batch work one lease after the other. A wait counts from when the request was meant to arrive.
 */
final class SideBySide {
    private static final String INTERACTIVE_WORK = "select 1";
    private static final Ask INTERACTIVE = new Ask(0, Sharing.INTERACTIVE, 0, 0, Double.POSITIVE_INFINITY);
    private static final Ask BATCH = new Ask(0, Sharing.BATCH, 0, 0, Double.POSITIVE_INFINITY);
    private static final double NANOS_PER_MS = 1e6;

    private final Load load;
    private final Source source;
    private final AtomicLong batchLeases = new AtomicLong();
    private final AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();
    private volatile boolean over;

    /**
     * What is put on the connections.
     *
     * @param warmUpSeconds before the measurement: the first requests load classes and open connections, and for ten seconds after
     *     their waits flexpool captures the call site of each lease
     * @param seconds how long
     * @param perSecond interactive requests
     * @param batchThreads 0 for no batch work
     * @param batchLeaseMs how long a lease of batch work lasts
     */
    record Load(int warmUpSeconds, int seconds, int perSecond, int batchThreads, int batchLeaseMs) {}

    /**
     * What came of it.
     *
     * @param waitP99Ms of interactive requests
     * @param batchPerSecond leases of batch work that ended
     */
    record Outcome(double waitP99Ms, double batchPerSecond) {}

    SideBySide(Load load, Source source) {
        this.load = load;
        this.source = source;
    }

    /** Runs the load once, after a warm-up. */
    Outcome run() throws InterruptedException {
        List<Thread> batch = new ArrayList<>();
        for (int at = 0; at < load.batchThreads(); at++) {
            Thread thread = new Thread(this::batch, "batch-" + at);
            thread.setDaemon(true);
            batch.add(thread);
            thread.start();
        }
        ThreadPoolExecutor threads =
                new ThreadPoolExecutor(32, Integer.MAX_VALUE, 1, TimeUnit.MINUTES, new SynchronousQueue<>());
        threads.prestartAllCoreThreads();
        requests(new long[load.warmUpSeconds() * load.perSecond()], threads);
        long[] waits = new long[load.seconds() * load.perSecond()];
        long before = batchLeases.get();
        requests(waits, threads);
        long ended = batchLeases.get() - before;
        over = true;
        threads.shutdown();
        if (!threads.awaitTermination(10, TimeUnit.MINUTES)) {
            throw new IllegalStateException("a request has been under way for ten minutes");
        }
        for (Thread thread : batch) {
            thread.join();
        }
        Throwable thrown = failure.get();
        if (thrown != null) {
            throw new IllegalStateException("a request failed", thrown);
        }
        Arrays.sort(waits);
        return new Outcome(
                waits[(int) Math.ceil(waits.length * 0.99) - 1] / NANOS_PER_MS, (double) ended / load.seconds());
    }

    /** As many as there is room for, each at its time; returns at the time of one more. */
    private void requests(long[] waits, ThreadPoolExecutor threads) {
        long start = System.nanoTime();
        for (int at = 0; at < waits.length; at++) {
            long due = start + at * TimeUnit.SECONDS.toNanos(1) / load.perSecond();
            int place = at;
            parkUntil(due);
            threads.execute(() -> waits[place] = interactive(due));
        }
        parkUntil(start + waits.length * TimeUnit.SECONDS.toNanos(1) / load.perSecond());
    }

    /** How long it waited; the longest time there is if it was shed. */
    private long interactive(long due) {
        try (Lease lease = source.lease(INTERACTIVE)) {
            long waited = System.nanoTime() - due;
            execute(lease, INTERACTIVE_WORK);
            return waited;
        } catch (SQLException | RuntimeException e) {
            if (ShedException.retryAfter(e).isEmpty()) {
                failure.compareAndSet(null, e);
            }
            return Long.MAX_VALUE;
        }
    }

    private void batch() {
        String work = "select pg_sleep(" + load.batchLeaseMs() / 1000.0 + ")";
        while (!over) {
            try (Lease lease = source.lease(BATCH)) {
                if (over) {
                    return;
                }
                execute(lease, work);
            } catch (SQLException | RuntimeException e) {
                failure.compareAndSet(null, e);
                return;
            }
            batchLeases.incrementAndGet();
        }
    }

    private static void execute(Lease lease, String sql) throws SQLException {
        try (PreparedStatement statement = lease.connection().prepareStatement(sql)) {
            statement.execute();
        }
    }

    private static void parkUntil(long nanos) {
        long left;
        while ((left = nanos - System.nanoTime()) > 0 && !Thread.currentThread().isInterrupted()) {
            LockSupport.parkNanos(left);
        }
    }
}
