// SPDX-License-Identifier: Apache-2.0
package io.flexpool.internal.pool;

import io.flexpool.internal.gate.AdmissionState;
import io.flexpool.internal.jdbc.LeaseOwner;
import io.flexpool.internal.jdbc.LeasedConnection;
import io.flexpool.internal.jdbc.SessionObserver;
import io.flexpool.internal.lease.LeaseTable;
import io.flexpool.internal.lease.LeaseTracker;
import io.flexpool.internal.lease.Slot;
import io.flexpool.monitoring.LeaseObserver;
import io.flexpool.pool.Ticker;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/**
 * The path of one {@code getConnection()} … {@code close()}: {@link #acquire}, {@link #lend}, and {@link #ended} when
 * the connection returns. It reads the clock three times, allocates one wrapper, and takes no lock. A request that is
 * not answered at once, or fails, takes the {@link SlowPath}.
 *
 * <p>Any call may exhaust the stack or the memory. The claim is then marked as {@linkplain Slot#abandoned abandoned} by
 * one store, and the next tick {@linkplain #resume continues}. A pool that is only watched is not changed: requests
 * queue in it, and it throws as without flexpool. Thread-safe.
 */
public final class AcquiringPool implements LeaseOwner {
    private final Ticker ticker;
    private final AdmissionState state;
    private final Admission admission;
    private final ConnectionSource source;
    private final LeaseTracker leases;
    private final LeaseTable slots;
    private final LeaseNotices notices;
    private final ConnectionReturn returns;
    private final SlowPath slow;

    /** The path to a pool; {@code slow} has the collaborators of a request that is not answered at once. */
    AcquiringPool(LeaseTracker leases, LeaseNotices notices, ConnectionReturn returns, SlowPath slow) {
        this.ticker = slow.context().ticker();
        this.state = slow.context().admissionState();
        this.admission = slow.admission();
        this.source = slow.source();
        this.leases = leases;
        this.slots = leases.slots();
        this.notices = notices;
        this.returns = returns;
        this.slow = slow;
    }

    /** Sets the observer of every acquisition and release. */
    void observe(LeaseObserver guarded) {
        notices.observe(guarded);
        slow.watch().observe(guarded);
    }

    // ---- acquire ----

    /** {@code getConnection()}. */
    public Connection acquire() throws SQLException {
        return acquire(source.plain);
    }

    /** {@code getConnection(user, password)}. */
    public Connection acquire(@Nullable String user, @Nullable String password) throws SQLException {
        return acquire(pool -> pool.getConnection(user, password));
    }

    /** Acquires a connection by a given call of the pool. */
    Connection acquire(ConnectionRequest request) throws SQLException {
        long requestedNanos = ticker.nanos();
        Slot slot = admission.tryEnter(requestedNanos);
        if (slot == null) {
            return slow.acquire(this, request, requestedNanos);
        }
        Connection connection = null;
        try {
            connection = request.open(source.target);
            if (connection == null) {
                throw source.gaveNull();
            }
            if (slot == Slot.UNPLACED) {
                slot = admission.claim();
            }
            return lend(connection, slot, requestedNanos, requestedNanos, 1);
        } catch (Throwable failure) {
            // Here, where the slot was taken: a StackOverflowError may have prevented lend() from starting.
            try {
                undo(slot, connection, failure);
            } catch (Throwable outOfStack) {
                slot.abandoned = true;
            }
            return slow.acquireAfter(failure, connection != null, this, request, requestedNanos);
        }
    }

    /**
     * The steps between the pool's answer and the return to the application. If it throws, nothing has been lent: the
     * caller still has connection and slot, and {@linkplain #undo gives them back}.
     *
     * @param attemptNanos when the attempt entered the pool that gave the connection; the request's time if admitted at
     *     once
     */
    LeasedConnection lend(Connection connection, Slot slot, long requestedNanos, long attemptNanos, int attempts)
            throws SQLException {
        long acquiredNanos = ticker.nanos();
        if (!state.ordinary()) {
            slow.unusual();
        }
        return admission.lend(slot, connection, this, requestedNanos, attemptNanos, attempts, acquiredNanos);
    }

    /**
     * Gives back the claims of an attempt that did not become a lease. If it throws, the slot is still the caller's.
     *
     * @param connection null if the pool gave none
     * @param why the exception of the attempt, to which a failure of the close is added; null without one
     */
    void undo(Slot slot, @Nullable Connection connection, @Nullable Throwable why) {
        if (slot != Slot.UNPLACED) {
            slot.withdraw();
        }
        ConnectionReturn.unused(connection, why);
        if (slot != Slot.UNPLACED) {
            admission.leave(slot, ticker.nanos(), Long.MAX_VALUE);
        }
    }

    // ---- the end of a lease ----

    /** Throws only if nothing has changed: then the caller reports the connection again. */
    @Override
    public void ended(long acquiredNanos, int place, boolean reclaimed) {
        finish(slots.at(place), acquiredNanos, ticker.nanos(), reclaimed);
    }

    /** Ends a lease, or continues to end it. Never throws once it has begun: the tick does the rest. */
    private void finish(Slot slot, long acquiredNanos, long nowNanos, boolean reclaimed) {
        boolean left = false;
        try {
            long heldNanos = nowNanos - acquiredNanos;
            slot.endedNanos = nowNanos;
            Runnable resolved = slot.reports ? leases.ending(slot, heldNanos, reclaimed) : null;
            admission.leave(slot, nowNanos, heldNanos);
            // From here on another request may have the slot.
            left = true;
            if (heldNanos > notices.releasedAfterNanos) {
                notices.released(acquiredNanos, nowNanos);
            }
            if (resolved != null) {
                notices.resolved(resolved);
            }
        } catch (Throwable outOfStack) {
            if (!left) {
                slot.abandoned = true;
            }
        }
    }

    /** Ends the lease of an abandoned slot, if one began, and gives the slot back. The caller has taken the slot. */
    void resume(Slot slot, long nowNanos) {
        if (slot.step < Slot.COUNTED) {
            finish(slot, slot.acquiredNanos(), slot.endedNanos(nowNanos), false);
        } else {
            admission.leaveOrAbandon(slot, nowNanos);
        }
    }

    @Override
    public void entered(int place, @Nullable String sql) {
        leases.entered(place, sql);
    }

    @Override
    public void left(int place, boolean statement) {
        leases.left(place, statement);
    }

    @Override
    public void abort(Connection connection, Executor executor) throws SQLException {
        returns.abort(connection, executor);
    }

    @Override
    public void takeBack(Connection connection, boolean discarded) throws SQLException {
        returns.takeBack(connection, discarded);
    }

    @Override
    public void failed(LeasedConnection lease, Connection connection, SQLException thrown) {
        returns.failed(lease, connection, thrown);
    }

    @Override
    public SessionObserver sessions() {
        return returns;
    }

    @Override
    public void discard(Connection connection) throws SQLException {
        returns.discard(connection);
    }
}
