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
 * The admission of a pool that takes part in JTA transactions, around that which it would have without them. A request whose
 * transaction has a connection of this pool already joins that one's lease, and is not admitted: it takes no permit, is no
 * nested request, and is not counted as an acquisition, for it takes nothing out of the pool.
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

    /** Around an admission, of a pool whose connections transactions keep; else that admission. */
    static Admission around(
            PoolContext context, LeaseTracker leases, LeaseNotices notices, Admission each, ConnectionSource source) {
        TransactionLeases transactions = TransactionLeases.of(context, leases);
        return transactions == null ? each : new Transactional(context, leases, notices, each, transactions, source);
    }

    @Override
    @Nullable
    Slot tryEnter(long nowNanos) {
        return transactions.here() == null ? each.tryEnter(nowNanos) : null;
    }

    @Override
    @Nullable
    Connection join(ConnectionRequest request, long requestedNanos) throws SQLException {
        return state.closed() ? null : transactions.further(() -> source.open(request));
    }

    /** Another thread of the same transaction may have been faster to take the connection out: then its lease is joined. */
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
            giveBack(slot, acquiredNanos);
            return joined;
        }
        TransactionLeases.Joined kept = transactions.lease(owner, slot, acquiredNanos);
        LeasedConnection lease = each.lend(slot, target, kept, requestedNanos, attemptNanos, attempts, acquiredNanos);
        kept.keep(target);
        return lease;
    }

    /** This request has taken nothing. */
    private void giveBack(Slot slot, long nowNanos) {
        leaveOrAbandon(slot, nowNanos);
        if (requests != null) {
            requests.add(-1);
        }
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
    Waiter join(Gate gate, long requestedNanos, int requestClass, long expiresNanos, long answerNanos) {
        return each.join(gate, requestedNanos, requestClass, expiresNanos, answerNanos);
    }

    @Override
    Slot granted(int requestClass) {
        return each.granted(requestClass);
    }

    @Override
    void giveBack(long nowNanos, int requestClass) {
        each.giveBack(nowNanos, requestClass);
    }
}
