// SPDX-License-Identifier: Apache-2.0
package io.flexpool.benchmarks.broker;

import io.flexpool.adapter.tck.database.MinimalDataSource;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;
import javax.sql.DataSource;
import org.HdrHistogram.ConcurrentHistogram;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;

/**
 * A data source that counts requests, their duration, and active connections. It hands on the connections unchanged,
 * and so sees a close only when it checks. It checks at each request, but others may close or get theirs meanwhile: the
 * peak it reports is a lower bound. Thread-safe.
 */
final class MeteredDataSource extends MinimalDataSource {
    private static final double NANOS_PER_MILLI = 1e6;
    private static final int DIGITS = 3;

    private final DataSource source;
    private final Queue<Connection> out = new ConcurrentLinkedQueue<>();
    private final AtomicInteger peak = new AtomicInteger();
    private final LongAdder nanos = new LongAdder();
    private final Histogram histogram = new ConcurrentHistogram(TimeUnit.HOURS.toNanos(1), DIGITS);

    /** Begins at nothing; hands on the connections of the source. */
    MeteredDataSource(DataSource source) {
        this.source = source;
    }

    /**
     * The requests to a data source.
     *
     * @param connections how many
     * @param meanMs what one took on average, milliseconds; 0 where there was none
     * @param p50Ms half took no longer, milliseconds
     * @param p99Ms 99 of 100 took no longer, milliseconds
     * @param peakOut at least so many were active at once
     */
    record Reading(long connections, double meanMs, double p50Ms, double p99Ms, int peakOut) {}

    @Override
    public Connection getConnection() throws SQLException {
        long start = System.nanoTime();
        Connection connection = source.getConnection();
        long took = System.nanoTime() - start;
        nanos.add(took);
        histogram.recordValue(Math.min(took, TimeUnit.HOURS.toNanos(1)));
        out.removeIf(MeteredDataSource::isClosed);
        out.add(connection);
        peak.accumulateAndGet(out.size(), Math::max);
        return connection;
    }

    /** Resets the counts; active connections stay active. Must not run during requests. */
    void reset() {
        nanos.reset();
        histogram.reset();
        out.removeIf(MeteredDataSource::isClosed);
        peak.set(out.size());
    }

    /** What was counted since the beginning or the last {@link #reset()}. */
    Reading reading() {
        long connections = histogram.getTotalCount();
        double totalMs = nanos.sum() / NANOS_PER_MILLI;
        return new Reading(
                connections,
                connections == 0 ? 0 : totalMs / connections,
                histogram.getValueAtPercentile(50) / NANOS_PER_MILLI,
                histogram.getValueAtPercentile(99) / NANOS_PER_MILLI,
                peak.get());
    }

    /** The reading of one that may be missing. */
    static @Nullable Reading readingOf(@Nullable MeteredDataSource meter) {
        return meter == null ? null : meter.reading();
    }

    private static boolean isClosed(Connection connection) {
        try {
            return connection.isClosed();
        } catch (SQLException e) {
            throw new IllegalStateException("isClosed() threw", e);
        }
    }
}
