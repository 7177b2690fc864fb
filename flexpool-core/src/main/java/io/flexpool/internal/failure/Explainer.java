// SPDX-License-Identifier: Apache-2.0
package io.flexpool.internal.failure;

import io.flexpool.adapter.AcquisitionFailure;
import io.flexpool.adapter.AcquisitionFailure.Kind;
import io.flexpool.diagnostics.Explanation;
import io.flexpool.diagnostics.OpenLease;
import io.flexpool.internal.context.PoolContext;
import io.flexpool.internal.event.ListenerGuard;
import io.flexpool.internal.lease.LeaseTracker;
import io.flexpool.internal.lease.ThreadIdentity;
import io.flexpool.internal.record.StatisticsHistory;
import io.flexpool.internal.record.UsualLeases;
import io.flexpool.internal.resize.DecisionLog;
import io.flexpool.pool.PoolMode;
import io.flexpool.pool.PoolState;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.LongFunction;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Explains failures: gathers what is known, has it diagnosed, and puts it into words. One per second, for in an outage
 * thousands fail; the reports of the others of that second name its number. If anything goes wrong here, the caller
 * gets the short line. Thread-safe.
 */
public final class Explainer {
    private static final long SPAN_NANOS = 1_000_000_000L;

    /** The classes are those of the JVM, whichever pool is first. */
    private static final AtomicBoolean WARM = new AtomicBoolean();

    private final String pool;
    private final ListenerGuard listeners;
    private final Supplier<List<OpenLease>> leases;
    private final LongFunction<UsualLeases> usual;
    private final Supplier<FailureSnapshot.SizingStatus> sizing;
    private final AtomicReference<@Nullable Begun> newest = new AtomicReference<>();
    private volatile @Nullable Explanation last;

    /** The newest explanation, also while it is being made: failures of the same second name its number. */
    private record Begun(long number, long nanos) {}

    /** The explainer of a pool. */
    public static Explainer of(
            PoolContext context, LeaseTracker leases, StatisticsHistory history, DecisionLog decisions) {
        return new Explainer(
                context.name(),
                context.listeners(),
                () -> leases.open(context.nanos()),
                history::past,
                () -> sizing(context, decisions));
    }

    /** While the sizing controller acts, what a strategy would grow is refused. */
    private static FailureSnapshot.SizingStatus sizing(PoolContext context, DecisionLog decisions) {
        PoolMode mode = context.mode().mode();
        boolean grows = mode == PoolMode.RECOMMEND
                && context.mode().limiting()
                && context.config().grows();
        return new FailureSnapshot.SizingStatus(mode, grows, decisions.last(mode));
    }

    /**
     * With these figures.
     *
     * @param leases the open leases, oldest first
     * @param usual how long leases lasted, at a time
     * @param sizing what flexpool does about the size now
     */
    Explainer(
            String pool,
            ListenerGuard listeners,
            Supplier<List<OpenLease>> leases,
            LongFunction<UsualLeases> usual,
            Supplier<FailureSnapshot.SizingStatus> sizing) {
        this.pool = pool;
        this.listeners = listeners;
        this.leases = leases;
        this.usual = usual;
        this.sizing = sizing;
    }

    /** Loads what an explanation needs, once in a JVM: else the first request that fails would do it. For the loop. */
    public void warm(PoolState state, long now) {
        if (WARM.compareAndSet(false, true)) {
            listeners.guard("the rehearsal of an explanation", () -> rehearse(state, now));
        }
    }

    /** Explains failures that did not happen, and keeps nothing of it. */
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
                false);
        List<OpenLease> open = List.of(lease);
        for (Kind kind : List.of(Kind.EXHAUSTED, Kind.CONNECT_FAILED)) {
            FailedAttempt failed = new FailedAttempt(
                    Attempt.only(now), now, new AcquisitionFailure(kind, null, "none"), state, null, null);
            FailureSnapshot situation = new FailureSnapshot(
                    failed, self.getId(), open, ThreadSampler.of(open), usual.apply(now), sizing.get());
            ExplanationWriter.explain(0, pool, "none", Diagnosis.of(situation)).text();
        }
    }

    /** The last full explanation; null if there was none. */
    @Nullable
    public Explanation last() {
        return last;
    }

    /**
     * Makes the report of a failure, unless it has been made. On the thread of the request.
     *
     * @return the failure with its report: the short line, with the explanation, or with the number of another one of
     *     the same second
     */
    FailedAttempt explain(FailedAttempt failed) {
        if (failed.report() != null) {
            return failed;
        }
        String summary = failed.summary(pool, listeners.traceId());
        if (failed.kind() == Kind.EXHAUSTED || failed.kind() == Kind.CONNECT_FAILED) {
            try {
                Explanation explanation = explanation(failed, summary);
                String rest = explanation == null ? another(failed) : ". " + explanation.reasons();
                return failed.explained(summary + rest, explanation);
            } catch (Throwable thrown) {
                listeners.failed("the explanation", thrown);
            }
        }
        return failed.explained(summary, null);
    }

    /** Null if another failure of the same second was explained. */
    private @Nullable Explanation explanation(FailedAttempt failed, String summary) {
        long now = failed.failedNanos();
        Begun before = newest.get();
        if (before == null || now - before.nanos() >= SPAN_NANOS) {
            Begun begun = new Begun(before == null ? 1 : before.number() + 1, now);
            // Taken and known in one step: a failure of the same moment finds the number.
            if (newest.compareAndSet(before, begun)) {
                Explanation made =
                        ExplanationWriter.explain(begun.number(), pool, summary, Diagnosis.of(snapshot(failed)));
                last = made;
                return made;
            }
        }
        Explanation earlier = failed.attempt().earlier();
        boolean same = earlier != null && earlier.number() == newest().number();
        return same && failed.kind() == Kind.CONNECT_FAILED ? earlier : null;
    }

    private String another(FailedAttempt failed) {
        Begun begun = newest();
        long ago = Math.max(0, failed.failedNanos() - begun.nanos()) / 1_000_000;
        return "; see report " + begun.number() + " of " + ago + " ms before";
    }

    private Begun newest() {
        return Objects.requireNonNull(newest.get());
    }

    private FailureSnapshot snapshot(FailedAttempt failed) {
        List<OpenLease> open = leases.get();
        Map<Long, ThreadSample> samples = ThreadSampler.of(open);
        if (samples.values().stream().anyMatch(sample -> sample.place().elsewhere())) {
            // A lease may have ended while its thread was sampled: then the thread is rightly elsewhere.
            List<OpenLease> still = leases.get();
            samples = confirmed(samples, open, still);
            open = still;
        }
        long thread = Thread.currentThread().getId();
        return new FailureSnapshot(failed, thread, open, samples, usual.apply(failed.failedNanos()), sizing.get());
    }

    private static Map<Long, ThreadSample> confirmed(
            Map<Long, ThreadSample> seen, List<OpenLease> open, List<OpenLease> still) {
        Map<Long, Long> oldest = new HashMap<>();
        still.forEach(lease -> oldest.merge(lease.threadId(), lease.age().toNanos(), Math::max));
        Map<Long, ThreadSample> confirmed = new HashMap<>(seen);
        for (OpenLease lease : open.subList(0, Math.min(ThreadSampler.MOST, open.size()))) {
            if (oldest.getOrDefault(lease.threadId(), -1L) < lease.age().toNanos()) {
                confirmed.remove(lease.threadId());
            }
        }
        return confirmed;
    }
}
