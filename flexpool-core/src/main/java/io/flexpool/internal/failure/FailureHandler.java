// SPDX-License-Identifier: Apache-2.0
package io.flexpool.internal.failure;

import io.flexpool.adapter.AcquisitionFailure;
import io.flexpool.adapter.AcquisitionFailure.Kind;
import io.flexpool.adapter.PoolAdapter;
import io.flexpool.diagnostics.Explanation;
import io.flexpool.event.PoolEvent;
import io.flexpool.internal.context.PoolContext;
import io.flexpool.internal.context.StateReader;
import io.flexpool.internal.event.Events;
import io.flexpool.internal.event.ListenerGuard;
import io.flexpool.internal.event.RateLimit;
import io.flexpool.internal.gate.AdmissionState;
import io.flexpool.internal.record.Recorder;
import io.flexpool.internal.record.Turnover;
import io.flexpool.internal.resize.Limiter;
import io.flexpool.internal.resize.Resizer;
import io.flexpool.monitoring.LeaseObserver;
import io.flexpool.pool.AcquisitionOutcome;
import io.flexpool.pool.PoolSnapshot;
import io.flexpool.pool.PoolState;
import io.flexpool.pool.Ticker;
import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What happens when an acquisition fails: why it failed, what is remembered of it, and what the caller, the log and the
 * listeners are told. Thread-safe.
 */
public final class FailureHandler {
    private static final Logger LOG = LoggerFactory.getLogger("io.flexpool");
    private static final long LOG_SPAN_NANOS = 1_000_000_000L;
    /** "The client was unable to establish the connection": what an open circuit says. */
    public static final String UNREACHABLE = "08001";

    private final String name;
    private final PoolAdapter adapter;
    private final Ticker ticker;
    private final long timeoutNanos;
    private final Recorder recorder;
    private final Turnover turnover;
    private final ListenerGuard listeners;
    /** Another one once the backends are bound. */
    private volatile LeaseObserver observer;

    private final @Nullable Resizer resizer;
    private final StateReader states;
    private final AdmissionState admission;
    private final Explainer explainer;
    private final RateLimit timeoutLog;
    private final RateLimit connectLog;
    private final RateLimit rejectionLog;
    private static final long SECOND_LOOK_NANOS = 20_000_000;
    /** Beside other work a crowd may get no processor for about as long. */
    private static final long SHORTEST_SILENCE_NANOS = 150_000_000;

    private static final AcquisitionFailure NOTHING_CAME = new AcquisitionFailure(
            Kind.CONNECT_FAILED, null, "all permits are inside the pool's getConnection() and none came back");

    private final AtomicReference<Streak> streak = new AtomicReference<>(new Streak(0, 0));
    private volatile @Nullable ConnectFailure lastConnectFailure;

    /** What was thrown, and what the adapter made of it: a pool may throw less than it knows. */
    private record ConnectFailure(Throwable thrown, AcquisitionFailure why, long nanos) {
        /** Whether nobody has seen the connect fail, and the pool only gave nothing in time. */
        boolean presumed() {
            return why.sqlState() == null && !AcquisitionFailure.refusedByDatabase(thrown);
        }
    }

    /** Connect failures since the last acquisition, and how many acquisitions there had been by then. */
    private record Streak(long acquired, int connectFailures) {
        Streak next(long acquiredNow) {
            return new Streak(acquiredNow, acquiredNow == acquired ? connectFailures + 1 : 1);
        }
    }

    public FailureHandler(PoolContext context, @Nullable Limiter limiter, Explainer explainer) {
        this.name = context.name();
        this.adapter = context.adapter();
        this.ticker = context.ticker();
        this.timeoutNanos = context.config().timeoutNanos();
        this.recorder = context.recorder();
        this.turnover = context.turnover();
        this.listeners = context.listeners();
        this.observer = context.listeners().guard(List.of(context.config().observer()));
        this.resizer = limiter == null ? null : limiter.resizer();
        this.states = context.states();
        this.admission = context.admission();
        this.explainer = explainer;
        this.timeoutLog = new RateLimit(LOG_SPAN_NANOS, ticker.nanos());
        this.connectLog = new RateLimit(LOG_SPAN_NANOS, ticker.nanos());
        this.rejectionLog = new RateLimit(LOG_SPAN_NANOS, ticker.nanos());
    }

