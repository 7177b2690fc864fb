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
 * The threads of one soak, and what happens beside them: a thread that occasionally hoards every connection, so that
 * requests time out and a bound pool grows, and a look at the heap at the beginning and at the end.
 */
public final class SoakCrew {
    private static final Duration BETWEEN_HOARDS = Duration.ofSeconds(2);
    /** A pool replaces lost connections at its leisure; without any it would only say that it cannot connect. */
    private static final Duration BETWEEN_ABORTS = Duration.ofMillis(100);

    /** Of the fifty who wait then. */
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
     * A crew that has not begun.
     *
     * @param pool where it asks
     * @param ledger what it sees
     * @param most the most connections that may be out
     * @param seed of all that is random
     * @param hoardSeen whether the leak detection has seen a hoard; the first one lasts until then
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

    /** Whether the last abort is long enough ago, and the pool has replaced what it lost. */
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
     * @param number how many threads
     * @param time how long at least
     * @param tried whether everything has been tried; a busy machine needs longer for that
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
            // What is kept of the first timeouts and leaks, and of their classes, is no growth.
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
     * Takes connections and gives them back: a pool that is still starting is not what a soak looks at.
     *
     * @param number how many
     */
    public void fill(int number) throws SQLException {
        Deque<Connection> all = new ArrayDeque<>();
        try {
            take(number, all);
        } finally {
            giveBack(all);
        }
    }

    /** Takes all there are, until some have timed out. */
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

    /** One by one: only a pool without leases can be checked for none. */
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

    /** Has a thread interrupted a little later. */
    CompletableFuture<?> poke(Thread thread, long after, TimeUnit unit) {
        return CompletableFuture.runAsync(thread::interrupt, CompletableFuture.delayedExecutor(after, unit, others));
    }

    /** Has a connection closed by another thread, just after a signal; what that throws comes out of the future. */
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
