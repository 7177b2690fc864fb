// SPDX-License-Identifier: Apache-2.0
package io.flexpool.examples.ownadapter;

import java.io.PrintWriter;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLFeatureNotSupportedException;
import java.sql.SQLTimeoutException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.logging.Logger;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * A small connection pool, so that there is something to adapt. Fair; opens connections in the thread that asks, checks
 * idle ones before it hands them out, rolls back and restores auto-commit when they come back (and restores nothing
 * else). Its max can be set while it runs. Its timeout is for the waiting: how long a connect may take is up to the
 * driver. Thread-safe.
 */
public final class OwnPool implements DataSource, AutoCloseable {
    private static final int CHECK_SECONDS = 1;

    private final DataSource database;
    private final Duration timeout;

    private final ReentrantLock lock = new ReentrantLock();
    /** Those who wait, each with its own condition: the first to come is the first to be served. */
    private final Deque<Condition> waiting = new ArrayDeque<>();

    private final Deque<Connection> idle = new ArrayDeque<>();
    private int max;
    private int active;
    private int opening;
    private int closing;
    private long lastOpenNanos = System.nanoTime();
    private boolean closed;
    private volatile Figures figures;

    /**
     * What there was at one moment.
     *
     * @param max the most physical connections there may be
     * @param active leased connections
     * @param idle connections that are open and free
     * @param opening connects and checks that have begun and not ended
     * @param pending requests that wait for a place
     * @param lastOpenNanos when a connect or check last ended, well or not, by {@link System#nanoTime()}
     */
    public record Figures(int max, int active, int idle, int opening, int pending, long lastOpenNanos) {}

    /**
     * A pool that has not connected yet.
     *
     * @param database opens the physical connections
     * @param max the most of them, at least 1
     * @param timeout how long a request waits; zero for as long as it takes
     */
    public OwnPool(DataSource database, int max, Duration timeout) {
        this.database = database;
        this.max = max;
        this.timeout = timeout;
        this.figures = new Figures(max, 0, 0, 0, 0, lastOpenNanos);
    }

    /**
     * How long a request waits.
     *
     * @return zero for as long as it takes
     */
    public Duration timeout() {
        return timeout;
    }

    /**
     * What there is now. Takes no lock.
     *
     * @return figures of one moment
     */
    public Figures figures() {
        return figures;
    }

    /**
     * Opens a connection that this pool does not know.
     *
     * @return closing it closes it
     * @throws SQLException as the driver does
     */
    Connection connect() throws SQLException {
        return database.getConnection();
    }

    @Override
    public Connection getConnection() throws SQLException {
        return getConnection(timeout);
    }

    /**
     * Gets a connection.
     *
     * @param within how long to wait; zero for as long as it takes
     * @return closing it gives it back
     * @throws SQLTimeoutException if none came back in time
     * @throws SQLException if the thread was interrupted, the pool is closed, or what the driver throws
     */
    public Connection getConnection(Duration within) throws SQLException {
        Connection known = awaitPlace(within.isZero() ? Long.MAX_VALUE : within.toNanos());
        Connection physical = null;
        try {
            physical = checkedOrOpened(known);
            return OwnConnection.of(this, physical);
        } finally {
            opened(physical != null);
        }
    }

    private @Nullable Connection awaitPlace(long nanos) throws SQLException {
        lock.lock();
        Condition turn = lock.newCondition();
        try {
            waiting.addLast(turn);
            changed();
            long left = nanos;
            while (!closed && (waiting.peekFirst() != turn || active + opening + closing >= max)) {
                if (left <= 0) {
                    throw new SQLTimeoutException("no connection within " + Duration.ofNanos(nanos));
                }
                left = turn.awaitNanos(left);
            }
            if (closed) {
                throw new SQLException("the pool is closed", "08003");
            }
            opening++;
            return idle.pollFirst();
        } catch (InterruptedException interrupt) {
            Thread.currentThread().interrupt();
            throw new SQLException("interrupted while waiting for a connection", interrupt);
        } finally {
            waiting.remove(turn);
            changed();
            lock.unlock();
        }
    }

    private Connection checkedOrOpened(@Nullable Connection known) throws SQLException {
        if (known != null) {
            if (alive(known)) {
                return known;
            }
            close(known);
        }
        return database.getConnection();
    }

