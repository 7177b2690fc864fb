// SPDX-License-Identifier: Apache-2.0
package io.flexpool.adapter.atomikos;

import com.atomikos.datasource.pool.XPooledConnection;
import com.atomikos.datasource.pool.XPooledConnectionEventListener;
import com.atomikos.icatch.CompositeTransaction;
import com.atomikos.icatch.CompositeTransactionManager;
import com.atomikos.icatch.config.Configuration;
import io.flexpool.adapter.PoolTransactions;
import java.sql.Connection;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.WeakHashMap;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * What Atomikos' transactions do with the connections of a bean. A transaction has a connection from its first statement
 * on, also one that was lent before the transaction began; so while the transaction service runs each lease ends as the
 * pool says, which tells of every connection that has come back.
 *
 * <p>Another request of the transaction gets the same connection only if the pool says that it can be recycled: that of
 * the bean for XA not before the last handle is closed.
 */
final class AtomikosTransactions implements PoolTransactions {
    private final Insides insides;
    /** One for each connection of the pool, as long as that is. */
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
    public @Nullable Object kept() {
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
    public @Nullable Object behind(Connection handle) {
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
    public void watch(Object connection, Kept lease) {
        XPooledConnection<?> pooled = (XPooledConnection<?>) connection;
        Return known = returns.get(pooled);
        if (known == null) {
            // Nobody else has the connection now, and Atomikos' list of listeners is not made for several writers.
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

    /** Hears when a connection has come back; a little after others may have it, so that this may be told too late. */
    private final class Return implements XPooledConnectionEventListener<Connection> {
        private final AtomicReference<@Nullable Kept> lease = new AtomicReference<>();

        @Override
        public void onXPooledConnectionTerminated(XPooledConnection<Connection> pooled) {
            // In this order: if it is available now, what was lent before has ended.
            Kept last = lease.get();
            if (last != null && (pooled.isAvailable() || !open().contains(pooled))) {
                lease.compareAndSet(last, null);
                last.returned();
            }
        }
    }
}
