// SPDX-License-Identifier: Apache-2.0
package io.flexpool.internal.failure;

import io.flexpool.adapter.AcquisitionFailure;
import io.flexpool.adapter.AcquisitionFailure.Kind;
import io.flexpool.diagnostics.Explanation;
import io.flexpool.diagnostics.OpenLease;
import io.flexpool.internal.context.PoolContext;
import io.flexpool.internal.context.RequestOwner;
import io.flexpool.internal.failure.Diagnosis.Situation;
import io.flexpool.internal.failure.FailedAttempt.Attempt;
import io.flexpool.internal.lease.LeaseTracker;
import io.flexpool.internal.lease.ThreadIdentity;
import io.flexpool.internal.record.StatisticsHistory;
import io.flexpool.internal.resize.DecisionLog;
import io.flexpool.pool.PoolMode;
import io.flexpool.pool.PoolState;
import io.flexpool.spi.SessionInsight.SessionFindings;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.LongFunction;
import org.jspecify.annotations.Nullable;

/**
 * Explains failures: collects the data, diagnoses them, and writes the text. Explains one timeout and one connect
 * failure per second, because in an outage thousands fail. Reports of further failures in that second name the number
 * of the explanation. Timeouts and connect failures have separate explanations, because an outage may begin while a
 * pool is exhausted, or before. If the explanation throws, the caller gets the short line. Thread-safe.
 */
public final class Explainer {
    private static final long SPAN_NANOS = 1_000_000_000L;

    /** Classes are loaded once per JVM, by the first pool. */
    private static final AtomicBoolean WARM = new AtomicBoolean();

    private final PoolContext context;
    private final LongFunction<List<OpenLease>> leases;
    private final StatisticsHistory history;
    private final DecisionLog decisions;
    /** Whether parts may query sessions: not in the rehearsal. */
    private final boolean mayQuery;

    private final AtomicReference<Newest> newest = new AtomicReference<>(new Newest(0, null, null));
    /** Whether explanations are one line in logs and exceptions. */
    private final boolean oneLine;

    private volatile @Nullable Explanation last;

    /** A finished or begun explanation: failures of the same second name its number. */
    private record Begun(long number, long nanos) {}

    /** The newest explanations of timeouts and of connect failures, and the number of all explanations. */
    private record Newest(
            long number, @Nullable Begun timeout, @Nullable Begun connect) {
        /** The newest explanation that also explains a failure of this kind. */
        @Nullable
        Begun of(Kind kind) {
            return kind == Kind.CONNECT_FAILED ? connect : timeout;
        }

        Newest with(Kind kind, long nanos) {
            Begun begun = new Begun(number + 1, nanos);
            return kind == Kind.CONNECT_FAILED
                    ? new Newest(begun.number(), timeout, begun)
                    : new Newest(begun.number(), begun, connect);
        }
    }

    /** Explains a pool's failures; {@code leases} returns the open leases with their ages at a time, oldest first. */
    public Explainer(
            PoolContext context,
            LongFunction<List<OpenLease>> leases,
            StatisticsHistory history,
            DecisionLog decisions) {
        this(context, leases, history, decisions, true);
    }

    private Explainer(
            PoolContext context,
            LongFunction<List<OpenLease>> leases,
            StatisticsHistory history,
            DecisionLog decisions,
            boolean mayQuery) {
        this.mayQuery = mayQuery;
        this.context = context;
        this.leases = leases;
        this.history = history;
        this.decisions = decisions;
        this.oneLine = context.config().oneLineExplanations();
    }

    /** Loads the classes of an explanation, once in a JVM, before a failed request needs them. Called by the tick. */
    public void warm(PoolState state, long now) {
        if (WARM.compareAndSet(false, true)) {
            context.listeners().guard("the warm-up of the failure report", () -> rehearse(state, now));
        }
    }

    /** Explains invented failures, without storing them. */
    void rehearse(PoolState state, long now) {
        Thread self = Thread.currentThread();
        OpenLease lease = new LeaseTracker.Open(
                ThreadIdentity.of(self).name(),
                self.getId(),
                false,
                null,
                Duration.ofNanos(1),
                OpenLease.Activity.UNKNOWN,
                null,
                null,
                false,
                null,
                null);
        for (Kind kind : List.of(Kind.EXHAUSTED, Kind.CONNECT_FAILED)) {
            FailedAttempt failed = new FailedAttempt(
                    Attempt.only(now), now, new AcquisitionFailure(kind, null, "none"), state, null, null);
            new Explainer(context, at -> List.of(lease), history, decisions, false).explain(failed);
        }
    }

