// SPDX-License-Identifier: Apache-2.0
package io.flexpool.internal.pool;

import io.flexpool.adapter.PoolAdapter.PoolTransactions;
import io.flexpool.internal.context.PoolContext;
import io.flexpool.internal.event.ListenerGuard;
import io.flexpool.internal.jdbc.LeaseOwner;
import io.flexpool.internal.jdbc.LeasedConnection;
import io.flexpool.internal.lease.LeaseTracker;
import io.flexpool.internal.lease.Slot;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * The leases of a pool that takes part in JTA transactions: one physical connection serves all requests of a
 * transaction, and is in use until the transaction ends. The lease ends when the connection returns to the pool.
 *
 * <p>Only for a pool with {@link io.flexpool.adapter.PoolAdapter.Capability#TRANSACTIONS}; see {@link Transactional}.
 */
final class TransactionLeases {
    private final ListenerGuard listeners;
    private final PoolTransactions transactions;
    private final LeaseTracker leases;
    /** The open leases, by the physical connection. */
    private final ConcurrentMap<Object, SharedLease> byConnection = new ConcurrentHashMap<>();

    private TransactionLeases(ListenerGuard listeners, PoolTransactions transactions, LeaseTracker leases) {
        this.listeners = listeners;
        this.transactions = transactions;
        this.leases = leases;
    }

    /** For a pool with an adapter that has transactions; null if transactions keep none of its connections. */
    static @Nullable TransactionLeases of(PoolContext context, LeaseTracker leases) {
        PoolTransactions transactions = context.adapter().transactions();
        return transactions == null ? null : new TransactionLeases(context.listeners(), transactions, leases);
    }

    // ---- on the path of each call ----

    /** The lease of the calling thread's transaction; null if it has none. */
    @Nullable
    SharedLease current() {
        Object connection = byConnection.isEmpty() ? null : call(transactions::enlistedConnection);
        return connection == null ? null : byConnection.get(connection);
    }

    /** A {@linkplain Admission#transactionHandle further handle}; null if the request needs a permit. */
    @Nullable
    LeasedConnection transactionHandle(ConnectionSource source, ConnectionRequest request) throws SQLException {
        SharedLease lease = current();
        if (lease == null || !lease.hold(1)) {
            return null;
        }
        Connection handle = null;
        LeasedConnection joined = null;
        try {
            handle = source.open(request);
            if (lease.isOf(physicalConnection(handle))) {
                joined = lease.handle(handle);
            }
            return joined;
        } finally {
            if (joined == null) {
                // Also if this is another connection, because the transaction was rolled back meanwhile.
                try {
                    close(handle);
                } finally {
                    lease.drop(1);
                }
            }
        }
    }

    /**
     * Joins the lease of a connection that the pool has just given for a permit, if another thread of the same
     * transaction has leased it first.
     *
     * @return null if no other thread has leased it
     */
    @Nullable
    LeasedConnection join(Connection handle) {
        Object connection = byConnection.isEmpty() ? null : physicalConnection(handle);
        SharedLease lease = connection == null ? null : byConnection.get(connection);
        if (lease == null
                || lease.transaction == null
                || !lease.transaction.equals(call(transactions::current))
                || !lease.hold(1)) {
            return null;
        }
        LeasedConnection joined = null;
        try {
            joined = lease.handle(handle);
            return joined;
        } finally {
            if (joined == null) {
                lease.drop(1);
            }
        }
    }

    /** A lease that ends with its handle. Call {@link SharedLease#keep} once it has been counted. */
    SharedLease lease(LeaseOwner pool, Slot slot, long acquiredNanos) {
        return new SharedLease(pool, slot, acquiredNanos, call(transactions::current));
    }

    private @Nullable Object physicalConnection(Connection handle) {
        return call(() -> transactions.physicalConnection(handle));
    }

    private @Nullable Object call(Callable<@Nullable Object> call) {
        return listeners.ask("the adapter's transactions", call, null);
    }

    private void close(@Nullable Connection handle) {
        if (handle != null) {
            listeners.ask(
                    "the pool's close",
                    () -> {
                        handle.close();
                        return null;
                    },
                    null);
        }
    }

    /**
     * One lease of a physical connection. Its handles and its transaction keep it: it ends with the last of them, or
     * when the pool takes the connection back, whichever comes first.
     */
    final class SharedLease implements LeaseOwner, PoolTransactions.ReturnListener {
        private static final int OVER = 0;
        /** Larger than any number of handles. */
        private static final int KEPT = 1 << 30;

        private final LeaseOwner pool;
        private final Slot slot;
        private final long acquiredNanos;
        private final @Nullable Object transaction;
        /** The number of open handles, plus {@link #KEPT} while a transaction keeps the lease. */
        private final AtomicInteger holds = new AtomicInteger(1);

        private volatile @Nullable Object connection;
        private volatile boolean reclaimed;

        SharedLease(LeaseOwner pool, Slot slot, long acquiredNanos, @Nullable Object transaction) {
            this.pool = pool;
            this.slot = slot;
            this.acquiredNanos = acquiredNanos;
            this.transaction = transaction;
        }

        /** Whether this is the lease of the given physical connection. */
        private boolean isOf(@Nullable Object physical) {
            return physical != null && physical.equals(connection);
        }

        /** Lets the lease end when the connection returns to the pool, if a transaction may keep it. Never throws. */
        void keep(Connection handle) {
            // If the adapter throws, the lease ends with its handles.
            listeners.guard("the adapter's transactions", () -> keepUntilReturned(handle));
        }

        private void keepUntilReturned(Connection handle) {
            Object behind = physicalConnection(handle);
            if (behind == null || !hold(KEPT)) {
                return;
            }
            boolean registered = false;
            try {
                connection = behind;
                SharedLease before = byConnection.put(behind, this);
                if (before != null) {
                    // The connection was lent again before its return was reported.
                    before.returned();
                }
                transactions.onReturn(behind, this);
                registered = true;
            } finally {
                if (!registered) {
                    released();
                }
            }
        }

        LeasedConnection handle(Connection target) {
            return leases.transactionHandle(slot.place, target, this, acquiredNanos);
        }

        /** Adds one handle, or {@link #KEPT}; false if the lease is over. */
        private boolean hold(int how) {
            return holds.getAndUpdate(seen -> seen == OVER ? OVER : seen + how) != OVER;
        }

        private void drop(int how) {
            int seen = holds.getAndUpdate(held -> held < how ? held : held - how);
            if (seen == how) {
                endOrAbandon();
            }
        }

        @Override
        public void returned() {
            if (holds.getAndSet(OVER) != OVER) {
                endOrAbandon();
            }
        }

        private void endOrAbandon() {
            try {
                end();
            } catch (Throwable outOfStack) {
                slot.abandoned = true;
            }
        }

        @Override
        public void released() {
            drop(KEPT);
        }

        /** Throws only if the last step, the pool's, has not begun. */
        private void end() {
            Object behind = connection;
            if (behind != null) {
                byConnection.remove(behind, this);
            }
            pool.ended(acquiredNanos, slot.place, reclaimed);
        }

        // ---- reports of its handles ----

        @Override
        public void ended(long nanos, int placeInTable, boolean takenAway) {
            if (takenAway) {
                reclaimed = true;
            }
            drop(1);
        }

        @Override
        public boolean mayBeEnded() {
            return transaction == null;
        }

        /** Once the lease is over, another lease may have the place: a handle that is still open reports nothing. */
        @Override
        public void entered(int placeInTable, @Nullable String sql) {
            if (holds.get() != OVER) {
                pool.entered(placeInTable, sql);
            }
        }

        @Override
        public void left(int placeInTable, boolean statement) {
            if (holds.get() != OVER) {
                pool.left(placeInTable, statement);
            }
        }

        @Override
        public void abort(Connection target, Executor executor) throws SQLException {
            pool.abort(target, executor);
        }

        @Override
        public void discard(Connection target) throws SQLException {
            pool.discard(target);
        }
    }
}
