// SPDX-License-Identifier: Apache-2.0
package io.flexpool.internal.server;

import io.flexpool.adapter.PoolAdapter;
import io.flexpool.internal.shared.DaemonThreads;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * flexpool's own connection for looks at the server: opened past the pool with the first need, and used by one thread at a
 * time. Closing it never blocks the caller for long, for a server that does not answer does not let a connection be closed
 * either. Thread-safe.
 */
final class OwnConnection {
    /** How long a pool's close waits for the close of this connection at most. */
    private static final long CLOSE_WAIT_MILLIS = 200;

    private final String pool;
    private final PoolAdapter adapter;
    private final AtomicReference<@Nullable Connection> open = new AtomicReference<>();
    private volatile boolean closed;

    OwnConnection(String pool, PoolAdapter adapter) {
        this.pool = pool;
        this.adapter = adapter;
    }

    boolean isOpen() {
        return open.get() != null;
    }

    /**
     * The connection, in autocommit mode; opened if there is none and it may be.
     *
     * @return null if there is none; then it may not be opened, or the pool does not give what is needed
     */
    @Nullable
    Connection get(boolean mayConnect) throws SQLException {
        Connection known = open.get();
        if (known != null && !known.isClosed()) {
            return known;
        }
        drop();
        Connection made = mayConnect && !closed ? adapter.connect() : null;
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

    /** Closes the connection on the calling thread, if there is one. */
    void drop() {
        Connection known = open.getAndSet(null);
        if (known != null) {
            close(known);
        }
    }

    private static void close(Connection connection) {
        try {
            connection.close();
        } catch (SQLException | RuntimeException broken) {
            abort(connection);
        }
    }

    private static void abort(Connection connection) {
        try {
            connection.abort(Runnable::run);
        } catch (SQLException | RuntimeException | AbstractMethodError gone) {
            // Nothing is left to be done with it.
        }
    }

    /** Breaks the connection that a look hangs on, on a thread of its own. */
    void breakOff() {
        Connection known = open.getAndSet(null);
        if (known != null) {
            start(() -> abort(known));
        }
    }

    /**
     * Closes it for good, within a moment.
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
            Thread thread = DaemonThreads.create("flexpool-server-view-" + pool, work);
            thread.start();
            return thread;
        } catch (OutOfMemoryError noThread) {
            return null;
        }
    }
}
