// SPDX-License-Identifier: Apache-2.0
package io.flexpool.adapter.tck.faults;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.locks.LockSupport;
import javax.sql.DataSource;

/**
 * Threads that repeatedly take a connection, run a query, hold the connection for a while and return it, until they are
 * stopped. They ignore failures. Thread-safe.
 */
public final class FaultLoad implements AutoCloseable {
    private static final String QUERY = "select 1";
    /** The pause after a failure, to avoid a tight loop on a pool that fails at once. */
    private static final long AFTER_FAILURE_NANOS = 1_000_000;

    private static final Duration GIVE_UP = Duration.ofSeconds(30);

    /** An acquisition that failed. */
    record Failure(Throwable thrown, long requestedNanos, long waitedNanos) {}

    private final DataSource source;
    private final long holdNanos;
    private final List<Thread> threads = new ArrayList<>();
    private final Queue<Failure> failures = new ConcurrentLinkedQueue<>();
    private final Map<String, AtomicInteger> brokenInUse = new ConcurrentHashMap<>();
    private final AtomicLong served = new AtomicLong();
    private final Queue<Instant> servedAt = new ConcurrentLinkedQueue<>();
    private final AtomicLong longestWaitNanos = new AtomicLong();
    /** The time at which each thread was first served after the mark; 0 before. */
    private final AtomicLongArray servedAfterMark;

    private int failedBefore;
    private volatile boolean marked;
    private volatile long markNanos;
    private volatile boolean stopped;

    FaultLoad(DataSource source, int number, Duration hold) {
        this.source = source;
        this.holdNanos = hold.toNanos();
        this.servedAfterMark = new AtomicLongArray(number);
        for (int at = 0; at < number; at++) {
            int index = at;
            Thread thread = new Thread(() -> work(index), "fault-load-" + at);
            thread.setDaemon(true);
            threads.add(thread);
            thread.start();
        }
    }

    private void work(int index) {
        while (!stopped) {
            long requested = System.nanoTime();
            Connection connection;
            try {
                connection = source.getConnection();
            } catch (Throwable thrown) {
                failures.add(new Failure(thrown, requested, waited(requested)));
                LockSupport.parkNanos(AFTER_FAILURE_NANOS);
                continue;
            }
            waited(requested);
            servedAt.add(Instant.now());
            served.incrementAndGet();
            use(connection, index, requested);
        }
    }

    private long waited(long requested) {
        long waited = System.nanoTime() - requested;
        longestWaitNanos.accumulateAndGet(waited, Math::max);
        return waited;
    }

    private void use(Connection connection, int index, long requested) {
        try (connection;
                Statement statement = connection.createStatement()) {
            statement.execute(QUERY);
            LockSupport.parkNanos(holdNanos);
        } catch (SQLException e) {
            brokenInUse
                    .computeIfAbsent(String.valueOf(e.getSQLState()), state -> new AtomicInteger())
                    .incrementAndGet();
            return;
        }
        if (marked && requested - markNanos >= 0 && servedAfterMark.get(index) == 0) {
            servedAfterMark.set(index, System.nanoTime());
        }
    }

    /**
     * Ends the warm-up, and drops its failures: on a busy machine a first connect may take longer than the acquisition
     * timeout.
     */
    void warm() {
        while (failures.poll() != null) {
            failedBefore++;
        }
        longestWaitNanos.set(0);
    }

    /** The number of failed acquisitions during the warm-up. */
    int failedBefore() {
        return failedBefore;
    }

    /**
     * Starts the time of the recovery, which ends when every thread has got a connection and a query result that it
     * requested after this.
     */
    void mark() {
        markNanos = System.nanoTime();
        marked = true;
    }

    /** The time from the mark until every thread was served; empty before that. */
    OptionalLong recoveredNanos() {
        long last = 0;
        for (int at = 0; at < servedAfterMark.length(); at++) {
            long when = servedAfterMark.get(at);
            if (when == 0) {
                return OptionalLong.empty();
            }
            last = Math.max(last, when - markNanos);
        }
        return OptionalLong.of(last);
    }

    /** The number of successful acquisitions. */
    long served() {
        return served.get();
    }

    /** The times of the successful acquisitions. */
    List<Instant> servedAt() {
        return List.copyOf(servedAt);
    }

    /** The failed acquisitions since the warm-up, in order. */
    List<Failure> failures() {
        return List.copyOf(failures);
    }

    /** The number of connections that broke during a lease, by SQLState. */
    Map<String, AtomicInteger> brokenInUse() {
        return brokenInUse;
    }

    /** The longest acquisition since the warm-up, failed or not. */
    Duration longestWait() {
        return Duration.ofNanos(longestWaitNanos.get());
    }

    /** Waits until every thread has finished its round; leaves hanging threads behind. */
    void stop() {
        stopped = true;
        long end = System.nanoTime() + GIVE_UP.toNanos();
        while (alive() > 0 && end - System.nanoTime() > 0) {
            LockSupport.parkNanos(AFTER_FAILURE_NANOS);
        }
    }

    /** The number of running threads. */
    long alive() {
        return threads.stream().filter(Thread::isAlive).count();
    }

    @Override
    public void close() {
        stop();
    }
}
