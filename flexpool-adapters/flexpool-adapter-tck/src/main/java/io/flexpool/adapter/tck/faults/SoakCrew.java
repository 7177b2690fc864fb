// SPDX-License-Identifier: Apache-2.0
package io.flexpool.adapter.tck.faults;

import io.flexpool.FlexPoolDataSource;
import io.flexpool.pool.PoolSnapshot;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The threads of one soak. An additional thread occasionally takes every connection, so that requests time out and a
 * bound pool grows. Also measures the heap at the beginning and at the end.
 */
public final class SoakCrew {
    private static final Duration BETWEEN_HOARDS = Duration.ofSeconds(2);
    /**
     * The pause between aborts, because pools replace lost connections slowly, and a pool without connections only
     * fails.
     */
    private static final Duration BETWEEN_ABORTS = Duration.ofMillis(100);

    /** The number of timeouts that ends a hoard, of fifty waiting threads. */
    private static final int TIMED_OUT_OF_A_HOARD = 20;

    private static final Duration BETWEEN_RETURNS = Duration.ofMillis(1);
    private static final Duration PATIENCE = Duration.ofMinutes(3);

    private final FlexPoolDataSource pool;
    private final SoakLedger ledger;
    private final int most;
    private final long seed;
    private final BooleanSupplier hoardSeen;
    private final ExecutorService others = Executors.newFixedThreadPool(2, task -> daemon(task, "soak-other"));
    private final List<Thread> threads = new ArrayList<>();
    private final AtomicLong nextAbortNanos = new AtomicLong(System.nanoTime());
    private volatile boolean stopped;

    /**
     * Creates a crew, without starting it.
     *
     * @param pool the pool
     * @param ledger records the observations
     * @param most the highest allowed number of leases
     * @param seed the seed of all random choices
     * @param hoardSeen whether the leak detection has reported a hoard; the first hoard lasts until then
     */
    public SoakCrew(FlexPoolDataSource pool, SoakLedger ledger, int most, long seed, BooleanSupplier hoardSeen) {
        this.pool = pool;
        this.ledger = ledger;
        this.most = most;
        this.seed = seed;
        this.hoardSeen = hoardSeen;
    }

    FlexPoolDataSource pool() {
        return pool;
    }

    SoakLedger ledger() {
        return ledger;
    }

    boolean stopped() {
        return stopped;
    }

    /** Whether the last abort is long enough ago, and the pool has replaced the lost connection. */
    boolean mayAbort() {
        long now = System.nanoTime();
        long next = nextAbortNanos.get();
        if (now - next < 0 || !nextAbortNanos.compareAndSet(next, now + BETWEEN_ABORTS.toNanos())) {
            return false;
        }
        int total = pool.state().pool().total();
        return total == PoolSnapshot.UNKNOWN || total > most / 2;
    }

    /**
     * Runs the soak, and returns when every thread has ended.
     *
     * @param number the number of threads
     * @param time the minimum duration
     * @param tried whether every kind of ending has occurred, which takes longer on a busy machine
     * @return the heap in use after the first tenth, when each kind of request has happened, and at the end
     */
    public HeapGrowth run(int number, Duration time, BooleanSupplier tried) throws Exception {
        for (int at = 0; at < number; at++) {
            Thread thread = daemon(new SoakThread(this, seed + at), "soak-" + at);
            threads.add(thread);
            thread.start();
        }
        long begin = System.nanoTime();
        long nanos = time.toNanos();
        try {
            pauseUntil(begin + nanos / 10);
            // Memory for the first timeouts and leaks, and for their classes, does not count as growth.
            hoard();
            long first = HeapGrowth.used();
            while (begin + nanos * 8 / 10 - System.nanoTime() > 0) {
                hoard();
                pauseUntil(Math.min(begin + nanos * 8 / 10, System.nanoTime() + BETWEEN_HOARDS.toNanos()));
            }
            return new HeapGrowth(first, HeapGrowth.used());
        } finally {
            pauseUntil(begin + nanos);
            Crowd.eventually(PATIENCE, tried);
            end();
        }
    }

    private void end() throws InterruptedException {
        stopped = true;
        for (Thread thread : threads) {
            thread.join(PATIENCE.toMillis());
            if (thread.isAlive()) {
                AssertionError stuck = new AssertionError(thread.getName() + " does not end");
                stuck.setStackTrace(thread.getStackTrace());
                ledger.wrong(null, stuck);
            }
        }
        others.shutdown();
    }

    /**
     * Takes and returns connections, so that the soak does not measure a starting pool.
     *
     * @param number the number of connections
     */
    public void fill(int number) throws SQLException {
        Deque<Connection> all = new ArrayDeque<>();
        try {
            take(number, all);
        } finally {
            giveBack(all);
        }
    }

    /** Takes all connections, until some requests have timed out. */
    private void hoard() throws SQLException, InterruptedException {
        long before = ledger.timedOut();
        Deque<Connection> hoarded = new ArrayDeque<>();
        try {
            take(most, hoarded);
            if (!Crowd.eventually(
                    PATIENCE, () -> ledger.timedOut() >= before + TIMED_OUT_OF_A_HOARD && hoardSeen.getAsBoolean())) {
                ledger.wrong(null, new AssertionError("a hoard caused no timeout or no leak suspect"));
            }
        } finally {
            giveBack(hoarded);
        }
    }

    private void take(int number, Deque<Connection> taken) throws SQLException {
        long end = System.nanoTime() + PATIENCE.toNanos();
        while (taken.size() < number && end - System.nanoTime() > 0) {
            if (!taken.isEmpty()) {
                ledger.nests();
            }
            Connection connection = taken();
            if (connection != null) {
                taken.add(connection);
            }
        }
    }

    /** Returns connections one by one. */
    private void giveBack(Deque<Connection> taken) throws SQLException {
        for (Connection connection; (connection = taken.poll()) != null; ) {
            ledger.givesBack(connection);
            connection.close();
            pauseUntil(System.nanoTime() + BETWEEN_RETURNS.toNanos());
        }
    }

    private @Nullable Connection taken() throws SQLException {
        try {
            Connection connection = pool.getConnection();
            ledger.served(connection);
            return connection;
        } catch (SQLException thrown) {
            ledger.refused(thrown);
            return null;
        }
    }

    /** Interrupts a thread a little later. */
    CompletableFuture<?> poke(Thread thread, long after, TimeUnit unit) {
        return CompletableFuture.runAsync(thread::interrupt, CompletableFuture.delayedExecutor(after, unit, others));
    }

    /** Closes a connection on another thread just after a signal; the future has the exception. */
    CompletableFuture<?> closeElsewhere(Connection connection, Runnable signal) {
        return CompletableFuture.runAsync(
                () -> {
                    signal.run();
                    try {
                        connection.close();
                    } catch (SQLException thrown) {
                        throw new CompletionException(thrown);
                    }
                },
                others);
    }

    private static void pauseUntil(long nanos) {
        long left;
        while ((left = nanos - System.nanoTime()) > 0) {
            LockSupport.parkNanos(left);
        }
    }

    private static Thread daemon(Runnable task, String name) {
        Thread thread = new Thread(task, name);
        thread.setDaemon(true);
        return thread;
    }
}
