// SPDX-License-Identifier: Apache-2.0
package io.flexpool.metrics.tck;

import io.flexpool.FlexPool;
import io.flexpool.FlexPoolDataSource;
import io.flexpool.monitoring.MetricsBinder;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The script of events: a real flexpool over a scripted pool, on a clock set by the script. Runs in one thread, with
 * the same result every time.
 */
final class Script implements AutoCloseable {
    /** The number of requests per outcome; all counts differ. */
    static final int OK = 17;

    static final int TIMEOUTS = 5;
    static final int CONNECT_FAILURES = 3;
    static final int INTERRUPTED = 2;
    static final int ERRORS = 4;
    /** The connections held until each is a leak suspect; all by one thread, so one fewer is nested. */
    static final int LEAKS = 6;

    static final Duration LEAK_THRESHOLD = Duration.ofSeconds(30);
    /** The duration of a successful acquisition, and of its lease. */
    static final Duration WAIT = Duration.ofMillis(3);

    static final Duration LEASE = Duration.ofMillis(40);

    private final AtomicLong clock = new AtomicLong(1_000_000_000_000L);
    private final ObedientPool target = new ObedientPool(clock);
    private final FlexPoolDataSource pool;

    Script(String name, MetricsBinder binder) {
        pool = FlexPool.wrap(target)
                .adapter(target.adapter())
                .name(name)
                .framework(with -> with.ticker(clock::get))
                .set("leak.threshold", LEAK_THRESHOLD)
                .metrics(binder)
                .build();
    }

    FlexPoolDataSource pool() {
        return pool;
    }

    /** Runs the whole script. */
    void play() throws SQLException {
        for (int at = 0; at < OK; at++) {
            try (Connection connection = acquire(ObedientPool.Answer.CONNECTION)) {
                clock.addAndGet(LEASE.toNanos());
                connection.isValid(1);
            }
        }
        fail(TIMEOUTS, ObedientPool.Answer.EXHAUSTED);
        fail(CONNECT_FAILURES, ObedientPool.Answer.CONNECT_FAILED);
        fail(INTERRUPTED, ObedientPool.Answer.INTERRUPTED);
        fail(ERRORS, ObedientPool.Answer.OTHER);
    }

    private Connection acquire(ObedientPool.Answer answer) throws SQLException {
        target.next(answer, WAIT);
        return pool.getConnection();
    }

    private void fail(int times, ObedientPool.Answer answer) {
        for (int at = 0; at < times; at++) {
            try (Connection none = acquire(answer)) {
                throw new AssertionError("a connection, " + none + ", instead of " + answer);
            } catch (SQLException asItShould) {
                // The interrupt belongs to the script, not to the thread that runs it.
                Thread.interrupted();
            }
        }
    }

    /** Holds connections until the script ends. */
    List<Connection> hold(int connections) throws SQLException {
        List<Connection> held = new ArrayList<>();
        for (int at = 0; at < connections; at++) {
            held.add(acquire(ObedientPool.Answer.CONNECTION));
        }
        return held;
    }

    void later(Duration duration) {
        clock.addAndGet(duration.toNanos());
    }

    @Override
    public void close() {
        pool.close();
    }
}
