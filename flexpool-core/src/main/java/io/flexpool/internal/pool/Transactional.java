// SPDX-License-Identifier: Apache-2.0
package io.flexpool.internal.pool;

import io.flexpool.internal.context.PoolContext;
import io.flexpool.internal.gate.Gate;
import io.flexpool.internal.gate.Waiter;
import io.flexpool.internal.jdbc.LeaseOwner;
import io.flexpool.internal.jdbc.LeasedConnection;
import io.flexpool.internal.lease.LeaseTracker;
import io.flexpool.internal.lease.Slot;
import io.flexpool.internal.record.StripedCounter;
import java.sql.Connection;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/**
 * The admission of a pool that takes part in JTA transactions; wraps the admission that the pool would have without
 * them. A request whose transaction already has a connection of this pool shares that lease. It is not admitted: it
 * takes no permit, is not nested, and does not count as an acquisition, because it takes no connection out of the pool.
 */
final class Transactional extends Admission {
    private final Admission each;
    private final TransactionLeases transactions;
    private final ConnectionSource source;
    /** Null if requests are not counted. */
    private final @Nullable StripedCounter requests;

    Transactional(
            PoolContext context,
            LeaseTracker leases,
            LeaseNotices notices,
            Admission each,
            TransactionLeases transactions,
            ConnectionSource source) {
        super(context, leases, notices);
        this.each = each;
        this.transactions = transactions;
        this.source = source;
        this.requests = context.requests();
    }

    /** Wraps an admission if transactions keep the pool's connections; otherwise returns it unchanged. */
    static Admission around(
            PoolContext context, LeaseTracker leases, LeaseNotices notices, Admission each, ConnectionSource source) {
        TransactionLeases transactions = TransactionLeases.of(context, leases);
        return transactions == null ? each : new Transactional(context, leases, notices, each, transactions, source);
    }

    @Override
    @Nullable
    Slot tryEnter(long nowNanos) {
        return transactions.current() == null ? each.tryEnter(nowNanos) : null;
    }

    @Override
    @Nullable
    Connection transactionHandle(ConnectionRequest request) throws SQLException {
        return state.closed() ? null : transactions.transactionHandle(source, request);
    }

    /** If another thread of the same transaction was given the connection first, this request shares its lease. */
    @Override
    LeasedConnection lend(
            Slot slot,
            Connection target,
            LeaseOwner owner,
            long requestedNanos,
            long attemptNanos,
            int attempts,
            long acquiredNanos) {
        LeasedConnection joined = transactions.join(target);
        if (joined != null) {
            // The request shares a lease: it returns its slot, and is no longer counted.
            leaveOrAbandon(slot, acquiredNanos);
            if (requests != null) {
                requests.add(-1);
            }
            return joined;
        }
        TransactionLeases.SharedLease kept = transactions.lease(owner, slot, acquiredNanos);
        LeasedConnection lease = each.lend(slot, target, kept, requestedNanos, attemptNanos, attempts, acquiredNanos);
        kept.keep(target);
        return lease;
    }

    @Override
    void leave(Slot slot, long nowNanos, long heldNanos) {
        each.leave(slot, nowNanos, heldNanos);
    }

    @Override
    void requested() {
        each.requested();
    }

    @Override
    int requestClass() {
        return each.requestClass();
    }

    @Override
    @Nullable
    Slot enter(long nowNanos, int requestClass, boolean paused) {
        return each.enter(nowNanos, requestClass, paused);
    }

    @Override
    Waiter joinQueue(Gate gate, SlowRequest request) {
        return each.joinQueue(gate, request);
    }

    @Override
    Slot granted(int requestClass) {
        return each.granted(requestClass);
    }
}
