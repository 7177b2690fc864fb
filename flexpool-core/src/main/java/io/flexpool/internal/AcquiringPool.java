// SPDX-License-Identifier: Apache-2.0
package io.flexpool.internal;

import io.flexpool.adapter.AcquisitionFailure;
import io.flexpool.adapter.AcquisitionFailure.Kind;
import io.flexpool.adapter.Capability;
import io.flexpool.adapter.PoolAdapter;
import io.flexpool.adapter.PoolTransactions;
import io.flexpool.internal.config.PoolConfig;
import io.flexpool.internal.config.PoolConfig.Consulted;
import io.flexpool.internal.event.EventLog;
import io.flexpool.internal.event.ListenerGuard;
import io.flexpool.internal.failure.Circuit;
import io.flexpool.internal.failure.Explainer;
import io.flexpool.internal.failure.FailureHandler;
import io.flexpool.internal.failure.FailureSnapshot;
import io.flexpool.internal.gate.Gate;
import io.flexpool.internal.jdbc.LeaseOwner;
import io.flexpool.internal.jdbc.LeasedConnection;
import io.flexpool.internal.lease.LeakDetector;
import io.flexpool.internal.lease.LeaseTable;
import io.flexpool.internal.lease.LeaseTracker;
import io.flexpool.internal.lease.NestedAcquisitions;
import io.flexpool.internal.record.ConnectTimes;
import io.flexpool.internal.record.Recorder;
import io.flexpool.internal.record.StatisticsHistory;
import io.flexpool.internal.record.StripedCounter;
import io.flexpool.internal.record.Stripes;
import io.flexpool.internal.record.Turnover;
import io.flexpool.internal.resize.DecisionLog;
import io.flexpool.internal.resize.ModeSwitch;
import io.flexpool.internal.resize.Resizer;
import io.flexpool.internal.resize.SizingLoop;
import io.flexpool.internal.resize.WakeAndTrim;
import io.flexpool.internal.resize.WindowSource;
import io.flexpool.pool.AcquisitionOutcome;
import io.flexpool.pool.CallSiteStatistics;
import io.flexpool.pool.Decision;
import io.flexpool.pool.Explanation;
import io.flexpool.pool.LeaseObserver;
import io.flexpool.pool.MetricsBinder;
import io.flexpool.pool.OpenLease;
import io.flexpool.pool.PoolControl;
import io.flexpool.pool.PoolEvent;
import io.flexpool.pool.PoolEvent.CircuitPhase;
import io.flexpool.pool.PoolMetric;
import io.flexpool.pool.PoolMode;
import io.flexpool.pool.PoolSnapshot;
import io.flexpool.pool.PoolState;
import io.flexpool.pool.PoolStatistics;
import io.flexpool.pool.RecentEvent;
import io.flexpool.pool.Ticker;
import io.flexpool.pool.WatchState;
import io.flexpool.strategy.AcquisitionSituation;
import io.flexpool.strategy.AcquisitionStrategy;
import io.flexpool.strategy.Verdict;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.sql.Connection;
import java.sql.ConnectionBuilder;
import java.sql.SQLException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One wrapped pool: the way of {@code getConnection()} … {@code close()}, and the ends of the threads that watch it.
 *
 * <p>The good way is here, from top to bottom: {@link #acquire}, {@link #handOver}, and {@link #ended} when the
 * connection comes back. It reads the clock three times, allocates the one wrapper, and takes no lock. Whatever is not
 * answered at once goes through a {@link SlowAcquisition}.
 *
 * <p>A pool that is only watched has no gate and is never touched: it queues and throws as it always did.
 */
public final class AcquiringPool implements LeaseOwner, PoolControl, Housekeeper.Watched {
    private static final Logger LOG = LoggerFactory.getLogger("io.flexpool");

    private static final Duration LONGEST_OPEN = Duration.ofDays(1);
    private static final long STUCK_START_NANOS = 1_000_000_000;
    private static final int CLOSED = 1;
    private static final int CIRCUIT = 2;
    private static final VarHandle UNUSUAL;

    static {
        try {
            UNUSUAL = MethodHandles.lookup().findVarHandle(AcquiringPool.class, "unusual", int.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private final PoolConfig parts;
    private final DataSource target;
    private final PoolAdapter adapter;
    private final Ticker ticker;
    private final @Nullable Gate gate;
    private final Recorder recorder = new Recorder();
    private final Turnover turnover;
    /** Of a watched pool that does not tell how many wait in it; null where another source is cheaper. */
    private final @Nullable StripedCounter requests;

    /** Not final, for the backends are bound to a pool that stands; set before the pool is handed out. */
    private LeaseObserver observer;

    private final long slowNanos;
    private final long longLeaseNanos;
    /** Whether the user's acquisition timeout is another than the pool's, and the pool can be told with each call. */
    private final boolean ownTimeout;

    /**
     * Why a request must not take the ordinary way: {@link #CLOSED}, {@link #CIRCUIT}. One word, so that the good way
     * pays one volatile read for all of them. Written through {@link #UNUSUAL} only.
     */
    @SuppressWarnings("unused") // through UNUSUAL
    private volatile int unusual;

    /** Whether the adapter has nothing more to do at the pool's start. Set once; read without order, asked again at worst. */
    private boolean settled;

    /** Whether there was no pool yet when it began to be limited, so that it has the sizes that are for its start. */
    private volatile boolean unstarted;

    /** What is to be given back and could not be, for want of stack or memory. */
    final ClaimSweep.Owed owed = new ClaimSweep.Owed();

    private final ListenerGuard listeners;
    private final StatisticsHistory history;
    private final @Nullable Resizer resizer;
    private final @Nullable WakeAndTrim steering;
    private final List<MetricsBinder.Binding> bindings = new ArrayList<>();
    /** Where the pool tells of its connects. */
    private final @Nullable ConnectTimes connects;

    private final StateReader states;
    private final LeaseTracker leases;
    private final ClaimSweep claims;
    /** Of a pool whose connections transactions keep; null of any other. */
    private final @Nullable TransactionLeases joined;

    private final NestedAcquisitions nesting;
    private final FailureHandler failures;
    private final Explainer explainer;
    private final EventLog events = new EventLog(InstantSource.system());
    private final Circuit circuit = new Circuit(this::circuitChanged);
    private final ModeSwitch modes;
    private final SizingLoop sizing;
    private final DecisionLog decisions;
    private final PoolLifecycle ending;
    /** When the last whole tick ended. */
    private volatile long tickedNanos;

    /** Takes a pool over. Nothing runs yet: see {@link #start()}. */
    public AcquiringPool(PoolConfig parts) {
        this.parts = parts;
        this.target = parts.target();
        this.adapter = parts.adapter();
        this.ticker = parts.ticker();
        long now = ticker.nanos();
        this.tickedNanos = now;
        this.listeners = new ListenerGuard(parts.name(), parts.listeners(), ticker);
        this.observer = listeners.guard(List.of(parts.observer()));
        this.slowNanos = parts.slowNanos();
        this.longLeaseNanos = parts.longLeaseNanos();
        this.ownTimeout = adapter.capabilities().contains(Capability.PER_CALL_TIMEOUT)
                && adapter.acquisitionTimeout().map(Duration::toNanos).orElse(Long.MAX_VALUE) != parts.timeoutNanos();
        this.turnover = new Turnover(recorder, now);
        this.history = new StatisticsHistory(recorder, listeners, now);
        this.connects =
                adapter.capabilities().contains(Capability.CONNECT_TIME) ? new ConnectTimes(adapter, recorder) : null;
        boolean told = parts.gated() || adapter.capabilities().contains(Capability.PENDING_COUNT);
        this.requests = told ? null : new StripedCounter(Stripes.count());
        if (parts.gated()) {
            Gate made = new Gate(parts.base(), ticker);
            this.gate = made;
            this.resizer = new Resizer(parts, made, recorder, turnover, listeners);
            this.steering = new WakeAndTrim(parts, made, resizer, listeners);
        } else {
            this.gate = null;
            this.resizer = null;
            this.steering = null;
        }
        this.states = new StateReader(adapter, gate, resizer, recorder, requests, listeners);
        this.leases = new LeaseTracker(parts, recorder, listeners, parts.gated() ? parts.ceiling() : maxOf(adapter));
        this.claims = new ClaimSweep(owed, recorder, leases, listeners, gate, requests);
        this.joined = joined(parts.adapter());
        this.nesting = new NestedAcquisitions(parts, leases, recorder, listeners, this::state);
        this.explainer = new Explainer(
                parts.name(), listeners, new Explainer.Sources(this::openLeases, history::past, this::course));
        listeners.add(events);
        this.failures = new FailureHandler(
                parts,
                new FailureHandler.Surroundings(
                        recorder, turnover, listeners, this::observer, resizer, this::state, this::closed, explainer));
        this.decisions = new DecisionLog(parts.name(), listeners);
        this.modes = new ModeSwitch(
                parts,
                gate,
                resizer,
                new ModeSwitch.Owner(this::closed, circuit::close, this::wake, this::limited, this::state, listeners));
        this.settled = !modes.limiting();
        this.ending = new PoolLifecycle(
                parts,
                modes,
                new PoolLifecycle.Ended(
                        gate, resizer, listeners, this::closed, this::refuseAll, this::stop, this::unbind));
        this.sizing = new SizingLoop(
                parts,
                new SizingLoop.Surroundings(
                        modes,
                        resizer,
                        () -> new WindowSource(recorder, leases, gate),
                        listeners,
                        decisions,
                        this::state,
                        this::wake));
        this.unstarted = !settled && !entered();
    }

    private void wake() {
        if (steering != null) {
            steering.grew();
        }
    }

    private @Nullable TransactionLeases joined(PoolAdapter of) {
        PoolTransactions transactions = of.capabilities().contains(Capability.TRANSACTIONS) ? of.transactions() : null;
        return transactions == null ? null : new TransactionLeases(transactions, this, leases, listeners);
    }

    private static int maxOf(PoolAdapter adapter) {
        try {
            return adapter.snapshot().max();
        } catch (Throwable unreadable) {
            // Only for the size of a table that grows by itself.
            return PoolSnapshot.UNKNOWN;
        }
    }

    /** Begins to watch: the backends are bound, the loop ticks. If that fails, nothing of it is left. */
    public void start() {
        try {
            List<LeaseObserver> observers = new ArrayList<>(List.of(parts.observer()));
            for (MetricsBinder binder : parts.metrics()) {
                MetricsBinder.Binding binding = binder.bind(this);
                bindings.add(binding);
                observers.add(binding.observer());
                listeners.add(binding);
            }
            observer = listeners.guard(observers);
            Housekeeper.shared().add(this);
        } catch (Throwable failed) {
            unbind();
            stop();
            throw failed;
        }
    }

    /** Logs how the pool is used; a log that throws is no reason to refuse the pool. */
    public void announce(String use) {
        listeners.guard(
                "the log",
                () -> LOG.info("{}: {} is {}", parts.name(), parts.adapter().type(), use));
    }

    private LeaseObserver observer() {
        return observer;
    }

    private void unbind() {
        for (MetricsBinder.Binding binding : bindings) {
            listeners.guard("a metrics backend", binding::unbind);
        }
    }

    // ---- the way of one call ----

    /** {@code getConnection()}. */
    public Connection acquire() throws SQLException {
        return acquire((ConnectionRequest) null);
    }

    /** {@code getConnection(user, password)}. */
    public Connection acquire(@Nullable String user, @Nullable String password) throws SQLException {
        return acquire(new Credentials(user, password));
    }

    /** {@code createConnectionBuilder()}: if the target has none, its exception. */
    public ConnectionBuilder connectionBuilder() throws SQLException {
        return new MonitoredConnectionBuilder(this, target.createConnectionBuilder());
    }

    Connection acquire(@Nullable ConnectionRequest who) throws SQLException {
        long requestedNanos = ticker.nanos();
        if (joined != null) {
            Connection further = joined.further(who, requestedNanos);
            if (further != null) {
                return further;
            }
        }
        LeaseTable.Slot held = leases.heldBy(Thread.currentThread());
        if (held != null) {
            checkNested(held, requestedNanos);
        }
        if (unusual != 0) {
            return acquireUnusually(who, requestedNanos);
        }
        Gate gate = this.gate;
        if (gate != null) {
            if (!gate.tryEnter(requestedNanos)) {
                return new SlowAcquisition(this, who, requestedNanos).waitThenOpen();
            }
        } else if (requests != null) {
            requests.increment((int) Thread.currentThread().getId());
        }
        Connection connection = null;
        try {
            connection = ownTimeout && modes.limiting() ? openWithin(who, parts.timeoutNanos()) : open(who);
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
            detour = new SlowAcquisition(this, who, requestedNanos);
        } catch (Throwable thrown) {
            failedUnforeseen(requestedNanos);
            throw thrown;
        }
        return detour.retryAfter(failure);
    }

    private void checkNested(LeaseTable.Slot held, long requestedNanos) throws SQLException {
        SQLException refusal = nesting.seen(Thread.currentThread(), held, requestedNanos);
        if (refusal != null) {
            if (requests != null) {
                requests.increment((int) Thread.currentThread().getId());
            }
            failures.gaveUp(refusal, AcquisitionFailure.of(Kind.REJECTED, refusal), requestedNanos, 1);
            throw refusal;
        }
    }

    private Connection acquireUnusually(@Nullable ConnectionRequest who, long requestedNanos) throws SQLException {
        SlowAcquisition detour = new SlowAcquisition(this, who, requestedNanos);
        if (requests != null) {
            requests.increment((int) Thread.currentThread().getId());
        }
        return detour.waitThenOpen();
    }

    Connection open(@Nullable ConnectionRequest who) throws SQLException {
        Connection connection = who == null ? target.getConnection() : who.open(target);
        if (connection == null) {
            throw new SQLException("flexpool '" + parts.name() + "': the pool gave null instead of a connection");
        }
        return connection;
    }

    /** With a timeout for this call where the pool can; else the pool's own. */
    Connection openWithin(@Nullable ConnectionRequest who, long nanos) throws SQLException {
        if (who == null && adapter.capabilities().contains(Capability.PER_CALL_TIMEOUT)) {
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
        if (closed()) {
            throw FailureHandler.closed(parts.name());
        }
        Connection further = joined == null ? null : joined(joined, connection);
        if (further != null) {
            return further;
        }
        long acquiredNanos = ticker.nanos();
        LeaseTable.Slot slot = leases.begin(requestedNanos, acquiredNanos);
        TransactionLeases.Joined kept = null;
        LeasedConnection lease;
        try {
            kept = joined == null ? null : joined.lease(slot, acquiredNanos);
            lease = leases.connection(slot, connection, kept == null ? this : kept, acquiredNanos);
            count(acquiredNanos - requestedNanos, acquiredNanos - attemptNanos, attempts);
        } catch (Throwable thrown) {
            LeaseTracker.drop(slot);
            throw thrown;
        }
        try {
            if (kept != null) {
                kept.keep(connection);
            }
            tellAcquired(requestedNanos, acquiredNanos);
        } catch (Throwable thrown) {
            // The lease has begun, and is the application's whatever becomes of the news.
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
        failures.gaveUp(failure, failures.classify(failure, now() - requestedNanos, requestedNanos), requestedNanos, 1);
        return FailureHandler.rethrow(failure);
    }

    private void tellAcquired(long requestedNanos, long acquiredNanos) {
        if (!settled) {
            settle();
        }
        observer.acquired(requestedNanos, acquiredNanos, AcquisitionOutcome.OK);
        if (acquiredNanos - requestedNanos > slowNanos) {
            tellSlow(acquiredNanos - requestedNanos, acquiredNanos);
        }
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
            ending.closeAgain();
            failures.gaveUp(thrown, AcquisitionFailure.of(Kind.CLOSED, thrown), requestedNanos, attempts);
        } else {
            failedUnforeseen(requestedNanos);
        }
        return FailureHandler.rethrow(thrown);
    }

    /** A request fails, and nobody has foreseen why. */
    void failedUnforeseen(long requestedNanos) {
        recorder.failed(nowOr(requestedNanos) - requestedNanos, AcquisitionOutcome.ERROR);
    }

    /** The pool may have opened again for a request that was inside. */
    void closeAgain() {
        ending.closeAgain();
    }

    /** If it throws, nothing counts as acquired. */
    private void count(long waitedNanos, long attemptNanos, int attempts) {
        if (attemptNanos == waitedNanos) {
            recorder.acquired(waitedNanos, (int) Thread.currentThread().getId());
        } else {
            if (attempts > 1) {
                recorder.retried(attempts - 1);
            }
            recorder.acquiredAfterDetour(waitedNanos, attemptNanos);
        }
    }

    private void tellSlow(long waitedNanos, long nowNanos) {
        PoolEvent.AcquisitionSlow event = new PoolEvent.AcquisitionSlow(parts.name(), waitedNanos, state(nowNanos));
        listeners.tell(listener -> listener.onAcquisitionSlow(event));
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

    /** Never throws once it has begun: each of its steps is done whatever the others throw, at the latest by the loop. */
    private void end(long acquiredNanos, int place, boolean reclaimed) {
        long nowNanos = acquiredNanos;
        try {
            nowNanos = ticker.nanos();
        } catch (Throwable thrown) {
            owed.lastThrown = thrown;
        }
        long heldNanos = nowNanos - acquiredNanos;
        LeakDetector.Suspect suspect = null;
        try {
            suspect = leases.end(place, heldNanos);
        } catch (Throwable thrown) {
            owed.slot = place + 1;
        }
        try {
            recorder.released(heldNanos);
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
            tellReleased(acquiredNanos, nowNanos, suspect, reclaimed);
        } catch (Throwable thrown) {
            owed.lastThrown = thrown;
        }
    }

    private void tellReleased(
            long acquiredNanos, long nowNanos, LeakDetector.@Nullable Suspect suspect, boolean reclaimed) {
        observer.released(acquiredNanos, nowNanos);
        long heldNanos = nowNanos - acquiredNanos;
        if (suspect != null) {
            leases.resolved(suspect, heldNanos, reclaimed);
            listeners.deliver();
        }
        if (heldNanos > longLeaseNanos) {
            PoolEvent.LeaseLong event = new PoolEvent.LeaseLong(parts.name(), heldNanos);
            listeners.tell(listener -> listener.onLeaseLong(event));
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

    /**
     * After a failed attempt: a pool that exists is held to its limit although it has given no connection yet, and one that
     * could not start is not left with the sizes that were set for its start, for it may be used directly.
     */
    void alignAfterFailure() {
        if (unstarted && !settled) {
            settle();
            if (!settled && resizer != null) {
                resizer.align();
            }
        }
    }

    /** The same of a pool that exists before it has given or refused anything, or whose start hangs. */
    private void alignBeforeTheFirst(PoolState state, long now) {
        if (unstarted && !settled) {
            settle();
            if (!settled && resizer != null && state.entering() > 0 && turnover.quietNanos(now) > STUCK_START_NANOS) {
                resizer.align();
            }
        }
    }

    private void limited() {
        settled = false;
        unstarted = !entered();
    }

    private boolean entered() {
        try {
            return adapter.entered();
        } catch (Throwable thrown) {
            listeners.failed("the adapter's start", thrown);
            return true;
        }
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

    // ---- what a detour asks ----

    long now() {
        return ticker.nanos();
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

    /** Whether the watch has ended, with the pool or without. */
    public boolean closed() {
        return (unusual & CLOSED) != 0;
    }

    /** Whether the pool behind was closed by its owner, as far as it shows that. */
    boolean closedBehind() {
        try {
            return adapter.isClosed();
        } catch (Throwable thrown) {
            listeners.failed("the adapter's isClosed", thrown);
            return false;
        }
    }

    /** Whether strategies are asked: not while the pool is only watched. */
    boolean asksStrategies() {
        return modes.asksStrategies();
    }

    Circuit circuit() {
        return circuit;
    }

    /** Opens the circuit, unless the pool is only watched by now. */
    void trip(Duration openFor) {
        circuit.trip(now(), (openFor.compareTo(LONGEST_OPEN) < 0 ? openFor : LONGEST_OPEN).toNanos());
        if (!modes.asksStrategies()) {
            circuit.close();
        }
    }

    FailureHandler failures() {
        return failures;
    }

    Turnover turnover() {
        return turnover;
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

    List<Consulted> strategies() {
        return parts.strategies();
    }

    Resizer.Growth grow(int room) {
        Resizer.Growth growth = resizer == null ? Resizer.Growth.REFUSED : resizer.grow(room, this::state);
        if (growth == Resizer.Growth.GREW) {
            wake();
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

    /** Also when many change it at once, the word says in the end what the circuit is: each looks again after writing. */
    private void circuitChanged(CircuitPhase phase) {
        boolean open;
        do {
            open = circuit.phase() != CircuitPhase.CLOSED;
            if (open) {
                UNUSUAL.getAndBitwiseOr(this, CIRCUIT);
            } else {
                UNUSUAL.getAndBitwiseAnd(this, ~CIRCUIT);
            }
        } while (open != (circuit.phase() != CircuitPhase.CLOSED));
        listeners.guard("telling of the circuit", () -> tellCircuit(phase));
    }

    private void tellCircuit(CircuitPhase phase) {
        long now = now();
        PoolEvent.CircuitChanged event = new PoolEvent.CircuitChanged(
                parts.name(),
                phase,
                circuit.openForNanos(now),
                failures.connectFailuresInARow(),
                failures.lastConnectFailure(),
                state(now));
        listeners.guard("the log", () -> {
            if (phase == CircuitPhase.OPEN) {
                LOG.warn("{}", event.describe());
            } else {
                LOG.info("{}", event.describe());
            }
        });
        listeners.raise(listener -> listener.onCircuitChanged(event));
        if (modes.asksStrategies()) {
            // Else it is the switch of the mode that has closed it, and delivers what it brought.
            listeners.deliver();
        }
    }

    /** While the sizing controller acts, what a strategy would grow is refused. */
    private FailureSnapshot.SizingStatus course() {
        PoolMode mode = modes.mode();
        boolean grows = mode == PoolMode.OBSERVE && modes.limiting() && parts.grows();
        return new FailureSnapshot.SizingStatus(mode, grows, decisions.last(mode));
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
        return states.at(nowNanos, modes.limiting());
    }

    /** What is asked when the pool would not give, in the order of precedence; also while the pool is only watched. */
    public List<AcquisitionStrategy> configured() {
        return parts.strategies().stream().map(Consulted::strategy).toList();
    }

    @Override
    public boolean tells(PoolMetric metric) {
        return metric != PoolMetric.CONNECT || connects != null;
    }

    @Override
    public PoolStatistics statistics() {
        return history.statistics(now());
    }

    @Override
    public WatchState watch() {
        if (closed()) {
            return new WatchState(0, listeners.dropped(), List.of());
        }
        long now = now();
        long age = Math.max(0, now - tickedNanos);
        List<String> troubles = new ArrayList<>();
        if (age >= WatchState.STALLED_NANOS) {
            troubles.add(
                    states.hangs()
                            ? "the reading of the pool has not returned"
                            : "the watch over this pool stands still");
        }
        Stream.of(listeners.blocked(now), leases.hanging(now), steering == null ? null : steering.hanging(now))
                .filter(Objects::nonNull)
                .forEach(troubles::add);
        return new WatchState(age, listeners.dropped(), troubles);
    }

    @Override
    public List<RecentEvent> recentEvents() {
        return events.events();
    }

    @Override
    public @Nullable Explanation lastExplanation() {
        return explainer.last();
    }

    @Override
    public List<OpenLease> openLeases() {
        return leases.open(now());
    }

    /**
     * The open leases, each under a number that no other lease of this pool has.
     *
     * @return also of a pool that is closed
     */
    public Map<Long, OpenLease> numberedLeases() {
        return leases.numbered(now());
    }

    /**
     * From now on every lease has its call site captured, and every nested request is told.
     *
     * @param nested called on the thread that asks
     * @return ends it
     */
    public Runnable watchClosely(Consumer<PoolEvent.NestedAcquisition> nested) {
        return leases.watchClosely(nesting.tellAll(nested));
    }

    @Override
    public List<CallSiteStatistics> callSites() {
        return leases.callSites();
    }

    /** One tick on the calling thread, on which listeners see what came of it: for tests, whose time is their own. */
    public void tick() {
        look(0);
        listeners.deliver();
        // What another thread was delivering has been delivered too.
        listeners.settle();
    }

    @Override
    public void beat(long lateNanos) {
        try {
            look(lateNanos);
        } finally {
            listeners.deliverElsewhere();
        }
    }

    @Override
    public void leftAlone(boolean alone) {
        states.leftAlone(alone);
    }

    /** Samples, copies, and what is due for the size. */
    private void look(long lateNanos) {
        long now = now();
        PoolState state = states.read(now, modes.limiting());
        if (connects != null) {
            listeners.guard("the adapter's connects", connects::look);
        }
        history.tick(now, state);
        turnover.quietNanos(now);
        explainer.warm(state, now);
        listeners.guard("the walk through the leases", () -> leases.tick(now, lateNanos, state));
        if (joined != null) {
            listeners.guard("the leases of transactions", joined::look);
        }
        listeners.guard("the look at the claims", () -> claims.look(now, state.pool()));
        if (!closed()) {
            sizing.tick(now, state);
            if (steering != null && modes.limiting()) {
                steering.tick(now, state);
                if (gate != null && state.waiting() > 0 && closedBehind()) {
                    gate.recall();
                }
                alignBeforeTheFirst(state, now);
            }
        }
        listeners.reportBlocked(now);
        tickedNanos = now();
    }

    // ---- at run time, and the end ----

    @Override
    public PoolMode mode() {
        return modes.mode();
    }

    @Override
    public boolean mode(PoolMode wanted) {
        return modes.mode(wanted);
    }

    @Override
    public boolean limitAgain() {
        return modes.limitAgain();
    }

    @Override
    public void limits(int base, int ceiling) {
        modes.limits(base, ceiling);
    }

    @Override
    public List<Decision> decisions() {
        return decisions.all();
    }

    /**
     * Closes the pool behind, lets those who wait go with an SQLException, unbinds the backends. The second call does
     * nothing.
     *
     * @return true if this was the first call
     */
    public boolean close() {
        return ending.close();
    }

    /**
     * As {@link #close()}, but the pool stays open, with its own sizes.
     *
     * @return true if this was the first call of either
     */
    public boolean release() {
        return ending.release();
    }

    /** From now on every request is refused. */
    private void refuseAll() {
        UNUSUAL.getAndBitwiseOr(this, CLOSED);
    }

    /** Nothing of flexpool's own runs for this pool any more. */
    private void stop() {
        Housekeeper.shared().remove(this);
        leases.close();
        if (steering != null) {
            steering.close();
        }
    }
}
