// SPDX-License-Identifier: Apache-2.0
package io.flexpool.session;

import io.flexpool.spi.PartContext;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs the queries of one pool's part at the end of leases. A query that exceeds its limit costs its connection, so the
 * queries pause afterwards: for 60 s, and twice as long after each further one, up to 960 s. After a pause one query
 * tests the server. Thread-safe.
 */
final class ServerQueries {
    private static final Logger LOG = LoggerFactory.getLogger("io.flexpool");
    private static final Duration FIRST_PAUSE = Duration.ofMinutes(1);
    private static final Duration LONGEST_PAUSE = Duration.ofMinutes(16);

    private final PartContext pool;
    /** The consequence of a pause: a clause without its duration; null if no caller asks {@link #mayRun}. */
    private final @Nullable String meanwhile;
    /** Null while the server responds. */
    private final AtomicReference<@Nullable Pause> pause = new AtomicReference<>();

    /**
     * A pause.
     *
     * @param untilNanos its end, by the pool's clock
     * @param limitMillis the limit that was exceeded
     */
    private record Pause(long untilNanos, Duration length, int limitMillis) {}

    /** A query, or several ones. */
    @FunctionalInterface
    interface Work {
        void run(QueryLimit limit) throws SQLException;
    }

    ServerQueries(PartContext pool, @Nullable String meanwhile) {
        this.pool = pool;
        this.meanwhile = meanwhile;
    }

    /**
     * Whether a query may run now. At the end of a pause only one caller may, while the pause goes on for all others.
     */
    boolean mayRun() {
        Pause now = pause.get();
        return now == null
                || (pool.nanos() - now.untilNanos() >= 0
                        && pause.compareAndSet(now, starting(now.length(), now.limitMillis())));
    }

    private Pause starting(Duration length, int limitMillis) {
        return new Pause(pool.nanos() + length.toNanos(), length, limitMillis);
    }

    /**
     * Runs queries, each within its limit, also during a pause: callers that can do without ask {@link #mayRun} first.
     *
     * @throws SQLException as the queries do; then the driver may have closed the connection
     */
    void run(Connection connection, Work work) throws SQLException {
        Pause before = pause.get();
        int limitMillis = 0;
        try (QueryLimit limit = new QueryLimit(connection)) {
            limitMillis = limit.millis();
            work.run(limit);
        } catch (SQLException thrown) {
            if (QueryLimit.isExceeded(thrown)) {
                exceeded(before, limitMillis);
            }
            throw thrown;
        }
    }

    /** Ends the pause, because the server has responded. */
    void responded() {
        pause.set(null);
    }

    /** Several queries that began before the pause start one pause. */
    private void exceeded(@Nullable Pause before, int limitMillis) {
        Duration twice = before == null ? FIRST_PAUSE : before.length().multipliedBy(2);
        Duration length = twice.compareTo(LONGEST_PAUSE) > 0 ? LONGEST_PAUSE : twice;
        if (pause.compareAndSet(before, starting(length, limitMillis))) {
            LOG.warn(
                    "{}: the server did not respond to flexpool within {} ms, and the driver may have closed the connection.{}",
                    pool.name(),
                    limitMillis,
                    meanwhile == null ? "" : " " + meanwhile + " for " + length.toSeconds() + " s.");
        }
    }

    /** The pause, a sentence without a full stop; null without one. */
    @Nullable
    String trouble(long nowNanos) {
        Pause now = pause.get();
        long left = now == null ? 0 : now.untilNanos() - nowNanos;
        if (now == null || meanwhile == null || left <= 0) {
            return null;
        }
        return meanwhile + " for another " + Duration.ofNanos(left).toSeconds()
                + " s: the server did not respond within " + now.limitMillis() + " ms";
    }
}
