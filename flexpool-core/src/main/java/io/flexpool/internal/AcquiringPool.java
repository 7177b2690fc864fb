// SPDX-License-Identifier: Apache-2.0
package io.flexpool.internal;

import io.flexpool.internal.config.CoreKey;
import io.flexpool.internal.context.PoolContext;
import io.flexpool.internal.context.RequestClasses;
import io.flexpool.internal.event.Events;
import io.flexpool.internal.failure.FailureHandler;
import io.flexpool.internal.gate.AdmissionState;
import io.flexpool.internal.gate.Gate;
import io.flexpool.internal.gate.ParkedPermits;
import io.flexpool.internal.jdbc.LeaseOwner;
import io.flexpool.internal.jdbc.LeasedConnection;
import io.flexpool.internal.lease.LeaseTable;
import io.flexpool.internal.lease.LeaseTracker;
import io.flexpool.internal.lease.NestedAcquisitions;
import io.flexpool.internal.lease.Slot;
import io.flexpool.internal.lifecycle.StaleWriter;
import io.flexpool.internal.record.StripedCounter;
import io.flexpool.monitoring.LeaseObserver;
import io.flexpool.pool.AcquisitionOutcome;
import io.flexpool.pool.Ticker;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Executor;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * The direct path of one {@code getConnection()} … {@code close()}: {@link #acquire}, {@link #handOver}, and {@link #ended} when
 * the connection comes back. It reads the clock three times, allocates one wrapper, and takes no lock. A request that is not
 * answered at once, or fails, becomes a {@link SlowAcquisition}.
 *
 * <p>A pool that is only watched has no gate and is not changed: it queues and throws as without flexpool. Thread-safe.
 */
public final class AcquiringPool implements LeaseOwner {
    private final PoolContext context;
    private final DataSource target;
    private final Ticker ticker;
    private final AdmissionState admission;
    private final @Nullable Gate gate;
    /** Null if there is one class for all requests. */
    private final @Nullable RequestClasses classes;

    private final @Nullable StripedCounter requests;
    private final LeaseTracker leases;
    private final LeaseTable slots;
    private final NestedAcquisitions nesting;
    /** Of a pool whose connections transactions keep; null of any other. */
    private final @Nullable TransactionLeases joined;

    private final SlowAcquisition.Parts slow;
    private final long slowNanos;
    private final long longLeaseNanos;
    /** Whether the configured acquisition timeout differs from the pool's and can be passed with each call. */
    private final boolean ownTimeout;

    /** Claims that could not be released yet, for lack of stack or memory. */
    final ClaimSweep.Owed owed;

    /** Not final, for it acts on the complete pool; set before that is returned. Null if it is off. */
    private @Nullable StaleWriter stale;

    /** Not final, because backends are bound to a complete pool; set before it is returned. Null if none observes. */
    private @Nullable LeaseObserver observer;

    /** The path to a pool; {@code slow} has the collaborators of a request that is not answered at once. */
    AcquiringPool(PoolContext context, LeaseTracker leases, NestedAcquisitions nesting, SlowAcquisition.Parts slow) {
        this.context = context;
        this.target = context.config().target();
        this.ticker = context.ticker();
        this.admission = context.admission();
        this.gate = context.gate();
        this.classes = context.classes();
        this.requests = context.requests();
        this.leases = leases;
        this.slots = leases.slots();
        this.nesting = nesting;
        this.joined = TransactionLeases.of(context, this, leases);
        this.slow = slow;
        this.slowNanos = context.config().values().nanos(CoreKey.SLOW_ACQUISITION);
        this.longLeaseNanos = context.config().values().nanos(CoreKey.LONG_LEASE);
        this.ownTimeout = context.config().ownTimeout();
        this.owed = new ClaimSweep.Owed(classes == null ? 1 : classes.rules().size());
        observe(context.listeners().guard(List.of(context.config().observer())));
    }

    /** Sets what looks at statements that failed. */
    void watch(@Nullable StaleWriter failedWrites) {
        stale = failedWrites;
    }

    /** Sets the observer of every acquisition and release. */
    void observe(LeaseObserver guarded) {
        observer = guarded == LeaseObserver.NONE ? null : guarded;
        slow.failures().observe(guarded);
    }

    // ---- acquire ----

    /** {@code getConnection()}. */
    public Connection acquire() throws SQLException {
        return acquire((ConnectionRequest) null);
    }

    /** {@code getConnection(user, password)}. */
    public Connection acquire(@Nullable String user, @Nullable String password) throws SQLException {
        return acquire(pool -> pool.getConnection(user, password));
    }

    /** A connection that is requested in its own way; null for the plain one. */
    Connection acquire(@Nullable ConnectionRequest who) throws SQLException {
        long requestedNanos = ticker.nanos();
        Connection further = joined == null ? null : joined.further(who, requestedNanos);
        if (further != null) {
            return further;
        }
        boolean directly = admission.direct();
        int ofClass = classHere();
        Slot slot = directly ? slots.take(Thread.currentThread(), requestedNanos, ofClass) : null;
        if (slot == null) {
            ofClass = inherited(ofClass);
            SQLException refusal = nesting.refusal(requestedNanos);
            requested();
            if (refusal != null) {
                throw slowly(who, requestedNanos, ofClass).refused(refusal);
            }
            if (!directly || !enters(requestedNanos, ofClass)) {
                return slowly(who, requestedNanos, ofClass).goOn(null);
            }
        }
        Connection connection = null;
        try {
            if (slot != null) {
                requested();
            }
            connection = ownTimeout && context.mode().limiting()
                    ? openWithin(who, context.config().timeoutNanos())
                    : open(who);
            return handOver(connection, slot, ofClass, requestedNanos, requestedNanos, 1);
        } catch (Throwable failure) {
            // Here, where they were claimed, for handOver() may not even have begun: a stack can end anywhere.
            try {
                undo(slot, ofClass, connection, failure);
            } catch (Throwable noRoom) {
                // No call, for there may be no stack for one.
                owed.permits[ofClass]++;
                if (slot != null) {
                    slot.leftOver = Slot.ABANDONED;
                }
            }
            SlowAcquisition request = slowly(who, requestedNanos, ofClass);
            if (connection != null) {
                throw request.notLent(failure);
            }
            return request.goOn(failure);
        }
    }

    /** The class of a request whose thread holds no connection. */
    private int classHere() {
        return classes == null ? 0 : classes.here();
    }

    /** The class of a request whose thread may hold a connection: then that one's, so that neither waits for another class. */
    private int inherited(int ofClass) {
        int held = classes == null ? ParkedPermits.ANY : slots.classHeldBy(Thread.currentThread());
        return held == ParkedPermits.ANY ? ofClass : held;
    }

    /** Whether the calling thread holds a connection. */
    boolean holds() {
        return slots.classHeldBy(Thread.currentThread()) != ParkedPermits.ANY;
    }

    /** Takes a permit of the gate at once. */
    boolean enters(long nowNanos, int ofClass) {
        return gate == null
                || (classes == null ? gate.tryEnter(nowNanos) : classes.gate().tryEnter(nowNanos, ofClass));
    }

    /** Takes a permit of a gate that is held, for a thread that holds a connection already. */
    boolean entersHeld(long nowNanos, int ofClass) {
        return gate == null
                || (classes == null ? gate.tryEnterHeld() : classes.gate().tryEnterHeld(nowNanos, ofClass));
    }

    /** Releases a permit, if there is a gate. */
    private void exits(long nowNanos, long heldNanos, int ofClass) {
        if (classes != null) {
            classes.gate().exit(nowNanos, heldNanos, ofClass);
        } else if (gate != null) {
            gate.exit(nowNanos, heldNanos);
        }
    }

    /** Counts a request before it is answered, in a pool that does not report its pending ones. */
    void requested() {
        if (requests != null) {
            requests.increment((int) Thread.currentThread().getId());
        }
    }

    /** The rest of a request that has been counted. If there is no room for it, the request has failed. */
    SlowAcquisition slowly(@Nullable ConnectionRequest who, long requestedNanos, int ofClass) {
        try {
            return new SlowAcquisition(this, slow, who, requestedNanos, ofClass);
        } catch (Throwable noRoom) {
            failedUnforeseen(requestedNanos);
            throw noRoom;
        }
    }

    /** A request fails for an unforeseen reason. */
    void failedUnforeseen(long requestedNanos) {
        context.recorder().failed(nowOr(requestedNanos) - requestedNanos, AcquisitionOutcome.ERROR);
    }

    Connection open(@Nullable ConnectionRequest who) throws SQLException {
        Connection connection = who == null ? target.getConnection() : who.open(target);
        if (connection == null) {
            throw new SQLException("flexpool '" + context.name() + "': the pool gave null instead of a connection");
        }
        return connection;
    }

    /** With a timeout for this call where the pool can; else the pool's own. */
    Connection openWithin(@Nullable ConnectionRequest who, long nanos) throws SQLException {
        return who == null && context.config().perCallTimeout()
                ? context.adapter().connection(nanos)
                : open(who);
    }

    /**
     * Everything between the pool's hand-over and the return to the caller. If it throws, nothing has been lent: the
     * connection, the permit and the slot are still the caller's, who {@linkplain #undo gives them back}.
     *
     * @param taken the slot that the caller has taken with the permit; null if the permit is the gate's
     * @param ofClass the class of the permit
     */
    Connection handOver(
            Connection connection,
            @Nullable Slot taken,
            int ofClass,
            long requestedNanos,
            long attemptNanos,
            int attempts)
            throws SQLException {
        boolean ordinary = admission.ordinary();
        if (!ordinary && admission.closed()) {
            throw FailureHandler.closed(context.name());
        }
        Connection further = joined == null ? null : joined.join(connection, taken, ofClass);
        if (further != null) {
            return further;
        }
        long acquiredNanos = ticker.nanos();
        long waitedNanos = acquiredNanos - requestedNanos;
        TransactionLeases.Joined kept = joined == null ? null : joined.lease(acquiredNanos);
        Slot slot = taken == null ? slots.claim(Thread.currentThread(), ofClass) : taken;
        if (classes != null) {
            slot.tenant = classes.tenantHere();
        }
        LeasedConnection lease;
        try {
            lease = leases.open(slot, connection, kept == null ? this : kept, requestedNanos, acquiredNanos);
            boolean atOnce = attemptNanos == requestedNanos;
            if (classes != null) {
                classes.acquired(ofClass, atOnce, waitedNanos);
            }
            if (atOnce) {
                slot.acquired(waitedNanos);
            } else {
                slow.acquired(waitedNanos, acquiredNanos - attemptNanos, attempts);
            }
        } catch (Throwable thrown) {
            try {
                slot.withdraw(taken);
            } catch (Throwable noRoom) {
                if (taken == null) {
                    slot.leftOver = Slot.ABANDONED;
                }
            }
            throw thrown;
        }
        try {
            if (kept != null) {
                kept.keep(connection, lease.place());
            }
            if (!ordinary) {
                slow.alignment().settle();
            }
            if (observer != null) {
                observer.acquired(requestedNanos, acquiredNanos, AcquisitionOutcome.OK);
            }
            if (waitedNanos > slowNanos) {
                slow.publishSlow(waitedNanos, acquiredNanos);
            }
        } catch (Throwable thrown) {
            // The lease has begun and belongs to the application, even if reporting it fails.
            owed.lastThrown = thrown;
        }
        return lease;
    }

    /**
     * Gives back what an attempt has claimed that did not become a lease. If it throws, neither the slot nor the permit has
     * gone back.
     *
     * @param taken null if the permit is the gate's
     * @param ofClass the class of the permit
     * @param connection null if the pool gave none
     * @param why what was thrown, which also has what the close throws; null if nothing was
     */
    void undo(@Nullable Slot taken, int ofClass, @Nullable Connection connection, @Nullable Throwable why) {
        // Before the close, which may take longer than others need to find the slot left over and to use it.
        long seen = taken == null ? 0 : taken.word;
        try {
            if (connection != null) {
                connection.close();
            }
        } catch (Throwable thrown) {
            if (why != null && why != thrown) {
                why.addSuppressed(thrown);
            }
        }
        if (taken != null) {
            taken.vacate(seen);
        }
        try {
            if (gate != null) {
                exits(nowOr(0), Long.MAX_VALUE, ofClass);
            }
        } catch (Throwable noRoom) {
            owed.permits[ofClass]++;
        }
    }

    // ---- the end of a lease ----

    /**
     * Never throws once it has the slot: each step is done even if others throw, at the latest by the tick. Before that nothing
     * has changed, and the connection comes again.
     */
    @Override
    public void ended(long acquiredNanos, int place, boolean reclaimed) {
        long nowNanos = nowOr(acquiredNanos);
        long heldNanos = nowNanos - acquiredNanos;
        Runnable resolved = null;
        Slot slot = slots.at(place);
        // Before the slot is another one's.
        int ofClass = slot.ofClass;
        try {
            if (classes != null) {
                classes.gate().ended(heldNanos, ofClass, slot.tenant);
            }
            resolved = leases.ending(slot, heldNanos, reclaimed);
        } catch (Throwable thrown) {
            owed.lastThrown = thrown;
        }
        try {
            slot.released(heldNanos);
        } catch (Throwable thrown) {
            owed.releases++;
        }
        boolean permitLeft = gate != null;
        try {
            permitLeft = !slots.release(slot, nowNanos, heldNanos);
        } catch (Throwable thrown) {
            slot.leftOver = Slot.ABANDONED;
            owed.slots = true;
        }
        try {
            if (permitLeft) {
                // After the lease has ended: the table has no more leases than there are permits.
                exits(nowNanos, heldNanos, ofClass);
            }
        } catch (Throwable thrown) {
            owed.permits[ofClass]++;
        }
        try {
            if (observer != null) {
                observer.released(acquiredNanos, nowNanos);
            }
            if (resolved != null) {
                resolved.run();
                context.listeners().deliver();
            }
            if (heldNanos > longLeaseNanos) {
                context.listeners().publish(new Events.LeaseLong(context.name(), Duration.ofNanos(heldNanos)));
            }
        } catch (Throwable thrown) {
            owed.lastThrown = thrown;
        }
    }

    @Override
    public void entered(int place, @Nullable String sql) {
        leases.entered(place, sql);
    }

    @Override
    public void left(int place) {
        leases.left(place);
    }

    @Override
    public void abort(Connection connection, Executor executor) throws SQLException {
        context.adapter().abort(connection, executor);
    }

    /** The application's close does not fail because a connection is dropped that is of no use any more. */
    @Override
    public void takeBack(Connection connection, boolean discarded) throws SQLException {
        if (!discarded) {
            if (stale != null) {
                stale.look(connection);
            }
            connection.close();
            return;
        }
        try {
            rollBack(connection);
            context.adapter().discard(connection);
        } catch (Throwable thrown) {
            giveBack(connection);
            context.listeners().failed("the discarding of an evicted connection", thrown);
        }
    }

    /** What was not committed, as the pool would when it comes back: some drivers commit it when a connection is closed. */
    private static void rollBack(Connection connection) {
        try {
            if (!connection.getAutoCommit()) {
                connection.rollback();
            }
        } catch (SQLException | RuntimeException ofABrokenConnection) {
            // It is dropped next.
            return;
        }
    }

    /** A connection that could not be discarded would keep its place in the pool. Does nothing if it is closed. */
    private void giveBack(Connection connection) {
        try {
            connection.close();
        } catch (Throwable thrown) {
            owed.lastThrown = thrown;
        }
    }

    @Override
    public void failed(LeasedConnection lease, Connection connection, SQLException thrown) {
        try {
            if (stale != null) {
                stale.failed(lease, connection, thrown);
            }
        } catch (Throwable alsoThrown) {
            // The application gets what its statement threw.
            owed.lastThrown = alsoThrown;
        }
    }

    @Override
    public void discard(Connection connection) throws SQLException {
        context.adapter().discard(connection);
    }

    /** Where something is given back, which must not wait for a clock that throws. */
    long nowOr(long otherwise) {
        try {
            return ticker.nanos();
        } catch (Throwable thrown) {
            owed.lastThrown = thrown;
            return otherwise;
        }
    }

    /** How a connection is asked of the data source, where it is not the plain {@code getConnection()}. */
    @FunctionalInterface
    interface ConnectionRequest {
        /** Asks for a connection, once for each attempt. */
        @Nullable
        Connection open(DataSource target) throws SQLException;
    }
}