    /** The last full explanation; null without one. */
    @Nullable
    public Explanation last() {
        return last;
    }

    /**
     * The failure with its report, made at the first call: the short line, with the explanation, or with the number of
     * another explanation of the same second. On the thread of the request.
     */
    FailedAttempt explain(FailedAttempt failed) {
        if (failed.report() != null) {
            return failed;
        }
        String trace = context.listeners().traceId();
        String summary = failed.summary(context.name(), trace);
        boolean atMost = failed.attempt().requestClass() != null
                && failed.attempt().requestClass().atMost();
        if ((failed.kind() == Kind.EXHAUSTED && !atMost) || failed.kind() == Kind.CONNECT_FAILED) {
            return context.listeners()
                    .ask("the explanation", () -> withReasons(failed, summary, trace), failed.explained(summary, null));
        }
        return failed.explained(summary, null);
    }

    private FailedAttempt withReasons(FailedAttempt failed, String summary, @Nullable String trace) {
        Explanation explanation = explanation(failed, trace);
        if (explanation == null) {
            return failed.explained(summary + another(failed), null);
        }
        String table = explanation == failed.attempt().earlier()
                // The same reasons, for an attempt that has waited longer.
                ? failed.headline(context.name())
                        + explanation.cause().words()
                        + ExplanationTable.rows(explanation.text())
                : explanation.text();
        return failed.explained(oneLine ? ExplanationTable.oneLine(table) : table, explanation);
    }

    /** Null if another failure of the same second was explained: its explanation applies here too. */
    private @Nullable Explanation explanation(FailedAttempt failed, @Nullable String trace) {
        long now = failed.failedNanos();
        Newest before = all();
        Begun same = before.of(failed.kind());
        while (same == null || now - same.nanos() >= SPAN_NANOS) {
            Newest taken = before.with(failed.kind(), now);
            // Set in one step, so that a failure of the same moment finds the number.
            if (newest.compareAndSet(before, taken)) {
                Explanation made = ExplanationWriter.explain(
                        taken.number(), context.name(), trace, situation(failed, mayQuery ? query(failed) : null));
                last = made;
                return made;
            }
            before = all();
            same = before.of(failed.kind());
        }
        Explanation earlier = failed.attempt().earlier();
        boolean own = earlier != null && earlier.number() == same.number();
        return own && failed.kind() == Kind.CONNECT_FAILED ? earlier : null;
    }

    private String another(FailedAttempt failed) {
        return "; details: report "
                + Objects.requireNonNull(all().of(failed.kind())).number();
    }

    private Newest all() {
        return Objects.requireNonNull(newest.get());
    }

    /** Lets a part query the sessions if the pool is exhausted, or, on an open connection, if the server is full. */
    private SessionFindings.@Nullable Query query(FailedAttempt failed) {
        boolean full = Diagnosis.serverFull(failed);
        return failed.kind() == Kind.CONNECT_FAILED && !full
                ? null
                : context.insight().failed(!full);
    }

    private Situation situation(FailedAttempt failed, SessionFindings.@Nullable Query query) {
        long readNanos = context.nanos();
        List<OpenLease> open = leases.apply(readNanos);
        Map<Long, ThreadSample> samples = ThreadSample.ofOldest(open);
        if (samples.values().stream().anyMatch(sample -> sample.place().elsewhere())) {
            // A lease may have ended while its thread was sampled: then the thread is rightly elsewhere.
            readNanos = context.nanos();
            List<OpenLease> still = leases.apply(readNanos);
            for (OpenLease lease : open.subList(0, Math.min(ThreadSample.MOST, open.size()))) {
                if (still.stream()
                        .noneMatch(one ->
                                one.threadId() == lease.threadId() && one.age().compareTo(lease.age()) >= 0)) {
                    samples.remove(lease.threadId());
                }
            }
            open = still;
        }
        PoolMode mode = context.mode().mode();
        // While the sizing controller acts, growth by a strategy is refused.
        boolean grows = mode == PoolMode.RECOMMEND
                && context.mode().limiting()
                && context.config().grows();
        return new Situation(
                failed,
                RequestOwner.idOf(Thread.currentThread()),
                open,
                readNanos,
                samples,
                history.past(failed.failedNanos()),
                mode,
                grows,
                decisions.last(mode),
                query,
                mayQuery ? context.insight().findings() : null,
                context.config().leakNanos(),
                context.limits().capped(failed.state().limit()));
    }
}
