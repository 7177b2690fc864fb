// SPDX-License-Identifier: Apache-2.0
package io.flexpool.benchmarks.kit;

import io.flexpool.adapter.tck.database.MinimalDataSource;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import javax.sql.DataSource;

/**
 * A driver's data source that knows what it has opened. It hands out the driver's own connections, as a pool wants them,
 * and so sees a close only when it checks. It checks at each open, and counts only what was open at one and
 * the same moment: so many were open at least. One that the driver has connected and not handed over yet is not among
 * them. Thread-safe.
 */
public final class CountingDataSource extends MinimalDataSource {
    private final DataSource driver;
    private final Queue<Connection> opened = new ConcurrentLinkedQueue<>();
    private final Queue<Long> connectNanos = new ConcurrentLinkedQueue<>();
    private final AtomicInteger peak = new AtomicInteger();

    /**
     * Nothing is open yet.
     *
     * @param driver where connections come from
     */
    public CountingDataSource(DataSource driver) {
        this.driver = driver;
    }

    @Override
    public Connection getConnection() throws SQLException {
        long start = System.nanoTime();
        Connection connection = driver.getConnection();
        connectNanos.add(System.nanoTime() - start);
        opened.add(connection);
        peak.accumulateAndGet(open(), Math::max);
        return connection;
    }

    /**
     * Looks at all that were opened.
     *
     * @return physical connections that were open at once when the second check began
     */
    public int open() {
        opened.removeIf(CountingDataSource::isClosed);
        List<Connection> seen = List.copyOf(opened);
        // While it looked at the last one the first may have been closed and another one opened. What is known by now
        // and still open was open at the end of the first check: a closed connection never opens again.
        return (int) seen.stream().filter(connection -> !isClosed(connection)).count();
    }

    /**
     * The highest {@link #open()} so far.
     *
     * @return so many, at least, were open at once
     */
    public int peak() {
        return peak.get();
    }

    /**
     * How long each connect took.
     *
     * @return nanoseconds, in order
     */
    public Queue<Long> connectNanos() {
        return connectNanos;
    }

    private static boolean isClosed(Connection connection) {
        try {
            return connection.isClosed();
        } catch (SQLException e) {
            throw new IllegalStateException("a driver's isClosed() threw", e);
        }
    }
}
