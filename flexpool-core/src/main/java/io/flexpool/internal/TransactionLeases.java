// SPDX-License-Identifier: Apache-2.0
package io.flexpool.internal;

import io.flexpool.adapter.Capability;
import io.flexpool.adapter.PoolTransactions;
import io.flexpool.internal.AcquiringPool.ConnectionRequest;
import io.flexpool.internal.context.PoolContext;
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
 * The leases of a pool that takes part in JTA transactions: one physical connection serves all requests of a transaction,
 * and is in use until the transaction ends. So a request whose transaction has a connection of this pool already joins that
 * one's lease: it takes no permit, is no nested request, and is not counted as an acquisition, for it takes nothing out
 * of the pool. The lease ends when the pool takes the connection back.
 *
 * <p>Only a pool with {@link io.flexpool.adapter.Capability#TRANSACTIONS} has this.
 */
final class TransactionLeases {
    private final PoolContext context;
    private final PoolTransactions transactions;
    private final AcquiringPool pool;
    private final LeaseTracker leases;
    /** By the physical connection. */
    private final ConcurrentMap<Object, Joined> out = new ConcurrentHashMap<>();

    private TransactionLeases(
            PoolContext context, PoolTransactions transactions, AcquiringPool pool, LeaseTracker leases) {
        this.context = context;
        this.transactions = transactions;
        this.pool = pool;
        this.leases = leases;
    }

    /** Of a pool whose connections transactions keep; null of any other. */
    static @Nullable TransactionLeases of(PoolContext context, AcquiringPool pool, LeaseTracker leases) {
        boolean keeps = context.adapter().capabilities().contains(Capability.TRANSACTIONS);
        PoolTransactions transactions = keeps ? context.adapter().transactions() : null;
        return transactions == null ? null : new TransactionLeases(context, transactions, pool, leases);
    }

    // ---- on the way of each call ----

    /**
     * A further handle on the connection that the calling thread's transaction has already.
     *
     * @return null if it has none, and the request needs a permit
     * @throws SQLException as the pool throws it: what strategies could do would not help
     */
    @Nullable
    Connection further(@Nullable ConnectionRequest who, long requestedNanos) throws SQLException {
        Object connection = ask(transactions::kept);
        Joined lease = connection == null ? null : out.get(connection);
        if (connection == null || lease == null || context.admission().closed() || !lease.hold(1)) {
            return null;
        }
        Connection handle = null;
        Connection joined = null;
        try {
            handle = pool.open(who);
            if (connection.equals(behind(handle))) {
                joined = lease.handle(handle);
            }
        } catch (Throwable failure) {
            pool.requested();
            throw pool.slowly(who, requestedNanos, 0).refusedFurther(failure);
        } finally {
            if (joined == null) {
                // Also if the transaction was rolled back meanwhile, and this is another connection.
                try {
                    close(handle);
                } finally {
                    lease.drop(1);
                }
            }
        }
        return joined;
    }

    /**
     * Joins the lease of a connection that the pool has just given for a permit, if another thread of the same transaction
     * was faster to take it out. Then the permit goes back, for this request has taken nothing.
     *
     * @param taken the slot of the request, if it has one, which goes back too
     * @param ofClass the class of the permit
     * @return null if it has just been taken out
     */
    @Nullable
    Connection join(Connection handle, @Nullable Slot taken, int ofClass) {
        Object connection = out.isEmpty() ? null : behind(handle);
        Joined lease = connection == null ? null : out.get(connection);
        if (lease == null
                || lease.transaction == null
                || !lease.transaction.equals(ask(transactions::current))
                || !lease.hold(1)) {
            return null;
        }
        Connection joined = null;
        try {
            joined = lease.handle(handle);
        } finally {
            if (joined == null) {
                lease.drop(1);
            }
        }
        try {
            pool.undo(taken, ofClass, null, null);
        } catch (Throwable noRoom) {
            pool.owed.permits[ofClass]++;
            if (taken != null) {
                taken.leftOver = Slot.ABANDONED;
            }
        }
        if (context.requests() != null) {
            context.requests().add(-1);
        }
        return joined;
    }

    /** A lease that ends with its handle; to be {@linkplain Joined#keep kept} once it has been counted. */
    Joined lease(long acquiredNanos) {
        return new Joined(acquiredNanos, ask(transactions::current));
    }

    private @Nullable Object behind(Connection handle) {
        return ask(() -> transactions.behind(handle));
    }

    private @Nullable Object ask(Callable<@Nullable Object> question) {
        return context.listeners().ask("the adapter's transactions", question, null);
    }

    private void close(@Nullable Connection handle) {
        if (handle != null) {
            try {
                handle.close();
            } catch (Throwable thrown) {
                context.listeners().failed("the pool's close", thrown);
            }
        }
    }

    /**
     * One time of a connection out of the pool. It is held by its handles, and by the transaction that keeps it, and ends
     * with the last of them, or when the pool takes the connection back, whichever comes first.
     */
    final class Joined implements LeaseOwner, PoolTransactions.Kept {
        private static final int OVER = 0;
        /** Above all numbers of handles. */
        private static final int KEPT = 1 << 30;

        private final long acquiredNanos;
        private final @Nullable Object transaction;
        /** How many handles are open, and {@link #KEPT}. */
        private final AtomicInteger holds = new AtomicInteger(1);
        /** In the table of open leases. Set before the lease can end: here, or by the handle that ends it. */
        private volatile int place;

        private volatile @Nullable Object connection;
        private volatile @Nullable LeasedConnection newest;
        private volatile boolean reclaimed;
        /** While it is {@linkplain ClaimSweep.Owed#joined owed}, what was so before it. */
        @Nullable
        Joined owedBefore;

        Joined(long acquiredNanos, @Nullable Object transaction) {
            this.acquiredNanos = acquiredNanos;
            this.transaction = transaction;
        }

        /** From now on the lease ends when the connection comes back, if a transaction may keep that. */
        void keep(Connection handle, int placeInTable) {
            place = placeInTable;
            Object behind = behind(handle);
            if (behind == null || !hold(KEPT)) {
                return;
            }
            try {
                connection = behind;
                Joined before = out.put(behind, this);
                if (before != null) {
                    // It was lent again before its return was reported.
                    before.returned();
                }
                transactions.watch(behind, this);
            } catch (Throwable thrown) {
                released();
                context.listeners().failed("the adapter's transactions", thrown);
            }
        }

        LeasedConnection handle(Connection target) {
            LeasedConnection further = leases.further(place, target, this, acquiredNanos);
            newest = further;
            return further;
        }

        /** Another handle, or {@link #KEPT}; false if the lease is over. */
        private boolean hold(int how) {
            return holds.getAndUpdate(seen -> seen == OVER ? OVER : seen + how) != OVER;
        }

        /** Throws only if it has not begun: then the hold is still held. */
        private void drop(int how) {
            int seen = holds.getAndUpdate(held -> held < how ? held : held - how);
            if (seen == how) {
                endOrOwe();
            }
        }

        @Override
        public void returned() {
            if (holds.getAndSet(OVER) != OVER) {
                endOrOwe();
            }
        }

        private void endOrOwe() {
            try {
                end();
            } catch (Throwable notBegun) {
                owedBefore = pool.owed.joined;
                pool.owed.joined = this;
            }
        }

        @Override
        public void released() {
            drop(KEPT);
        }

        /** Throws only if the pool has not begun with it: the last step. */
        void end() {
            Object behind = connection;
            if (behind != null) {
                out.remove(behind, this);
            }
            newest = null;
            pool.ended(acquiredNanos, place, reclaimed);
        }

        // ---- what its handles report ----

        @Override
        public void ended(long nanos, int placeInTable, boolean takenAway) {
            place = placeInTable;
            if (takenAway) {
                reclaimed = true;
            }
            drop(1);
        }

        /** The first handle is closed, or was taken away: a later one keeps the connection as well. */
        @Override
        public void reclaimFurther() throws SQLException {
            LeasedConnection further = newest;
            if (further != null) {
                newest = null;
                further.reclaim();
            }
        }

        /** Once the lease is over the place is another one's, and a handle that is still open has nothing to report. */
        @Override
        public void entered(int placeInTable, @Nullable String sql) {
            if (holds.get() != OVER) {
                pool.entered(placeInTable, sql);
            }
        }

        @Override
        public void left(int placeInTable) {
            if (holds.get() != OVER) {
                pool.left(placeInTable);
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
