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
 * flexpool's own connection for looks at the server: opened past the pool with the first look, and used by one thread at a
 * time. Closing it never blocks the caller for long, because a server that does not answer does not let a connection be
 * closed either.
 *
 * <p>A connect that hangs is given up: its thread is interrupted, which ends it where the driver waits for a thread of its
 * own, and the connection is closed if it is made after all. Thread-safe.
 */
final class OwnConnection {
    /** How long a pool's close waits for the close of this connection at most. */
    private static final long CLOSE_WAIT_MILLIS = 200;

    private final PartContext pool;
    private final AtomicReference<@Nullable Connection> open = new AtomicReference<>();
    private final Connect connect = new Connect();
    private volatile boolean closed;
    /** Whether there was no room for it when it was needed last. */
    private volatile boolean noRoom;

    /** Counted as one of the pool's while it is open. */
    OwnConnection(PartContext pool) {
        this.pool = pool;
    }

    boolean noRoom() {
        return noRoom;
    }

    boolean isOpen() {
        return open.get() != null;
    }

    /**
     * The connection, in autocommit mode; opened if there is none and it may be.
     *
     * @return null if there is none; then it may not be opened, or the pool does not give what is needed
     * @throws SQLTimeoutException if the connect was given up
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
            // The pool was closed meanwhile, and found nothing to close.
            drop();
            return null;
        }
        if (!made.getAutoCommit()) {
            made.setAutoCommit(true);
        }
        return made;
    }

    private @Nullable Connection connect() throws SQLException {
        noRoom = !pool.ownBegins();
        if (noRoom) {
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
            // Nothing is left to be done with it.
        } finally {
            pool.ownEnds();
        }
    }

    /**
     * Breaks the connection that a look hangs on, on a thread of its own, or gives up the connect that hangs.
     *
     * @return whether it was a connect
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
     * Closes it for good, within a moment. A connection that is being made is closed when it is there.
     *
     * @param inUse whether a look may be using it: then it is aborted, for a close might wait for the look
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

    /** The connect that is being made, which another thread may give up. At most one at a time. Thread-safe. */
    private static final class Connect {
        /** Also held while the thread is interrupted, so that the interrupt does not reach what the thread does next. */
        private final ReentrantLock lock = new ReentrantLock();

        /** The thread that connects; null if none does, or if it was given up. Guarded by the lock. */
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
         * Ends it on the thread that began it.
         *
         * @return false if it was given up; then the thread is no longer interrupted
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

        /** Gives it up, if one is being made. */
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
