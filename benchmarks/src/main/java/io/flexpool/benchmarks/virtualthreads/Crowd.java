// SPDX-License-Identifier: Apache-2.0
package io.flexpool.benchmarks.virtualthreads;

import io.flexpool.benchmarks.virtualthreads.LeaseDatabase.Work;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.LockSupport;
import javax.sql.DataSource;
import org.HdrHistogram.ConcurrentHistogram;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;

/**
 * Threads each of which takes a connection, keeps it busy, gives it back, and ends; another one takes its place at once. There are
 * more of them than connections, so that most wait all the time.
 */
final class Crowd {
    private static final long HIGHEST_NANOS = TimeUnit.HOURS.toNanos(1);
    private static final int DIGITS = 3;
    private static final long NOT_YET = 0;
    /** After a failure that came at once. */
    private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

    private final DataSource source;
    private final Work work;
    private final int workMicros;
    private final ExecutorService threads;
    private final Histogram waits = new ConcurrentHistogram(1, HIGHEST_NANOS, DIGITS);
    private final Histogram wholes = new ConcurrentHistogram(1, HIGHEST_NANOS, DIGITS);
    private final LongAdder failures = new LongAdder();
    private final AtomicReference<@Nullable Throwable> firstFailure = new AtomicReference<>();
    private final LongAdder served = new LongAdder();
    private volatile boolean measuring;
    private volatile long endNanos = NOT_YET;
    private volatile boolean over;

    /**
     * A crowd that does nothing yet.
     *
     * @param threads runs each member on a thread of its own; ended with the crowd
     */
    Crowd(DataSource source, Work work, int workMicros, ExecutorService threads) {
        this.source = source;
        this.work = work;
        this.workMicros = workMicros;
        this.threads = threads;
    }

    /** So many begin to ask. */
    void begin(int members) {
        for (int at = 0; at < members; at++) {
            threads.execute(this::ask);
        }
    }

    /** From now on what ends is counted. */
    void measure() {
        measuring = true;
    }

    /** No longer. */
    void measured() {
        measuring = false;
        // 0 is that of none; a nanosecond does not matter.
        endNanos = System.nanoTime() | 1;
    }

    /** No further ones begin, and those that there are end, each after the connection that it waits for. */
    void end() throws InterruptedException {
        over = true;
        threads.shutdown();
        if (!threads.awaitTermination(10, TimeUnit.MINUTES)) {
            throw new IllegalStateException("a request has been under way for ten minutes");
        }
    }

    private void ask() {
        request(System.nanoTime());
        if (!over) {
            try {
                threads.execute(this::ask);
            } catch (RejectedExecutionException ended) {
                // Between the look and here the crowd came to its end.
                return;
            }
        }
    }

    private void request(long asked) {
        long got = 0;
        try (Connection connection = source.getConnection()) {
            got = System.nanoTime();
            if (!over) {
                work.on(connection, workMicros);
            }
        } catch (SQLException | RuntimeException failed) {
            failed(failed);
            cutOff(asked, got == 0 ? System.nanoTime() : got);
            return;
        }
        if (measuring) {
            served.increment();
            record(got - asked, System.nanoTime() - asked);
        } else {
            cutOff(asked, got);
        }
    }

    private void record(long waitedNanos, long tookNanos) {
        waits.recordValue(Math.min(waitedNanos, HIGHEST_NANOS));
        wholes.recordValue(Math.min(tookNanos, HIGHEST_NANOS));
    }

    /** One that still waited at the end counts with what it had waited until then: else those that wait longest would not count. */
    private void cutOff(long asked, long answered) {
        long end = endNanos;
        if (end != NOT_YET && asked - end < 0 && answered - end > 0) {
            record(end - asked, end - asked);
        }
    }

    private void failed(Throwable failure) {
        if (measuring) {
            failures.increment();
            firstFailure.compareAndSet(null, failure);
        }
        LockSupport.parkNanos(this, PAUSE_NANOS);
    }

    /** How many requests got a connection and gave it back while it measured. */
    long served() {
        return served.sum();
    }

    /** How long requests waited, those that still waited at the end included, nanoseconds. After the end. */
    Histogram waits() {
        return waits;
    }

    /** How long they took in all. After the end. */
    Histogram wholes() {
        return wholes;
    }

    /** How many got none, or failed with it. */
    long failures() {
        return failures.sum();
    }

    /** The first failure in words; null if there was none. */
    @Nullable
    String firstFailure() {
        Throwable first = firstFailure.get();
        return first == null ? null : first.toString();
    }
}
