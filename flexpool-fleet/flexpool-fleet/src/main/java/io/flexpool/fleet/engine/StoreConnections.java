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
 * Connections to the pool's database for the store's transactions: from the pool itself where it has one idle or has room for
 * one, or the next that comes back to it; a transaction takes some milliseconds. If none comes back within a second, it is opened
 * past the pool, which leaves room for the following ones. The first is opened all the same, because a member that does not
 * renew would be forgotten with all that it has: that is what the reserve is for. Thread-safe.
 */
final class StoreConnections implements Connections {
    /** Another thread may be faster by a moment. */
    private static final long PATIENCE_NANOS = 250_000_000;

    /** For a lease to end. */
    private static final long LEASE_NANOS = 1_000_000_000;
    /** The same of a pool that has no timeout for one call. */
    private static final int TRIES = 50;

    private static final long TRY_NANOS = 20_000_000;

    private final PartContext context;
    private final PoolLimit limit;
    /** Those that have a connection past the pool. */
    private final Set<Thread> past = ConcurrentHashMap.newKeySet();
    /** Whether the store ever asked for one. */
    private volatile boolean used;
    /** For the last transaction, after the pool's close. */
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
                    // Leases are long: then a connection past the pool is needed.
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

    /** Waits for room, and does without if there is none. */
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

    /** The calling thread's transaction is over, and its connection is closed. */
    void ended() {
        if (past.remove(Thread.currentThread())) {
            context.ownEnds();
        }
    }

    /** Opens one for the last transaction, while the pool still shows how. */
    void beforeClose() {
        try {
            if (used) {
                PoolAdapter adapter = context.adapter();
                PoolSnapshot now = adapter.snapshot();
                if (now.idle() > 0 && now.total() >= limit.cap()) {
                    // It takes the place of an idle one.
                    adapter.trim(Math.max(1, now.total() - 1));
                }
                last.set(adapter.connect());
            }
        } catch (SQLException | RuntimeException unreachable) {
            // Then the store does not learn of it, and waits until the lease has ended.
            used = false;
        }
    }

    /** Closes what was not used. */
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
