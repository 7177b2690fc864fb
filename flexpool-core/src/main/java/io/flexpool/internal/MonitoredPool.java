// SPDX-License-Identifier: Apache-2.0
package io.flexpool.internal;

import io.flexpool.adapter.AcquisitionFailure;
import io.flexpool.adapter.AcquisitionFailure.Kind;
import io.flexpool.adapter.Capability;
import io.flexpool.adapter.PoolAdapter;
import io.flexpool.internal.jdbc.Lease;
import io.flexpool.internal.jdbc.LeasedConnection;
import io.flexpool.pool.AcquisitionOutcome;
import io.flexpool.pool.LeaseObserver;
import io.flexpool.pool.MetricsBinder;
import io.flexpool.pool.PoolEvent;
import io.flexpool.pool.PoolListener;
import io.flexpool.pool.PoolSnapshot;
import io.flexpool.pool.PoolState;
import io.flexpool.pool.PoolStatistics;
import io.flexpool.pool.PoolView;
import io.flexpool.pool.Ticker;
import io.flexpool.strategy.AcquisitionSituation;
import io.flexpool.strategy.AcquisitionStrategy;
import io.flexpool.strategy.Verdict;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One wrapped pool: the way of {@code getConnection()} … {@code close()}, and the ends of the threads that watch it.
 *
 * <p>The good way is here, from top to bottom: {@link #acquire}, {@link #handOver}, and {@link #ended} when the
 * connection comes back. It reads the clock three times, allocates the one wrapper, and takes no lock. Whatever is not
 * answered at once goes through a {@link Detour}.
 *
 * <p>A pool that is only watched has no gate and is never touched: it queues and throws as it always did.
 */
public final class MonitoredPool implements Lease, PoolView {
    private static final Logger LOG = LoggerFactory.getLogger("io.flexpool");
    private static final long LOG_SPAN_NANOS = 1_000_000_000L;

    /**
     * What a pool is made of. All of it has been checked.
     *
     * @param name the pool's name
     * @param target the data source behind
     * @param adapter reads and steers it
     * @param bound whether a gate limits it
     * @param base the first lease limit, if bound
     * @param ceiling the highest lease limit, if bound
     * @param timeoutNanos the acquisition timeout; Long.MAX_VALUE if there is none
     * @param deadlineNanos the deadline of a whole request; Long.MAX_VALUE if there is none
     * @param consultEveryNanos how long a request waits before the strategies are asked; Long.MAX_VALUE for never
     * @param slowNanos acquisitions longer than this raise an event
     * @param longLeaseNanos leases longer than this raise an event
     * @param strategies asked in this order
     * @param listeners told in this order
     * @param observer hears every call
     * @param metrics the backends
     * @param ticker the clock
     */
    public record Parts(
            String name,
            DataSource target,
            PoolAdapter adapter,
            boolean bound,
            int base,
            int ceiling,
            long timeoutNanos,
            long deadlineNanos,
            long consultEveryNanos,
            long slowNanos,
            long longLeaseNanos,
            List<AcquisitionStrategy> strategies,
            List<PoolListener> listeners,
            LeaseObserver observer,
            List<MetricsBinder> metrics,
            Ticker ticker) {}

    private final Parts parts;
    private final DataSource target;
    private final PoolAdapter adapter;
    private final Ticker ticker;
    private final @Nullable Gate gate;
    private final Recorder recorder = new Recorder();
    /** Of a watched pool that does not tell how many wait in it; null where another source is cheaper. */
    private final @Nullable StripedCounter requests;

    private final LeaseObserver observer;
    private final long slowNanos;
    private final long longLeaseNanos;
    /** Whether the user's acquisition timeout is another than the pool's, and the pool can be told with each call. */
    private final boolean ownTimeout;

    private volatile boolean closed;
    /** Whether the adapter has nothing more to do at the pool's start. Set once; read without order, asked again at worst. */
    private boolean settled;

    private final GuardedListeners listeners;
    private final History history;
    private final @Nullable Resizer resizer;
    private final @Nullable Steering steering;
    private final List<MetricsBinder.Binding> bindings = new ArrayList<>();
    private final AtomicBoolean closing = new AtomicBoolean();
    private final RateLimit timeoutLog;
    private final RateLimit connectLog;
    private volatile @Nullable ConnectFailure lastConnectFailure;

    private record ConnectFailure(Throwable thrown, long nanos) {}

    /** Takes a pool over. Nothing runs yet: see {@link #start()}. */
    public MonitoredPool(Parts parts) {
        this.parts = parts;
        this.target = parts.target();
        this.adapter = parts.adapter();
        this.ticker = parts.ticker();
        long now = ticker.nanos();
        this.listeners = new GuardedListeners(parts.name(), parts.listeners());
        this.observer = listeners.guard(parts.observer());
        this.slowNanos = parts.slowNanos();
        this.longLeaseNanos = parts.longLeaseNanos();
        this.ownTimeout = adapter.capabilities().contains(Capability.PER_CALL_TIMEOUT)
                && adapter.acquisitionTimeout().map(Duration::toNanos).orElse(Long.MAX_VALUE) != parts.timeoutNanos();
        this.timeoutLog = new RateLimit(LOG_SPAN_NANOS, now);
        this.connectLog = new RateLimit(LOG_SPAN_NANOS, now);
        this.history = new History(recorder, listeners, now);
        boolean told = parts.bound() || adapter.capabilities().contains(Capability.PENDING_COUNT);
        this.requests = told ? null : new StripedCounter(StripedHistogram.stripesForThisMachine());
        if (parts.bound()) {
            Gate bound = new Gate(parts.base(), ticker);
            this.gate = bound;
            this.resizer = new Resizer(parts, bound, recorder, listeners);
            this.steering = new Steering(parts.name(), adapter, bound, resizer, listeners);
        } else {
            this.gate = null;
            this.resizer = null;
            this.steering = null;
            this.settled = true;
        }
    }

    /** Begins to watch: the backends are bound, the loop ticks. If that fails, nothing of it is left. */
    public void start() {
        try {
            for (MetricsBinder binder : parts.metrics()) {
                bindings.add(binder.bind(this));
            }
            Loop.shared().add(this);
        } catch (Throwable failed) {
            Loop.shared().remove(this);
            unbind();
            if (steering != null) {
                steering.close();
            }
            throw failed;
        }
    }

    private void unbind() {
        for (MetricsBinder.Binding binding : bindings) {
            listeners.guard("a metrics backend", binding::unbind);
        }
    }

    // ---- the way of one call ----

    /** {@code getConnection()}. */
    public Connection acquire() throws SQLException {
        return acquire(null);
    }

    /** {@code getConnection(user, password)}. */
    public Connection acquire(@Nullable String user, @Nullable String password) throws SQLException {
        return acquire(new Credentials(user, password));
    }

    private Connection acquire(@Nullable Credentials who) throws SQLException {
        long requestedNanos = ticker.nanos();
        if (closed) {
            throw refuseClosed(requestedNanos);
        }
        Gate gate = this.gate;
        if (gate != null) {
            if (!gate.tryEnter(requestedNanos)) {
                return new Detour(this, who, requestedNanos).waitThenOpen();
            }
        } else if (requests != null) {
            requests.increment((int) Thread.currentThread().getId());
        }
        Connection connection;
        try {
            connection = ownTimeout ? openWithin(who, parts.timeoutNanos()) : open(who);
        } catch (Throwable failure) {
            return new Detour(this, who, requestedNanos).retryAfter(failure);
        }
        return handOver(connection, requestedNanos, requestedNanos, 1);
    }

    Connection open(@Nullable Credentials who) throws SQLException {
        Connection connection = who == null ? target.getConnection() : target.getConnection(who.user(), who.password());
        if (connection == null) {
            throw new SQLException("flexpool '" + parts.name() + "': the pool gave null instead of a connection");
        }
        return connection;
    }

    /** With a timeout for this call where the pool can; else the pool's own. */
    Connection openWithin(@Nullable Credentials who, long nanos) throws SQLException {
        if (who == null && adapter.capabilities().contains(Capability.PER_CALL_TIMEOUT)) {
            return adapter.connection(nanos);
        }
        return open(who);
    }

    /** Everything between the pool's hand-over and the return to the caller: whatever goes wrong, nothing is lost. */
    Connection handOver(Connection connection, long requestedNanos, long attemptNanos, int attempts)
            throws SQLException {
        LeasedConnection lease;
        long acquiredNanos;
        try {
            acquiredNanos = ticker.nanos();
            lease = new LeasedConnection(connection, this, acquiredNanos);
        } catch (Throwable thrown) {
            throw takeBack(connection, requestedNanos, thrown);
        }
        // From here on nothing throws: counters, and observers that are guarded.
        if (!settled) {
            settle();
        }
        long waitedNanos = acquiredNanos - requestedNanos;
        if (attemptNanos == requestedNanos) {
            recorder.acquired(waitedNanos, (int) Thread.currentThread().getId());
        } else {
            recorder.acquiredAfterDetour(waitedNanos, acquiredNanos - attemptNanos);
            if (attempts > 1) {
                recorder.retried(attempts - 1);
            }
        }
        observer.acquired(requestedNanos, acquiredNanos, AcquisitionOutcome.OK);
        if (waitedNanos > slowNanos) {
            PoolEvent.AcquisitionSlow event =
                    new PoolEvent.AcquisitionSlow(parts.name(), waitedNanos, state(acquiredNanos));
            listeners.tell(listener -> listener.onAcquisitionSlow(event));
        }
        return lease;
    }

    @Override
    public void ended(long acquiredNanos) {
        long nowNanos = ticker.nanos();
        long heldNanos = nowNanos - acquiredNanos;
        recorder.released(heldNanos);
        Gate gate = this.gate;
        if (gate != null) {
            gate.exit(nowNanos);
        }
        observer.released(acquiredNanos, nowNanos);
        if (heldNanos > longLeaseNanos) {
            PoolEvent.LeaseLong event = new PoolEvent.LeaseLong(parts.name(), heldNanos);
            listeners.tell(listener -> listener.onLeaseLong(event));
        }
    }

    @Override
    public void discard(Connection connection) throws SQLException {
        adapter.discard(connection);
    }

    private void settle() {
        if (listeners.guard("the adapter's start", () -> settled = adapter.entered())) {
            if (settled && resizer != null) {
                resizer.align();
            }
        } else {
            settled = true;
        }
    }

    private SQLException takeBack(Connection connection, long requestedNanos, Throwable thrown) throws SQLException {
        try {
            connection.close();
        } catch (Throwable alsoThrown) {
            thrown.addSuppressed(alsoThrown);
        }
        if (gate != null) {
            gate.exit(now());
        }
        recorder.failed(now() - requestedNanos, AcquisitionOutcome.ERROR);
        return rethrow(thrown);
    }

    // ---- what a detour asks ----

    long now() {
        return ticker.nanos();
    }

    boolean closed() {
        return closed;
    }

    @Nullable
    Gate gate() {
        return gate;
    }

    long timeoutNanos() {
        return parts.timeoutNanos();
    }

    long deadlineNanos() {
        return parts.deadlineNanos();
    }

    long consultEveryNanos() {
        return parts.consultEveryNanos();
    }

    List<AcquisitionStrategy> strategies() {
        return parts.strategies();
    }

    Resizer.Growth grow(int room) {
        Resizer.Growth growth = resizer == null ? Resizer.Growth.REFUSED : resizer.grow(room, this::state);
        if (growth == Resizer.Growth.GREW && steering != null) {
            steering.grew();
        }
        return growth;
    }

    void refusedGrowth() {
        recorder.refusedGrowth();
    }

    Verdict guardedConsult(AcquisitionStrategy strategy, AcquisitionSituation situation) {
        try {
            return strategy.consult(situation);
        } catch (Throwable thrown) {
            listeners.failed("the strategy " + strategy.getClass().getSimpleName(), thrown);
            return Verdict.PASS;
        }
    }

    AcquisitionFailure classify(Throwable failure, long attemptNanos) {
        if (closed) {
            return AcquisitionFailure.of(Kind.CLOSED, failure);
        }
        AcquisitionFailure why;
        try {
            why = adapter.classify(failure, adapter.snapshot(), attemptNanos);
        } catch (Throwable thrown) {
            listeners.failed("the adapter's classify", thrown);
            why = AcquisitionFailure.of(Kind.OTHER, failure);
        }
        if (why.kind() == Kind.CONNECT_FAILED) {
            connectFailed(failure, why, attemptNanos);
        }
        return why;
    }

    private void connectFailed(Throwable failure, AcquisitionFailure why, long attemptNanos) {
        lastConnectFailure = new ConnectFailure(failure, now());
        tellConnectFailed(why, attemptNanos);
        if (resizer != null) {
            resizer.connectFailed(this::state);
        }
    }

    /** Also for a request that gave up at the gate because those in front of it could not connect. */
    void tellConnectFailed(AcquisitionFailure why, long waitedNanos) {
        long now = now();
        recorder.connectFailed();
        PoolEvent.ConnectFailed event =
                new PoolEvent.ConnectFailed(parts.name(), waitedNanos, why.sqlState(), why.reason(), state(now));
        if (connectLog.permits(now)) {
            LOG.warn("{}", event.describe());
        }
        listeners.tell(listener -> listener.onConnectFailed(event));
    }

    /**
     * Why a request got no permit: exhausted, unless the evidence says that the permits' holders cannot connect, which
     * is a connect failure since the request was made while the pool is not full, or no connection out at all.
     */
    AcquisitionFailure failureAtGate(long requestedNanos) {
        PoolState state = state(now());
        ConnectFailure last = lastConnectFailure;
        boolean full =
                state.pool().total() == PoolSnapshot.UNKNOWN || state.pool().total() >= state.limit();
        if (last != null && last.nanos() - requestedNanos >= 0 && (!full || state.leased() == 0)) {
            return AcquisitionFailure.of(Kind.CONNECT_FAILED, last.thrown());
        }
        if (state.leased() + state.foreign() == 0) {
            return new AcquisitionFailure(
                    Kind.CONNECT_FAILED, null, "all permits are inside the pool's getConnection() and none came back");
        }
        return new AcquisitionFailure(Kind.EXHAUSTED, null, "no connection came back in time");
    }

    boolean connectFailedSince(long nanos) {
        ConnectFailure last = lastConnectFailure;
        return last != null && last.nanos() - nanos >= 0;
    }

    /** Of the pool's own class; with the driver's exception as the cause if the database refuses. */
    SQLException timeoutException(String report, AcquisitionFailure why, long requestedNanos) {
        SQLException cause = null;
        ConnectFailure last = lastConnectFailure;
        if (why.kind() == Kind.CONNECT_FAILED && last != null && last.nanos() - requestedNanos >= 0) {
            for (Throwable at = last.thrown(); at != null; at = at.getCause()) {
                if (at instanceof SQLException sql) {
                    cause = sql;
                }
            }
        }
        return adapter.timeout(report, cause);
    }

    /** A request failed for good: records, reports, tells. */
    void gaveUp(Throwable thrown, AcquisitionFailure why, long requestedNanos, int attempts) {
        long now = now();
        long waitedNanos = now - requestedNanos;
        AcquisitionOutcome outcome = switch (why.kind()) {
            case EXHAUSTED -> AcquisitionOutcome.TIMEOUT;
            case CONNECT_FAILED -> AcquisitionOutcome.CONNECT_FAILURE;
            case INTERRUPTED -> AcquisitionOutcome.INTERRUPTED;
            case CLOSED, REJECTED -> AcquisitionOutcome.REJECTED;
            case OTHER -> AcquisitionOutcome.ERROR;
        };
        recorder.failed(waitedNanos, outcome);
        if (attempts > 1) {
            recorder.retried(attempts - 1);
        }
        observer.acquired(requestedNanos, now, outcome);
        // A report that cannot be made must not replace the failure.
        listeners.guard("the report", () -> report(thrown, why, waitedNanos, attempts, now));
    }

    private void report(Throwable thrown, AcquisitionFailure why, long waitedNanos, int attempts, long now) {
        PoolState state = state(now);
        String report = Report.text(parts.name(), why, waitedNanos, attempts, state);
        if (!report(thrown)) {
            Report.attach(thrown, report);
        }
        if (why.kind() == Kind.EXHAUSTED) {
            if (timeoutLog.permits(now)) {
                LOG.warn("{}", report);
            }
            PoolEvent.AcquisitionTimedOut event =
                    new PoolEvent.AcquisitionTimedOut(parts.name(), waitedNanos, attempts, state, report);
            listeners.tell(listener -> listener.onAcquisitionTimedOut(event));
        }
    }

    /** Whether the exception is one of ours, whose message is the report already. */
    private static boolean report(Throwable thrown) {
        String message = thrown.getMessage();
        return message != null && message.startsWith("flexpool '");
    }

    private SQLException refuseClosed(long requestedNanos) {
        recorder.failed(now() - requestedNanos, AcquisitionOutcome.REJECTED);
        if (requests != null) {
            requests.increment((int) Thread.currentThread().getId());
        }
        return closedException(parts.name());
    }

    static SQLException closedException(String name) {
        return new SQLException("flexpool '" + name + "' is closed", "08003");
    }

    /** Throws the object itself, checked or not, declared or not: a decorator does not change what was thrown. */
    static SQLException rethrow(Throwable thrown) throws SQLException {
        MonitoredPool.<RuntimeException>sneak(thrown);
        throw new AssertionError(thrown);
    }

    @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"})
    private static <T extends Throwable> void sneak(Throwable thrown) throws T {
        throw (T) thrown;
    }

    // ---- what is read ----

    @Override
    public String name() {
        return parts.name();
    }

    @Override
    public String type() {
        return adapter.type();
    }

    @Override
    public PoolState state() {
        return state(now());
    }

    PoolState state(long nowNanos) {
        PoolSnapshot snapshot;
        try {
            snapshot = adapter.snapshot();
        } catch (Throwable thrown) {
            listeners.failed("the adapter's snapshot", thrown);
            snapshot = PoolSnapshot.NOTHING_KNOWN;
        }
        Gate gate = this.gate;
        if (gate == null) {
            // Ended first: a request is counted before it is answered.
            long ended = recorder.ended();
            int pending =
                    requests == null ? Math.max(0, snapshot.pending()) : (int) Math.max(0, requests.sum() - ended);
            int unknown = PoolSnapshot.UNKNOWN;
            return new PoolState(unknown, unknown, unknown, recorder.active(), pending, 0, 0, 0, snapshot);
        }
        // In an outage nothing is acquired or released, and this is exact. Under load it may be off by what came and
        // went while it was counted, but never by more than the permits in use.
        int used = gate.usedCount();
        int leased = Math.min(recorder.active(), used);
        return new PoolState(
                gate.limit(),
                parts.base(),
                parts.ceiling(),
                leased,
                used - leased,
                gate.waitingCount(),
                gate.foreign(),
                gate.oldestWaitNanos(nowNanos),
                snapshot);
    }

    @Override
    public PoolStatistics statistics() {
        return history.statistics(now());
    }

    /** One tick of the loop: samples, copies, and what is due for the size. */
    public void tick() {
        long now = now();
        PoolState state = state(now);
        history.tick(now, state);
        if (steering != null && !closed) {
            steering.tick(now, state, this::state);
        }
    }

    // ---- the end ----

    /**
     * Closes the pool behind, lets those who wait go with an SQLException, unbinds the backends. The second call does
     * nothing.
     *
     * @return true if this was the first call
     */
    public boolean close() {
        if (!closing.compareAndSet(false, true)) {
            return false;
        }
        closed = true;
        Loop.shared().remove(this);
        if (steering != null) {
            steering.close();
        }
        if (gate != null) {
            // Those who wait get a permit, and with it the answer that the pool is closed.
            gate.open(now());
        }
        unbind();
        try {
            adapter.close();
        } catch (Exception thrown) {
            LOG.warn("{}: the pool's close threw", parts.name(), thrown);
        } finally {
            listeners.tell(listener -> listener.onClosed(parts.name()));
        }
        return true;
    }
}
