// SPDX-License-Identifier: Apache-2.0
package io.flexpool.server.engine;

import io.flexpool.spi.DaemonThreads;
import io.flexpool.spi.PartContext;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLTimeoutException;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * flexpool's diagnostic connection for queries of the server: opened outside the pool by the first query, and used by
 * one thread at a time. A close returns soon even if the server hangs, and the connection's close with it.
 *
 * <p>A hanging connect is abandoned: its thread is interrupted, and the connection is closed if the driver still
 * returns it. Thread-safe.
 */
final class DiagnosticConnection {
    /** The longest time for which the pool's close waits for this connection's close. */
    private static final long CLOSE_WAIT_MILLIS = 200;

    private final PartContext pool;
    private final AtomicReference<@Nullable Connection> open = new AtomicReference<>();
    private final Connect connect = new Connect();
    private volatile boolean closed;
    /** Whether the pool was at its cap when the connection was last needed. */
    private volatile boolean atCap;

    /** Creates it unopened. The pool counts the connection towards its cap while it is open. */
    DiagnosticConnection(PartContext pool) {
        this.pool = pool;
    }

    boolean atCap() {
        return atCap;
    }

    boolean isOpen() {
        return open.get() != null;
    }

    /**
     * Returns the connection in autocommit mode; opens it if necessary and allowed.
     *
     * @return null if no connection is open, and flexpool may not open one or the pool does not show its connection
     *     settings
     * @throws SQLTimeoutException if the connect was abandoned
     */
    @Nullable
    Connection get(boolean mayConnect) throws SQLException {
        Connection known = open.get();
        if (known != null && !known.isClosed()) {
            return known;
        }
        drop();
        Connection made = mayConnect && !closed ? connect() : null;
        if (made == null) {
            return null;
        }
        open.set(made);
        if (closed) {
            // The pool was closed during the connect, before this connection was stored.
            drop();
            return null;
        }
        if (!made.getAutoCommit()) {
            made.setAutoCommit(true);
        }
        return made;
    }

    private @Nullable Connection connect() throws SQLException {
        atCap = !pool.ownBegins();
        if (atCap) {
            return null;
        }
        connect.begin();
        Connection made = null;
        boolean wanted = false;
        try {
            made = pool.adapter().connect();
        } finally {
            wanted = connect.end();
            if (made == null) {
                pool.ownEnds();
            }
        }
        if (wanted) {
            return made;
        }
        if (made != null) {
            close(made);
        }
        throw new SQLTimeoutException("the connection was made too late");
    }

    /** Closes the connection on the calling thread, if there is one. */
    void drop() {
        Connection known = open.getAndSet(null);
        if (known != null) {
            close(known);
        }
    }

    private void close(Connection connection) {
        try {
            connection.close();
            pool.ownEnds();
        } catch (SQLException | RuntimeException broken) {
            abort(connection);
        }
    }

    private void abort(Connection connection) {
        try {
            connection.abort(Runnable::run);
        } catch (SQLException | RuntimeException | AbstractMethodError gone) {
            // The connection is gone already.
        } finally {
            pool.ownEnds();
        }
    }

    /**
     * Ends a hanging query: aborts its connection on a new thread, or abandons its connect.
     *
     * @return whether a connect was abandoned
     */
    boolean breakOff() {
        boolean connecting = connect.giveUp();
        Connection known = open.getAndSet(null);
        if (known != null) {
            start(() -> abort(known));
        }
        return connecting;
    }

    /**
     * Closes the connection for ever, without waiting long. A connect in progress closes its connection when it
     * returns.
     *
     * @param inUse whether a query may be using the connection: then it is aborted, because a close may wait for the
     *     query
     */
    void close(boolean inUse) {
        closed = true;
        Connection known = open.getAndSet(null);
        if (known == null) {
            return;
        }
        Thread closer = start(inUse ? () -> abort(known) : () -> close(known));
        try {
            if (closer != null) {
                closer.join(CLOSE_WAIT_MILLIS);
            }
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    private @Nullable Thread start(Runnable work) {
        try {
            Thread thread = DaemonThreads.create("flexpool-server-view-" + pool.name(), work);
            thread.start();
            return thread;
        } catch (OutOfMemoryError noThread) {
            return null;
        }
    }

    /** A connect in progress, which another thread may abandon. At most one at a time. Thread-safe. */
    private static final class Connect {
        /** Also locked during the interrupt, so that the interrupt cannot reach later work of the thread. */
        private final ReentrantLock lock = new ReentrantLock();

        /** The connecting thread; null without a connect, or after it was abandoned. Guarded by the lock. */
        private @Nullable Thread thread;

        void begin() {
            lock.lock();
            try {
                thread = Thread.currentThread();
            } finally {
                lock.unlock();
            }
        }

        /**
         * Ends the connect, on its thread.
         *
         * @return false if the connect was abandoned; then the interrupt is cleared
         */
        boolean end() {
            lock.lock();
            try {
                boolean wanted = thread != null;
                thread = null;
                if (!wanted) {
                    Thread.interrupted();
                }
                return wanted;
            } finally {
                lock.unlock();
            }
        }

        /** Abandons the connect in progress. Returns false without one. */
        boolean giveUp() {
            lock.lock();
            try {
                Thread connecting = thread;
                thread = null;
                if (connecting != null) {
                    connecting.interrupt();
                }
                return connecting != null;
            } finally {
                lock.unlock();
            }
        }
    }
}