    /** From now on this one sees every request that fails. */
    public void observe(LeaseObserver guarded) {
        observer = guarded;
    }

    /**
     * Why an attempt inside the pool failed. A connect failure is remembered and told, and takes growth back.
     *
     * @param attemptNanos how long the attempt took
     * @param requestedNanos when the request was made whose attempt it was
     */
    public AcquisitionFailure classify(Throwable failure, long attemptNanos, long requestedNanos) {
        if (admission.closed()) {
            return AcquisitionFailure.of(Kind.CLOSED, failure);
        }
        AcquisitionFailure why;
        try {
            PoolSnapshot snapshot = adapter.snapshot();
            why = adapter.classify(failure, snapshot, attemptNanos);
            if (why.kind() == Kind.EXHAUSTED && nothingIsOut(snapshot)) {
                why = AcquisitionFailure.of(Kind.CONNECT_FAILED, failure);
            }
        } catch (Throwable thrown) {
            listeners.failed("the adapter's classify", thrown);
            why = AcquisitionFailure.of(Kind.OTHER, failure);
        }
        if (onItsWay(why, failure, attemptNanos, requestedNanos)) {
            why = AcquisitionFailure.of(Kind.EXHAUSTED, failure);
        }
        if (why.kind() == Kind.CONNECT_FAILED) {
            connectFailed(failure, why, attemptNanos, requestedNanos);
        } else if (why.kind() == Kind.EXHAUSTED) {
            AcquisitionFailure outage = outageSince(requestedNanos, states.at(ticker.nanos()));
            if (outage != null) {
                tellConnectFailed(outage, attemptNanos, requestedNanos);
                return outage;
            }
        }
        return why;
    }

    /**
     * Whether all that the pool counts as out are requests that still connect: none is leased, none is free, and as many
     * requests are unanswered as the pool has places taken. Some pools are full, in their own eyes, of a database that
     * hangs.
     */
    private boolean nothingIsOut(PoolSnapshot snapshot) {
        long acquired = recorder.acquired();
        if (!looksLikeNothingOut(snapshot)) {
            return false;
        }
        // Under load connections are on their way from one request to the next; then some are acquired in a moment.
        LockSupport.parkNanos(SECOND_LOOK_NANOS);
        return recorder.acquired() == acquired && looksLikeNothingOut(adapter.snapshot());
    }

    private boolean looksLikeNothingOut(PoolSnapshot snapshot) {
        PoolState state = states.at(ticker.nanos());
        return state.leased() + state.foreign() == 0
                && snapshot.idle() <= 0
                && snapshot.active() > 0
                && snapshot.active() <= state.pending();
    }

    /**
     * Whether a request gave up and nothing was refused, on a pool that has just grown, or that gave others connections in
     * the second half of that time: connections are being opened, more slowly than the request could wait. Taken for an
     * outage, growth would be taken back before it is there.
     */
    private boolean onItsWay(AcquisitionFailure why, Throwable failure, long attemptNanos, long requestedNanos) {
        long now = ticker.nanos();
        return why.kind() == Kind.CONNECT_FAILED
                && new ConnectFailure(failure, why, now).presumed()
                && resizer != null
                && (resizer.grewSince(requestedNanos - timeoutNanos)
                        || turnover.cameSince(now - attemptNanos / 2, now));
    }

    /**
     * The connect failure that a request waited through: it came since the request was made, and the pool still lacks
     * connections. A pool forgets its last connect failure with the first connect that succeeds, and those who time out
     * in that moment are told nothing of it.
     */
    private @Nullable AcquisitionFailure outageSince(long requestedNanos, PoolState state) {
        ConnectFailure last = lastConnectFailure;
        return last != null && last.nanos() - requestedNanos >= 0 && !full(state) ? last.why() : null;
    }

    /** Whether the pool has all the connections that it may have; a pool that does not tell is taken at its word. */
    private static boolean full(PoolState state) {
        int most = state.bound() ? state.limit() : state.pool().max();
        return state.pool().total() == PoolSnapshot.UNKNOWN || state.pool().total() >= most;
    }

    private void connectFailed(Throwable failure, AcquisitionFailure why, long attemptNanos, long requestedNanos) {
        ConnectFailure last = new ConnectFailure(failure, why, ticker.nanos());
        lastConnectFailure = last;
        streak.updateAndGet(before -> before.next(recorder.acquired()));
        tellConnectFailed(why, attemptNanos, requestedNanos);
        if (resizer != null) {
            resizer.connectFailed(last.presumed());
        }
    }

