// SPDX-License-Identifier: Apache-2.0
package io.flexpool.internal.failure;

import io.flexpool.adapter.AcquisitionFailure;
import io.flexpool.adapter.AcquisitionFailure.Kind;
import io.flexpool.event.PoolEvent;
import io.flexpool.internal.context.PoolContext;
import io.flexpool.internal.event.Events;
import io.flexpool.internal.event.ListenerGuard;
import io.flexpool.internal.event.RateLimit;
import io.flexpool.internal.failure.FailedAttempt.Attempt;
import io.flexpool.internal.gate.Circuit;
import io.flexpool.internal.resize.Limiter;
import io.flexpool.internal.resize.Resizer;
import io.flexpool.monitoring.LeaseObserver;
import io.flexpool.pool.ShedException;
import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Handles a failed acquisition: creates its {@linkplain FailedAttempt failure}, stores a connect failure and stops
 * growth, and reports to the log, the listeners and the caller's exception. Thread-safe.
 */
public final class FailureHandler {
    private static final Logger LOG = LoggerFactory.getLogger("io.flexpool");
    private static final long LOG_SPAN_NANOS = 1_000_000_000L;
    /** "The client was unable to establish the connection": the SQLState while the circuit is open. */
    public static final String UNREACHABLE = "08001";
    /** "Cannot connect now": the SQLState while the pool drains, as of a server that shuts down. */
    public static final String DRAINING = "57P03";

    private final PoolContext context;
    private final ListenerGuard listeners;
    private final @Nullable Resizer resizer;
    private final ConnectFailures connects;
    private final Circuit circuit;
    private final FailureClassifier classifier;
    private final Explainer explainer;
    private final RateLimit timeoutLog;
    private final RateLimit connectLog;
    private final RateLimit rejectionLog;
    /** Replaced when the backends are bound. */
    private volatile LeaseObserver observer = LeaseObserver.NONE;

    /** Handles the failures of a pool; the limiter is null if the pool is never limited. */
    public FailureHandler(PoolContext context, @Nullable Limiter limiter, Explainer explainer) {
        this.context = context;
        this.listeners = context.listeners();
        this.resizer = limiter == null ? null : limiter.resizer();
        this.connects = new ConnectFailures(context);
        this.circuit = new Circuit(context.admissionState(), connects);
        this.classifier = new FailureClassifier(context, resizer, connects);
        this.explainer = explainer;
        long now = context.nanos();
        this.timeoutLog = new RateLimit(LOG_SPAN_NANOS, now);
        this.connectLog = new RateLimit(LOG_SPAN_NANOS, now);
        this.rejectionLog = new RateLimit(LOG_SPAN_NANOS, now);
    }

    public void observe(LeaseObserver guarded) {
        observer = guarded;
    }

    public Circuit circuit() {
        return circuit;
    }

    public ConnectFailures connects() {
        return connects;
    }

    // ---- a failure is made ----

    /** Handles a failed attempt in the pool. A connect failure is reported even before a retry, and reverts growth. */
    public FailedAttempt inPool(Throwable thrown, Attempt attempt) {
        FailedAttempt failed = classifier.inPool(thrown, attempt);
        if (failed.kind() != Kind.CONNECT_FAILED) {
            return failed;
        }
        boolean own = failed.outage() == null;
        if (own) {
            connects.add(failed);
        }
        FailedAttempt reported = connectFailed(failed);
        if (own && resizer != null) {
            resizer.connectFailed(failed.presumed(), failed.state(), attempt.beganNanos());
        }
        return reported;
    }

    /** Handles an attempt that timed out at the gate. Reports nothing, because more evidence may follow. */
    public FailedAttempt atGate(Attempt attempt) {
        return classifier.atGate(attempt);
    }

    public FailedAttempt turnedAway(AcquisitionFailure why, Attempt attempt) {
        long now = context.nanos();
        return new FailedAttempt(attempt, now, why, context.stateAfterFailure(context.state(now)), null, null);
    }

    /** Makes the report of a failure, unless it has been made. */
    public FailedAttempt explained(FailedAttempt failed) {
        return explainer.explain(failed);
    }

    // ---- a failure is reported ----

    /** Reports a connect failure, also of a request at the gate behind requests that could not connect. */
    public FailedAttempt connectFailed(FailedAttempt failed) {
        if (resizer != null) {
            resizer.hold(failed.presumed());
        }
        context.recorder().connectFailed();
        FailedAttempt explained = explainer.explain(failed);
        PoolEvent.ConnectFailed event = new Events.ConnectFailed(
                context.name(),
                Duration.ofNanos(failed.failedNanos() - failed.attempt().beganNanos()),
                failed.why().sqlState(),
                failed.why().reason(),
                failed.state(),
                explained.explanation(),
                String.valueOf(explained.report()));
        if (connectLog.permits(failed.failedNanos())) {
            log(event.describe());
        }
        listeners.publish(event);
        return explained;
    }

    /** Counts and reports a failed request. The report is added to {@code own}, the pool's exception, if given. */
    public void gaveUp(FailedAttempt failed, @Nullable Throwable own) {
        FailedAttempt.Attempt attempt = failed.attempt();
        FailedAttempt.OfClass its = attempt.requestClass();
        count(failed.kind(), attempt.requestedNanos(), attempt.number(), its == null ? 0 : its.number());
        // A report that cannot be made must not replace the failure.
        listeners.guard("the report", () -> report(explainer.explain(failed), own));
    }

