// SPDX-License-Identifier: Apache-2.0
package io.flexpool.adapter.hikaricp.classes;

import io.flexpool.adapter.hikaricp.classes.Sharing.Lease;
import io.flexpool.adapter.hikaricp.classes.Sharing.Source;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Requests on a real database, each at its own time and by a thread of its own, whether or not the ones before are answered.
 * A wait counts from when the request was due.
 */
final class RealPlay {
    private static final double NANOS = 1e9;
    private static final int MOST_THREADS = 20_000;
    /** Thousands of threads wait, none of which calls deep. */
    private static final int STACK_BYTES = 256 * 1024;

    private final Source source;
    private final Queue<Answer> answers = new ConcurrentLinkedQueue<>();
    private final AtomicReference<@Nullable SQLException> failure = new AtomicReference<>();
    private final long start = System.nanoTime();

    private RealPlay(Source source) {
        this.source = source;
    }

    /**
     * Plays all requests to their end.
     *
     * @param threads how many are there from the start: to begin one takes longer than a storm may
     * @throws IllegalStateException if a request failed that had got a connection
     */
    static List<Answer> play(Source source, List<Ask> asks, int threads) throws InterruptedException {
        ThreadPoolExecutor executor = new ThreadPoolExecutor(
                threads,
                MOST_THREADS,
                1,
                TimeUnit.MINUTES,
                new SynchronousQueue<>(),
                task -> new Thread(null, task, "request", STACK_BYTES));
        try {
            executor.prestartAllCoreThreads();
            RealPlay play = new RealPlay(source);
            for (Ask ask : asks) {
                play.parkUntil(ask.at());
                executor.execute(() -> play.answer(ask));
            }
            executor.shutdown();
            if (!executor.awaitTermination(10, TimeUnit.MINUTES)) {
                throw new IllegalStateException("a request has been under way for ten minutes");
            }
            SQLException failed = play.failure.get();
            if (failed != null) {
                throw new IllegalStateException("a lease failed", failed);
            }
            return new ArrayList<>(play.answers);
        } finally {
            executor.shutdownNow();
        }
    }

    private double seconds() {
        return (System.nanoTime() - start) / NANOS;
    }

    private void answer(Ask ask) {
        double asked = seconds() - ask.at();
        double waited = Double.NaN;
        try (Lease lease = source.lease(ask)) {
            waited = seconds() - ask.at();
            sleep(lease, ask.work());
        } catch (SQLException failed) {
            if (!Double.isNaN(waited)) {
                // No answer to the request, and the run has failed; or it is to end, and the database has gone first.
                failure.compareAndSet(null, failed);
                return;
            }
        }
        boolean served = !Double.isNaN(waited);
        answers.add(new Answer(ask, served ? waited : seconds() - ask.at(), asked, served));
    }

    private static void sleep(Lease lease, double seconds) throws SQLException {
        try (PreparedStatement statement = lease.connection().prepareStatement("select pg_sleep(" + seconds + ")")) {
            statement.execute();
        }
    }

    private void parkUntil(double at) {
        double left;
        while ((left = at - seconds()) > 0 && !Thread.currentThread().isInterrupted()) {
            LockSupport.parkNanos((long) (left * NANOS));
        }
    }
}