    /** Written out: in the JDK a record's own {@code equals} holds the record's class loader for good. */
    private static boolean same(AcquisitionFailure one, AcquisitionFailure other) {
        return one.kind() == other.kind()
                && Objects.equals(one.sqlState(), other.sqlState())
                && one.reason().equals(other.reason());
    }

    /** Also for a request that gave up at the gate because those in front of it could not connect. */
    public void tellConnectFailed(AcquisitionFailure why, long waitedNanos, long requestedNanos) {
        long now = ticker.nanos();
        ConnectFailure last = lastConnectFailure;
        if (resizer != null) {
            resizer.hold(last == null || !same(last.why(), why) || last.presumed());
        }
        recorder.connectFailed();
        PoolState state = states.at(now);
        Explanation explanation = explain(why, state, 1, requestedNanos, now).explanation();
        PoolEvent.ConnectFailed event = new Events.ConnectFailed(
                name, Duration.ofNanos(waitedNanos), why.sqlState(), why.reason(), state, explanation);
        if (connectLog.permits(now)) {
            listeners.guard("the log", () -> LOG.warn("{}", event.describe()));
        }
        listeners.tell(event);
    }

    /**
     * Why a request got no permit: exhausted, unless the evidence says that the permits' holders cannot connect, which
     * is a connect failure since the request was made while the pool is not full; or no connection out, and none
     * acquired by any request for half of the acquisition timeout. With leases shorter than a look at them none is seen to
     * be out in a crowd either, but connections come.
     */
    public AcquisitionFailure failureAtGate(long requestedNanos) {
        long now = ticker.nanos();
        PoolState state = states.at(now);
        ConnectFailure last = lastConnectFailure;
        AcquisitionFailure failed = last != null && last.nanos() - requestedNanos >= 0 ? last.why() : null;
        if (failed != null && !full(state)) {
            return failed;
        }
        long enough = Math.max(timeoutNanos / 2, SHORTEST_SILENCE_NANOS);
        if (state.leased() + state.foreign() == 0 && !starved(state) && turnover.quietNanos(now) >= enough) {
            return failed == null ? NOTHING_CAME : failed;
        }
        return new AcquisitionFailure(Kind.EXHAUSTED, null, "no connection came back in time");
    }

    /** Whether threads that have a permit are not inside the pool yet, which has connections for them: they lack a processor. */
    private static boolean starved(PoolState state) {
        PoolSnapshot pool = state.pool();
        int inside = Math.max(0, pool.active()) + Math.max(0, pool.pending());
        return pool.idle() > 0 && pool.active() != PoolSnapshot.UNKNOWN && inside < state.leased() + state.entering();
    }

    /** Connect failures since the last acquisition. */
    public int connectFailuresInARow() {
        Streak last = Objects.requireNonNull(streak.get());
        return last.acquired() == recorder.acquired() ? last.connectFailures() : 0;
    }

    /** The last connect failure in words: type, SQLState, first line; empty if there was none. */
    public String lastConnectFailure() {
        ConnectFailure last = lastConnectFailure;
        if (last == null) {
            return "";
        }
        AcquisitionFailure described = last.why();
        return (described.sqlState() == null ? "" : "SQLState " + described.sqlState() + ", ") + described.reason();
    }

    public boolean connectFailedSince(long nanos) {
        ConnectFailure last = lastConnectFailure;
        return last != null && last.nanos() - nanos >= 0;
    }

    /** Of the pool's own class; with the driver's exception as the cause if the database refuses. */
    public SQLException timeoutException(String report, AcquisitionFailure why, long requestedNanos) {
        SQLException cause = null;
        ConnectFailure last = lastConnectFailure;
        if (why.kind() == Kind.CONNECT_FAILED && last != null && last.nanos() - requestedNanos >= 0) {
            for (Throwable at : AcquisitionFailure.chain(last.thrown())) {
                if (at instanceof SQLException sql) {
                    cause = sql;
                }
            }
            if (cause != null && cause.getSQLState() == null && last.why().sqlState() != null) {
                cause = new SQLException(last.why().reason(), last.why().sqlState(), cause);
            }
        }
        return ofThePoolsClass(report, cause);
    }