    /** Counts a request that failed for good, and needs no report beyond its exception. */
    public void count(Kind kind, long requestedNanos, int attempts) {
        // The records of failed requests do not depend on the class.
        count(kind, requestedNanos, attempts, 0);
    }

    private void count(Kind kind, long requestedNanos, int attempts, int requestClass) {
        long now = requestedNanos;
        try {
            now = context.nanos();
        } finally {
            // Every request that begins ends, also if the clock throws.
            context.recorder().failed(now - requestedNanos, kind.outcome());
            context.recorder().log().failed(requestedNanos, now - requestedNanos, kind.outcome(), requestClass);
        }
        if (attempts > 1) {
            context.recorder().retried(attempts - 1);
        }
        observer.acquired(requestedNanos, now, kind.outcome());
    }

    private void report(FailedAttempt failed, @Nullable Throwable own) {
        String report = String.valueOf(failed.report());
        if (own != null) {
            attach(own, report);
        }
        if (failed.kind() == Kind.EXHAUSTED) {
            // Full explanations are also limited to one a second.
            if (timeoutLog.permits(failed.failedNanos()) || failed.explanation() != null) {
                log(report);
            }
            listeners.publish(new Events.AcquisitionTimedOut(
                    context.name(),
                    Duration.ofNanos(failed.waitedNanos()),
                    failed.attempt().number(),
                    failed.state(),
                    report,
                    listeners.traceId(),
                    failed.explanation()));
        }
        if (failed.kind() == Kind.REJECTED || failed.kind() == Kind.SHED) {
            if (rejectionLog.permits(failed.failedNanos())) {
                log(report);
            }
            listeners.publish(new Events.AcquisitionRejected(
                    context.name(),
                    Duration.ofNanos(failed.waitedNanos()),
                    failed.state(),
                    report,
                    failed.retryAfter()));
        }
    }

    private void log(String line) {
        listeners.guard("the log appender", () -> LOG.warn("{}", line));
    }

    // ---- the caller's exception ----

    /** Attaches a suppressed exception without a stack, but not twice: pools may throw one object to many callers. */
    private void attach(Throwable own, String report) {
        String start = context.name() + FailedAttempt.NO_CONNECTION;
        for (Throwable suppressed : own.getSuppressed()) {
            String message = suppressed.getMessage();
            if (suppressed instanceof SQLException && message != null && message.startsWith(start)) {
                return;
            }
        }
        SQLException carrier = new SQLException(report);
        carrier.setStackTrace(new StackTraceElement[0]);
        own.addSuppressed(carrier);
    }

    /**
     * The exception of a request that never reached the pool: of the pool's own class, with the report as message. Its
     * cause is the driver's exception if the request waited during an outage, the last connect failure while the
     * circuit is open, the reason while the pool drains, or the retry time if the request was shed.
     */
    public SQLException exception(FailedAttempt explained) {
        String report = String.valueOf(explained.report());
        SQLException cause =
                explained.kind() == Kind.REJECTED && explained.why().sqlState() != null
                        ? turnedAwayBecause(explained.why())
                        : driversException(explained.outage());
        SQLException made = exception(report, cause);
        Duration retryAfter = explained.retryAfter();
        if (retryAfter != null) {
            because(made, new ShedException(report, retryAfter));
        }
        return made;
    }

    private SQLException exception(String report, @Nullable SQLException cause) {
        SQLException own =
                listeners.ask("the adapter's timeout", () -> context.adapter().timeout(report, cause), null);
        return own != null
                ? own
                : new SQLTransientConnectionException(report, cause == null ? null : cause.getSQLState(), cause);
    }

    /** Adds the retry time as the deepest cause: code recognizes a timeout by exception class, SQLState and causes. */
    private static void because(SQLException made, ShedException shed) {
        List<Throwable> chain = AcquisitionFailure.chain(made);
        try {
            chain.get(chain.size() - 1).initCause(shed);
        } catch (IllegalStateException none) {
            // The exception was made with a null cause, which cannot be replaced.
            made.addSuppressed(shed);
        }
    }

    private SQLException turnedAwayBecause(AcquisitionFailure why) {
        return UNREACHABLE.equals(why.sqlState()) ? circuitOpen() : new SQLException(why.reason(), why.sqlState());
    }

    private SQLException circuitOpen() {
        FailedAttempt last = connects.last();
        String message = "the circuit is open; last connect failure: " + connects.lastInWords();
        return new SQLException(message, UNREACHABLE, last == null ? null : last.thrown());
    }

    /** The deepest exception, with the adapter's SQLState if it has none. */
    private static @Nullable SQLException driversException(@Nullable FailedAttempt outage) {
        SQLException deepest = null;
        if (outage != null) {
            for (Throwable at : AcquisitionFailure.chain(outage.thrown())) {
                deepest = at instanceof SQLException sql ? sql : deepest;
            }
            AcquisitionFailure why = outage.why();
            if (deepest != null && deepest.getSQLState() == null && why.sqlState() != null) {
                return new SQLException(why.reason(), why.sqlState(), deepest);
            }
        }
        return deepest;
    }

    /** The exception of a request to a pool that is closed. */
    public static SQLException closed(String name) {
        return new SQLException(name + ": the pool is closed", "08003");
    }

    /** Throws the object itself, checked or not, declared or not: a decorator does not change exceptions. */
    @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"})
    public static <T extends Throwable> SQLException rethrow(Throwable thrown) throws T {
        throw (T) thrown;
    }
}
