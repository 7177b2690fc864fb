// SPDX-License-Identifier: Apache-2.0
package io.flexpool.adapter.atomikos;

import com.atomikos.datasource.pool.XPooledConnection;
import com.atomikos.datasource.pool.XPooledConnectionEventListener;
import com.atomikos.icatch.CompositeTransaction;
import com.atomikos.icatch.CompositeTransactionManager;
import com.atomikos.icatch.config.Configuration;
import io.flexpool.adapter.PoolAdapter.PoolTransactions;
import java.sql.Connection;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.WeakHashMap;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * Supports JTA transactions of an Atomikos bean. From its first statement, a transaction keeps a connection, even one
 * leased earlier. So, while the transaction service runs, a lease ends when the pool reports the connection's return.
 *
 * <p>Another request of the transaction gets the same connection only if the pool can recycle it: an XA bean's
 * connection only after its last handle was closed.
 */
final class AtomikosTransactions implements PoolTransactions {
    private final Insides insides;
    /** One listener per connection of the pool, for the connection's lifetime. */
    private final Map<XPooledConnection<?>, Return> returns = Collections.synchronizedMap(new WeakHashMap<>());

    AtomikosTransactions(Insides insides) {
        this.insides = insides;
    }

    @Override
    public @Nullable Object current() {
        CompositeTransactionManager manager = Configuration.getCompositeTransactionManager();
        CompositeTransaction current = manager == null ? null : manager.getCompositeTransaction();
        return current == null ? null : current.getTid();
    }

    @Override
    public @Nullable Object enlistedConnection() {
        if (current() == null) {
            return null;
        }
        for (XPooledConnection<?> open : open()) {
            if (open.canBeRecycledForCallingThread()) {
                return open;
            }
        }
        return null;
    }

    @Override
    public @Nullable Object physicalConnection(Connection handle) {
        if (Configuration.getCompositeTransactionManager() == null) {
            return null;
        }
        for (XPooledConnection<?> open : open()) {
            if (Insides.handle(open) == handle) {
                return open;
            }
        }
        return null;
    }

    @Override
    public void onReturn(Object connection, ReturnListener lease) {
        XPooledConnection<?> pooled = (XPooledConnection<?>) connection;
        Return known = returns.get(pooled);
        if (known == null) {
            // The connection is exclusive now, and Atomikos' list of listeners does not support concurrent writers.
            known = new Return();
            returns.put(pooled, known);
            Insides.listen(pooled, known);
        }
        known.lease.set(lease);
    }

    private List<XPooledConnection<?>> open() {
        List<XPooledConnection<?>> open = insides.connections();
        return open == null ? List.of() : open;
    }

    /** Observes the return of a connection. Others may borrow it slightly earlier, so the event may be too late. */
    private final class Return implements XPooledConnectionEventListener<Connection> {
        private final AtomicReference<@Nullable ReturnListener> lease = new AtomicReference<>();

        @Override
        public void onXPooledConnectionTerminated(XPooledConnection<Connection> pooled) {
            // Reads the lease first: if the connection is available now, that lease has ended.
            ReturnListener last = lease.get();
            if (last != null && (pooled.isAvailable() || !open().contains(pooled))) {
                lease.compareAndSet(last, null);
                last.returned();
            }
        }
    }
}