    /**
     * For a request that a strategy turns away.
     *
     * @param unreachable whether because the database is taken to be down: then with SQLState 08001 and the last failure
     */
    public SQLException rejection(String report, boolean unreachable) {
        ConnectFailure last = lastConnectFailure;
        SQLException cause = unreachable
                ? new SQLException(
                        "the circuit is open; last connect failure: " + lastConnectFailure(),
                        UNREACHABLE,
                        last == null ? null : last.thrown())
                : null;
        return ofThePoolsClass(report, cause);
    }

    private SQLException ofThePoolsClass(String report, @Nullable SQLException cause) {
        try {
            return adapter.timeout(report, cause);
        } catch (Throwable thrown) {
            listeners.failed("the adapter's timeout", thrown);
            return new SQLTransientConnectionException(report, cause == null ? null : cause.getSQLState(), cause);
        }
    }

    /** What a request that fails is told. */
    public String reportText(AcquisitionFailure why, long requestedNanos, int attempts) {
        long now = ticker.nanos();
        return explain(why, states.at(now), attempts, requestedNanos, now).text();
    }

    private Explainer.Told explain(
            AcquisitionFailure why, PoolState state, int attempts, long requestedNanos, long now) {
        String summary = ExceptionReport.text(name, why, now - requestedNanos, attempts, state, listeners.traceId());
        return explainer.explain(summary, why, state, attempts, requestedNanos, now);
    }

    /** A request failed for good: records, reports, tells. */
    public void gaveUp(Throwable thrown, AcquisitionFailure why, long requestedNanos, int attempts) {
        long now = requestedNanos;
        AcquisitionOutcome outcome = switch (why.kind()) {
            case EXHAUSTED -> AcquisitionOutcome.TIMEOUT;
            case CONNECT_FAILED -> AcquisitionOutcome.CONNECT_FAILURE;
            case INTERRUPTED -> AcquisitionOutcome.INTERRUPTED;
            case CLOSED, REJECTED -> AcquisitionOutcome.REJECTED;
            case OTHER -> AcquisitionOutcome.ERROR;
        };
        try {
            now = ticker.nanos();
        } finally {
            // Every request that begins ends, whatever the clock does.
            recorder.failed(now - requestedNanos, outcome);
        }
        if (attempts > 1) {
            recorder.retried(attempts - 1);
        }
        observer.acquired(requestedNanos, now, outcome);
        // A report that cannot be made must not replace the failure.
        long endedNanos = now;
        listeners.guard("the report", () -> report(thrown, why, requestedNanos, attempts, endedNanos));
    }

    private void report(Throwable thrown, AcquisitionFailure why, long requestedNanos, int attempts, long now) {
        long waitedNanos = now - requestedNanos;
        PoolState state = states.at(now);
        Explainer.Told told = explain(why, state, attempts, requestedNanos, now);
        String report = told.text();
        if (!ours(thrown)) {
            ExceptionReport.attach(thrown, report);
        }
        if (why.kind() == Kind.EXHAUSTED) {
            // What is explained in full is at most one a second too.
            if (timeoutLog.permits(now) || told.explanation() != null) {
                LOG.warn("{}", report);
            }
            PoolEvent.AcquisitionTimedOut event = new Events.AcquisitionTimedOut(
                    name,
                    Duration.ofNanos(waitedNanos),
                    attempts,
                    state,
                    report,
                    listeners.traceId(),
                    told.explanation());
            listeners.tell(event);
        }
        if (why.kind() == Kind.REJECTED) {
            if (rejectionLog.permits(now)) {
                LOG.warn("{}", report);
            }
            PoolEvent.AcquisitionRejected event =
                    new Events.AcquisitionRejected(name, Duration.ofNanos(waitedNanos), state, report);
            listeners.tell(event);
        }
    }

    /** Whether the exception is one of ours, whose message is the report already. */
    private static boolean ours(Throwable thrown) {
        String message = thrown.getMessage();
        return message != null && message.startsWith("flexpool '");
    }

    public static SQLException closed(String name) {
        return new SQLException("flexpool '" + name + "' is closed", "08003");
    }

    /** Throws the object itself, checked or not, declared or not: a decorator does not change what was thrown. */
    public static SQLException rethrow(Throwable thrown) throws SQLException {
        FailureHandler.<RuntimeException>sneak(thrown);
        throw new AssertionError(thrown);
    }

    @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"})
    private static <T extends Throwable> void sneak(Throwable thrown) throws T {
        throw (T) thrown;
    }
}
