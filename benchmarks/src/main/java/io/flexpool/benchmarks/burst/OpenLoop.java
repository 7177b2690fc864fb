// SPDX-License-Identifier: Apache-2.0
package io.flexpool.benchmarks.burst;

import io.flexpool.benchmarks.burst.BurstLoad.Arrival;
import io.flexpool.benchmarks.kit.Waiting;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * Puts a load on a data source. One thread starts each request at its own time, whether or not the ones before are
 * answered, and a request's latency counts from when it was meant to arrive: what the pool delays is not left out.
 *
 * <p>A request gets a connection, keeps it for the hold time, and gives it back; its latency ends then.
 */
final class OpenLoop {
    private static final double NANOS_PER_MS = TimeUnit.MILLISECONDS.toNanos(1);
    private static final long FAILED = -1;
    private static final int SPARE_THREADS = 50;

    private final BurstLoad load;
    private final List<Arrival> arrivals;
    private final DataSource source;
    private final long[] latencyNanos;
    private final AtomicLong latestStartNanos = new AtomicLong();
    private final AtomicReference<@Nullable Throwable> firstFailure = new AtomicReference<>();

    /**
     * What became of a request.
     *
     * @param arrival the request
     * @param latencyMs from its intended arrival to the end of its hold, milliseconds; NaN if it failed
     */
    record Answer(Arrival arrival, double latencyMs) {
        boolean served() {
            return !Double.isNaN(latencyMs);
        }
    }

    /**
     * What became of the load.
     *
     * @param answers one per request, in the order of their arrival
     * @param latestStartMs how late the latest request was started: what the machine, and not the pool, delayed
     * @param firstFailure the first failure in words; null if there was none
     */
    record Result(
            List<Answer> answers,
            double latestStartMs,
            @Nullable String firstFailure) {}

    OpenLoop(BurstLoad load, DataSource source) {
        this.load = load;
        this.arrivals = load.arrivals();
        this.source = source;
        this.latencyNanos = new long[arrivals.size()];
        Arrays.fill(latencyNanos, FAILED);
    }

    /**
     * Runs the load to its end.
     *
     * @param atFirstBurst called when the first burst is due, just before it
     * @return what became of it
     * @throws InterruptedException if the thread is interrupted
     */
    Result run(Runnable atFirstBurst) throws InterruptedException {
        // Ready before they are needed: a new thread would come late. More come if these do not do.
        ThreadPoolExecutor threads = new ThreadPoolExecutor(
                load.size() + SPARE_THREADS, Integer.MAX_VALUE, 1, TimeUnit.MINUTES, new SynchronousQueue<>());
        threads.prestartAllCoreThreads();
        try {
            dispatch(threads, atFirstBurst);
        } finally {
            threads.shutdown();
        }
        if (!threads.awaitTermination(10, TimeUnit.MINUTES)) {
            throw new IllegalStateException("a request has been under way for ten minutes");
        }
        Throwable failure = firstFailure.get();
        return new Result(
                IntStream.range(0, latencyNanos.length).mapToObj(this::answer).toList(),
                latestStartNanos.get() / NANOS_PER_MS,
                failure == null ? null : failure.toString());
    }

    private Answer answer(int index) {
        long nanos = latencyNanos[index];
        return new Answer(arrivals.get(index), nanos == FAILED ? Double.NaN : nanos / NANOS_PER_MS);
    }

    private void dispatch(ThreadPoolExecutor threads, Runnable atFirstBurst) throws InterruptedException {
        // A moment, so that the first request is not late already.
        long start = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(50);
        boolean before = true;
        for (int n = 0; n < arrivals.size(); n++) {
            Arrival arrival = arrivals.get(n);
            if (before && arrival.window() >= 0) {
                before = false;
                atFirstBurst.run();
            }
            long due = start + arrival.atNanos();
            Waiting.until(due);
            if (Thread.interrupted()) {
                throw new InterruptedException();
            }
            int index = n;
            threads.execute(() -> request(index, due));
        }
        Waiting.until(start + load.endNanos());
    }

    private void request(int index, long due) {
        long started = System.nanoTime();
        latestStartNanos.accumulateAndGet(started - due, Math::max);
        try (Connection connection = source.getConnection()) {
            Waiting.until(System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(load.holdMs()));
            latencyNanos[index] = System.nanoTime() - due;
            if (connection.isClosed()) {
                throw new SQLException("the connection was closed during its lease");
            }
        } catch (SQLException | RuntimeException e) {
            latencyNanos[index] = FAILED;
            firstFailure.compareAndSet(null, e);
        }
    }
}
