// SPDX-License-Identifier: Apache-2.0
package io.flexpool.fleet.engine;

import io.flexpool.adapter.PoolAdapter;
import io.flexpool.adapter.PoolAdapter.Capability;
import io.flexpool.fleet.ConnectionBudgetProvider.Connections;
import io.flexpool.pool.PoolSnapshot;
import io.flexpool.spi.PartContext;
import io.flexpool.spi.PartContext.PoolLimit;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Provides connections to the pool's database for the store's transactions of some milliseconds. Takes a pooled
 * connection if one is idle, the pool is not full, or one is returned within a second. Otherwise opens a connection
 * outside the pool, which then reduces its limit for the next ones. The first such connection is opened even above the
 * limit, because a member that does not renew would be removed: the fleet's reserve covers it. Thread-safe.
 */
final class StoreConnections implements Connections {
    /** The wait for an idle connection, because another thread may be faster. */
    private static final long PATIENCE_NANOS = 250_000_000;

    /** The longest wait for the end of a lease. */
    private static final long LEASE_NANOS = 1_000_000_000;
    /** The number of tries in a pool without a timeout per call. */
    private static final int TRIES = 50;

    private static final long TRY_NANOS = 20_000_000;

    private final PartContext context;
    private final PoolLimit limit;
    /** The threads with a connection outside the pool. */
    private final Set<Thread> past = ConcurrentHashMap.newKeySet();
    /** Whether the store has ever requested a connection. */
    private volatile boolean used;
    /** The connection for the last transaction, after the pool's close. */
    private final AtomicReference<@Nullable Connection> last = new AtomicReference<>();

    StoreConnections(PartContext context, PoolLimit limit) {
        this.context = context;
        this.limit = limit;
    }

    @Override
    public Connection get() throws SQLException {
        used = true;
        Connection kept = last.getAndSet(null);
        if (kept != null) {
            return kept;
        }
        PoolAdapter adapter = context.adapter();
        PoolSnapshot now = adapter.snapshot();
        boolean opens = now.total() == PoolSnapshot.UNKNOWN || now.total() < limit.now();
        if (limit.waiting() == 0 && (now.idle() > 0 || opens)) {
            return adapter.capabilities().contains(Capability.PER_CALL_TIMEOUT)
                    ? adapter.connection(PATIENCE_NANOS)
                    : context.dataSource().getConnection();
        }
        boolean waits = adapter.capabilities().contains(Capability.PER_CALL_TIMEOUT);
        if (!limit.ownBegins(false)) {
            if (waits) {
                try {
                    return adapter.connection(LEASE_NANOS);
                } catch (SQLException noneCameBack) {
                    // No lease ended in time, so a connection outside the pool is needed.
                }
            }
            begins(waits ? 1 : TRIES);
        }
        past.add(Thread.currentThread());
        Connection other = adapter.connect();
        if (other == null) {
            throw new SQLTransientConnectionException(
                    "all connections of the pool are in use, and the pool cannot open one for the fleet store");
        }
        return other;
    }

    /** Waits until the pool has lowered its limit; continues anyway after the last try. */
    private void begins(int tries) throws SQLException {
        for (int at = 0; at < tries; at++) {
            if (context.ownBegins()) {
                return;
            }
            LockSupport.parkNanos(this, TRY_NANOS);
            if (Thread.currentThread().isInterrupted()) {
                throw new SQLTransientConnectionException("interrupted", new InterruptedException());
            }
        }
        limit.ownBeginsAnyway();
    }

    /** Called when the calling thread's transaction is over, and its connection is closed. */
    void ended() {
        if (past.remove(Thread.currentThread())) {
            context.ownEnds();
        }
    }

    /** Opens a connection for the last transaction, while the pool still supplies its credentials. */
    void beforeClose() {
        try {
            if (used) {
                PoolAdapter adapter = context.adapter();
                PoolSnapshot now = adapter.snapshot();
                if (now.idle() > 0 && now.total() >= limit.cap()) {
                    // Closes an idle connection, which the new one replaces.
                    adapter.trim(Math.max(1, now.total() - 1));
                }
                last.set(adapter.connect());
            }
        } catch (SQLException | RuntimeException unreachable) {
            // Without this connection the last transaction is skipped: the store waits until the grant has ended.
            used = false;
        }
    }

    /** Closes an unused connection. */
    void close() {
        Connection unused = last.getAndSet(null);
        if (unused != null) {
            try {
                unused.close();
            } catch (SQLException | RuntimeException gone) {
                used = false;
            }
        }
    }
}
