// SPDX-License-Identifier: Apache-2.0
package io.flexpool.internal.fleet;

import io.flexpool.adapter.Capability;
import io.flexpool.adapter.PoolAdapter;
import io.flexpool.fleet.ConnectionBudgetProvider.Connections;
import io.flexpool.internal.context.PoolContext;
import io.flexpool.internal.gate.Gate;
import io.flexpool.pool.PoolSnapshot;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * Connections to the pool's database for the store's transactions: from the pool itself where it has one idle or has room for
 * one, else opened past it for a moment, which is what the reserve is for. No lease is waited for, and none is taken from a
 * request that waits. Thread-safe.
 */
final class StoreConnections implements Connections {
    /** Another thread may be faster by a moment. */
    private static final long PATIENCE_NANOS = 250_000_000;

    private final PoolContext context;
    private final Gate gate;
    /** Whether the store ever asked for one. */
    private volatile boolean used;
    /** For the last transaction, after the pool's close. */
    private final AtomicReference<@Nullable Connection> last = new AtomicReference<>();

    StoreConnections(PoolContext context, Gate gate) {
        this.context = context;
        this.gate = gate;
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
        boolean opens = now.total() == PoolSnapshot.UNKNOWN || now.total() < gate.limit();
        if (gate.waitingCount() == 0 && (now.idle() > 0 || opens)) {
            return adapter.capabilities().contains(Capability.PER_CALL_TIMEOUT)
                    ? adapter.connection(PATIENCE_NANOS)
                    : context.config().target().getConnection();
        }
        Connection past = adapter.connect();
        if (past == null) {
            throw new SQLTransientConnectionException("all connections of the pool are in use, and it opens no other");
        }
        return past;
    }

    /** Opens one for the last transaction, while the pool still shows how. */
    void beforeClose() {
        try {
            if (used) {
                last.set(context.adapter().connect());
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