    /** A driver may throw instead of saying no. */
    private static boolean alive(Connection known) {
        try {
            return known.isValid(CHECK_SECONDS);
        } catch (SQLException broken) {
            return false;
        }
    }

    private void opened(boolean well) {
        lock.lock();
        try {
            opening--;
            if (well) {
                active++;
            }
            lastOpenNanos = System.nanoTime();
            changed();
        } finally {
            lock.unlock();
        }
    }

    /** A connection comes back: for the next one, or too many, or of no use any more. */
    void giveBack(Connection physical) {
        boolean clean = cleaned(physical);
        boolean kept;
        lock.lock();
        try {
            active--;
            kept = clean && !closed && idle.size() + active + opening + closing < max;
            if (kept) {
                idle.addFirst(physical);
            } else {
                closing++;
            }
            changed();
        } finally {
            lock.unlock();
        }
        if (!kept) {
            closeAndLeave(physical);
        }
    }

    private static boolean cleaned(Connection physical) {
        try {
            if (physical.isClosed()) {
                return false;
            }
            if (!physical.getAutoCommit()) {
                physical.rollback();
                physical.setAutoCommit(true);
            }
            physical.clearWarnings();
            return true;
        } catch (SQLException broken) {
            return false;
        }
    }

    /**
     * Sets the max, at once: waiting requests are served if it rose; if it fell, active connections stay open and
     * closed when they come back, and idle ones stay until {@link #closeIdle(int)}.
     *
     * @param connections at least 1
     */
    public void max(int connections) {
        lock.lock();
        try {
            max = connections;
            changed();
        } finally {
            lock.unlock();
        }
    }

    /**
     * Closes idle connections.
     *
     * @param keep how many physical connections may stay, active ones included
     */
    public void closeIdle(int keep) {
        for (Connection surplus = surplus(keep); surplus != null; surplus = surplus(keep)) {
            closeAndLeave(surplus);
        }
    }

    private @Nullable Connection surplus(int keep) {
        lock.lock();
        try {
            Connection surplus = idle.size() + active + opening + closing > keep ? idle.pollLast() : null;
            if (surplus != null) {
                closing++;
                changed();
            }
            return surplus;
        } finally {
            lock.unlock();
        }
    }

    /** Its place is free only when it is really gone, so that there are never more than the max. */
    private void closeAndLeave(Connection physical) {
        close(physical);
        lock.lock();
        try {
            closing--;
            changed();
        } finally {
            lock.unlock();
        }
    }

    private static void close(Connection physical) {
        try {
            physical.close();
        } catch (SQLException broken) {
            // It cannot be used any more, which is what closing is for.
        }
    }

    /** Called under the lock after each change: wakes the next in the queue, and renews the figures. */
    private void changed() {
        Condition next = waiting.peekFirst();
        if (next != null) {
            next.signal();
        }
        figures = new Figures(max, active, idle.size(), opening, waiting.size(), lastOpenNanos);
    }

    /**
     * Whether it was closed.
     *
     * @return true if it gives no connection again
     */
    public boolean isClosed() {
        lock.lock();
        try {
            return closed;
        } finally {
            lock.unlock();
        }
    }

    /** Waiting requests fail with an exception, active connections are closed when they are returned. */
    @Override
    public void close() {
        lock.lock();
        try {
            closed = true;
            changed();
        } finally {
            lock.unlock();
        }
        closeIdle(0);
    }

    @Override
    public Connection getConnection(String user, String password) throws SQLException {
        throw new SQLFeatureNotSupportedException("this pool has one user");
    }

    @Override
    public @Nullable PrintWriter getLogWriter() {
        return null;
    }

    @Override
    public void setLogWriter(@Nullable PrintWriter out) {}

    @Override
    public int getLoginTimeout() throws SQLException {
        return database.getLoginTimeout();
    }

    @Override
    public void setLoginTimeout(int seconds) throws SQLException {
        database.setLoginTimeout(seconds);
    }

    @Override
    public Logger getParentLogger() throws SQLFeatureNotSupportedException {
        throw new SQLFeatureNotSupportedException("this pool does not log");
    }

    @Override
    public <T> T unwrap(Class<T> type) throws SQLException {
        return type.isInstance(this) ? type.cast(this) : database.unwrap(type);
    }

    @Override
    public boolean isWrapperFor(Class<?> type) throws SQLException {
        return type.isInstance(this) || database.isWrapperFor(type);
    }
}
