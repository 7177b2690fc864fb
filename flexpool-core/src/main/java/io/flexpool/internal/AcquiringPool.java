// SPDX-License-Identifier: Apache-2.0
package io.flexpool.internal;

import io.flexpool.adapter.AcquisitionFailure;
import io.flexpool.adapter.AcquisitionFailure.Kind;
import io.flexpool.adapter.PoolAdapter;
import io.flexpool.internal.config.CoreKey;
import io.flexpool.internal.context.PoolContext;
import io.flexpool.internal.failure.FailedAttempt.Attempt;
import io.flexpool.internal.failure.FailureHandler;
import io.flexpool.internal.gate.AdmissionState;
import io.flexpool.internal.gate.Gate;
import io.flexpool.internal.jdbc.LeaseOwner;
import io.flexpool.internal.jdbc.LeasedConnection;
import io.flexpool.internal.lease.LeaseTracker;
import io.flexpool.internal.lease.NestedAcquisitions;
import io.flexpool.internal.record.Recorder;
import io.flexpool.internal.record.StripedCounter;
import io.flexpool.internal.record.StripedHistogram;
import io.flexpool.internal.resize.StartAlignment;
import io.flexpool.monitoring.LeaseObserver;
import io.flexpool.pool.AcquisitionOutcome;
import io.flexpool.pool.Ticker;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.concurrent.Executor;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * The direct path of one {@code getConnection()} … {@code close()}: {@link #acquire}, {@link #handOver}, and {@link #ended} when
 * the connection comes back. It reads the clock three times, allocates one wrapper, and takes no lock. What is not answered
 * at once goes through a {@link SlowAcquisition}.
 *
 * <p>A pool that is only watched has no gate and is never touched: it queues and throws as it always did. Thread-safe.
 */
public final class AcquiringPool implements LeaseOwner {
    private final PoolContext context;
    private final DataSource target;
    private final PoolAdapter adapter;
    private final Ticker ticker;
    private final AdmissionState admission;
    private final @Nullable Gate gate;
    private final Recorder recorder;
    private final StripedHistogram direct;
    private final StripedHistogram leaseTimes;
    private final @Nullable StripedCounter requests;
    private final LeaseTracker leases;
    private final NestedAcquisitions nesting;
    /** Of a pool whose connections transactions keep; null of any other. */
    private final @Nullable TransactionLeases joined;

    private final StartAlignment alignment;
    private final FailureHandler failures;
    private final SlowAcquisition.Parts slow;
    private final ThresholdEvents thresholds;
    private final long slowNanos;
    private final long longLeaseNanos;
    /** Whether the user's acquisition timeout is another than the pool's, and the pool can be given it with each call. */
    private final boolean ownTimeout;

    /** What is to be given back and could not be, for want of stack or memory. */
    final ClaimSweep.Owed owed = new ClaimSweep.Owed();

    /** Not final, for the backends are bound to a pool that stands; set before the pool is handed out. Null if none observes. */
    private @Nullable LeaseObserver observer;

    /** The path to a pool; {@code slow} has what a request needs that is not answered at once. */
    AcquiringPool(PoolContext context, LeaseTracker leases, NestedAcquisitions nesting, SlowAcquisition.Parts slow) {
        this.context = context;
        this.target = context.config().target();
        this.adapter = context.adapter();
        this.ticker = context.ticker();
        this.admission = context.admission();
        this.gate = context.gate();
        this.recorder = context.recorder();
        this.direct = recorder.direct();
        this.leaseTimes = recorder.leaseTimes();
        this.requests = context.requests();
        this.leases = leases;
        this.nesting = nesting;
        this.slow = slow;
        this.alignment = slow.alignment();
        this.failures = slow.failures();
        this.thresholds = new ThresholdEvents(context);
        this.slowNanos = context.config().values().nanos(CoreKey.SLOW_ACQUISITION);
        this.longLeaseNanos = context.config().values().nanos(CoreKey.LONG_LEASE);
        this.ownTimeout = context.config().ownTimeout();
        this.joined = TransactionLeases.of(context, this, leases);
        observe(context.listeners().guard(List.of(context.config().observer())));
    }

    /** From now on this one sees every acquisition and release. */
    void observe(LeaseObserver guarded) {
        observer = guarded == LeaseObserver.NONE ? null : guarded;
        failures.observe(guarded);
    }

    /** The leases that transactions keep; null if the pool takes part in none. */
    @Nullable
    TransactionLeases joined() {
        return joined;
    }

    // ---- acquire ----

    /** {@code getConnection()}. */
    public Connection acquire() throws SQLException {
        return acquire((ConnectionRequest) null);
    }

    /** {@code getConnection(user, password)}. */
    public Connection acquire(@Nullable String user, @Nullable String password) throws SQLException {
        return acquire(new Credentials(user, password));
    }

    Connection acquire(@Nullable ConnectionRequest who) throws SQLException {
        long requestedNanos = ticker.nanos();
        if (joined != null) {
            Connection further = joined.further(who, requestedNanos);
            if (further != null) {
                return further;
            }
        }
        SQLException refusal = nesting.refusal(requestedNanos);
        if (refusal != null) {
            throw refusedNested(refusal, requestedNanos);
        }
        if (!admission.direct()) {
            return acquireUnusually(who, requestedNanos);
        }
        Gate gate = this.gate;
        if (gate != null) {
            if (!gate.tryEnter(requestedNanos)) {
                return new SlowAcquisition(this, slow, who, requestedNanos).waitThenOpen();
            }
        } else if (requests != null) {
            requests.increment((int) Thread.currentThread().getId());
        }
        Connection connection = null;
        try {
            connection = ownTimeout && context.mode().limiting()
                    ? openWithin(who, context.config().timeoutNanos())
                    : open(who);
            return handOver(connection, requestedNanos, requestedNanos, 1);
        } catch (Throwable failure) {
            // Here, where they were claimed, for handOver() may not even have begun: a stack can end anywhere.
            try {
                undo(connection, failure);
            } catch (Throwable noRoom) {
                owed.permits++;
            }
            if (connection != null) {
                throw notLent(failure, requestedNanos, 1);
            }
            return goOnAfter(failure, who, requestedNanos);
        }
    }

    private Connection goOnAfter(Throwable failure, @Nullable ConnectionRequest who, long requestedNanos)
            throws SQLException {
        SlowAcquisition detour;
        try {
            detour = new SlowAcquisition(this, slow, who, requestedNanos);
        } catch (Throwable thrown) {
            failedUnforeseen(requestedNanos);
            throw thrown;
        }
        return detour.retryAfter(failure);
    }

    private SQLException refusedNested(SQLException refusal, long requestedNanos) {
        if (requests != null) {
            requests.increment((int) Thread.currentThread().getId());
        }
        AcquisitionFailure why = AcquisitionFailure.of(Kind.REJECTED, refusal);
        failures.gaveUp(failures.turnedAway(why, Attempt.only(requestedNanos)), null);
        return refusal;
    }

    private Connection acquireUnusually(@Nullable ConnectionRequest who, long requestedNanos) throws SQLException {
        SlowAcquisition detour = new SlowAcquisition(this, slow, who, requestedNanos);
        if (requests != null) {
            requests.increment((int) Thread.currentThread().getId());
        }
        return detour.waitThenOpen();
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
        if (who == null && context.config().perCallTimeout()) {
            return adapter.connection(nanos);
        }
        return open(who);
    }

    /**
     * Everything between the pool's hand-over and the return to the caller. If it throws, nothing has been lent: the
     * connection and the permit are still the caller's, who {@linkplain #undo gives them back}.
     */
    Connection handOver(Connection connection, long requestedNanos, long attemptNanos, int attempts)
            throws SQLException {
        boolean ordinary = admission.ordinary();
        if (!ordinary && closed()) {
            throw FailureHandler.closed(context.name());
        }
        Connection further = joined == null ? null : joined(joined, connection);
        if (further != null) {
            return further;
        }
        long acquiredNanos = ticker.nanos();
        TransactionLeases.Joined kept = joined == null ? null : joined.lease(acquiredNanos);
        LeasedConnection lease = leases.open(connection, kept == null ? this : kept, requestedNanos, acquiredNanos);
        try {
            if (kept != null) {
                kept.place = lease.place();
            }
            count(acquiredNanos - requestedNanos, acquiredNanos - attemptNanos, attempts);
        } catch (Throwable thrown) {
            leases.drop(lease.place());
            throw thrown;
        }
        try {
            if (kept != null) {
                kept.keep(connection);
            }
            if (!ordinary) {
                alignment.settle();
            }
            if (observer != null) {
                observer.acquired(requestedNanos, acquiredNanos, AcquisitionOutcome.OK);
            }
            if (acquiredNanos - requestedNanos > slowNanos) {
                thresholds.acquired(acquiredNanos - requestedNanos, acquiredNanos);
            }
        } catch (Throwable thrown) {
            // The lease has begun and belongs to the application, even if reporting it fails.
            owed.lastThrown = thrown;
        }
        return lease;
    }

    /** Another thread of the same transaction took the connection out: the permit goes back, for this took nothing. */
    private @Nullable Connection joined(TransactionLeases joined, Connection connection) {
        Connection further = joined.join(connection);
        if (further != null) {
            try {
                undo(null, null);
            } catch (Throwable noRoom) {
                owed.permits++;
            }
            if (requests != null) {
                requests.add(-1);
            }
        }
        return further;
    }

    /** The pool would not give a transaction a further handle on the connection that it has: nothing else would help. */
    SQLException refusedFurther(Throwable failure, long requestedNanos) throws SQLException {
        if (requests != null) {
            requests.increment((int) Thread.currentThread().getId());
        }
        failures.gaveUp(failures.inPool(failure, Attempt.only(requestedNanos)), failure);
        return FailureHandler.rethrow(failure);
    }

    /**
     * Gives back what an attempt has claimed that did not become a lease. If it throws, the permit has not gone back.
     *
     * @param connection null if the pool gave none
     * @param why of it; null if nothing was thrown
     */
    void undo(@Nullable Connection connection, @Nullable Throwable why) {
        if (connection != null) {
            try {
                connection.close();
            } catch (Throwable thrown) {
                suppress(why, thrown);
            }
        }
        Gate gate = this.gate;
        if (gate != null) {
            gate.exit(nowOr(0));
        }
    }

    private void suppress(@Nullable Throwable why, Throwable thrown) {
        try {
            if (why != null && why != thrown) {
                why.addSuppressed(thrown);
            }
        } catch (Throwable noMemory) {
            owed.lastThrown = noMemory;
        }
    }

    /** A request that got a connection and no lease has failed; everything has been given back. Throws what was thrown. */
    SQLException notLent(Throwable thrown, long requestedNanos, int attempts) throws SQLException {
        if (closed() && thrown instanceof SQLException) {
            // The pool was closed while this request was inside it.
            slow.closer().closeAgain();
            failures.count(Kind.CLOSED, requestedNanos, attempts);
        } else {
            failedUnforeseen(requestedNanos);
        }
        return FailureHandler.rethrow(thrown);
    }

    /** A request fails for an unforeseen reason. */
    void failedUnforeseen(long requestedNanos) {
        recorder.failed(nowOr(requestedNanos) - requestedNanos, AcquisitionOutcome.ERROR);
    }

    /** If it throws, nothing counts as acquired. */
    private void count(long waitedNanos, long attemptNanos, int attempts) {
        if (attemptNanos == waitedNanos) {
            direct.record(waitedNanos, (int) Thread.currentThread().getId());
        } else {
            if (attempts > 1) {
                recorder.retried(attempts - 1);
            }
            recorder.acquiredAfterDetour(waitedNanos, attemptNanos);
        }
    }

    @Override
    public void ended(long acquiredNanos, int place) {
        end(acquiredNanos, place, false);
    }

    @Override
    public void reclaimed(long acquiredNanos, int place) {
        end(acquiredNanos, place, true);
    }

    @Override
    public void entered(int place, @Nullable String sql) {
        leases.entered(place, sql);
    }

    @Override
    public void left(int place) {
        leases.left(place);
    }

    /** Never throws once it has begun: each step is done even if others throw, at the latest by the tick. */
    private void end(long acquiredNanos, int place, boolean reclaimed) {
        long nowNanos = acquiredNanos;
        try {
            nowNanos = ticker.nanos();
        } catch (Throwable thrown) {
            owed.lastThrown = thrown;
        }
        long heldNanos = nowNanos - acquiredNanos;
        Runnable resolved = null;
        try {
            resolved = leases.end(place, heldNanos, reclaimed);
        } catch (Throwable thrown) {
            owed.slot = place + 1;
        }
        try {
            leaseTimes.record(heldNanos, (int) Thread.currentThread().getId());
        } catch (Throwable thrown) {
            owed.releases++;
        }
        Gate gate = this.gate;
        if (gate != null) {
            try {
                // After the slot is free: the table has no more leases than there are permits.
                gate.exit(nowNanos);
            } catch (Throwable thrown) {
                owed.permits++;
            }
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
                thresholds.released(heldNanos);
            }
        } catch (Throwable thrown) {
            owed.lastThrown = thrown;
        }
    }

    @Override
    public void abort(Connection connection, Executor executor) throws SQLException {
        adapter.abort(connection, executor);
    }

    @Override
    public void discard(Connection connection) throws SQLException {
        adapter.discard(connection);
    }

    /** Whether the watch has ended, with the pool or without. */
    boolean closed() {
        return admission.closed();
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
}
