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
 * Explains failures: gathers what is known, has it diagnosed, and puts it into words. One in a second, for in an outage
 * thousands fail; the others of that second name its number. Whatever goes wrong here, the caller gets the short line.
 * Thread-safe.
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
    private final AtomicReference<@Nullable Turn> turn = new AtomicReference<>();
    private volatile @Nullable Explanation last;

    /** Whose turn it was: known before the explanation is made, to those who fail meanwhile. */
    private record Turn(long number, long threadId, long requestedNanos, Kind kind, long nanos) {
        boolean of(long thread, long requested, Kind other) {
            return threadId == thread && requestedNanos == requested && kind == other;
        }
    }

    /**
     * What a request that failed is told.
     *
     * @param text the paragraph; the short line if another request of the same second was explained
     * @param explanation null if there is none of this request
     */
    record Told(String text, @Nullable Explanation explanation) {}

    /**
     * Where an explainer finds its figures.
     *
     * @param leases the connections that are out, oldest first
     * @param usual how long leases lasted, at a time
     * @param sizing what flexpool does about the size now
     */
    record Sources(
            Supplier<List<OpenLease>> leases,
            LongFunction<UsualLeases> usual,
            Supplier<FailureSnapshot.SizingStatus> sizing) {}

    /** The explainer of a pool. */
    public static Explainer of(
            PoolContext context, LeaseTracker leases, StatisticsHistory history, DecisionLog decisions) {
        return new Explainer(
                context.name(),
                context.listeners(),
                new Sources(() -> leases.open(context.nanos()), history::past, () -> sizing(context, decisions)));
    }

    /** While the sizing controller acts, what a strategy would grow is refused. */
    private static FailureSnapshot.SizingStatus sizing(PoolContext context, DecisionLog decisions) {
        PoolMode mode = context.mode().mode();
        boolean grows = mode == PoolMode.RECOMMEND
                && context.mode().limiting()
                && context.config().grows();
        return new FailureSnapshot.SizingStatus(mode, grows, decisions.last(mode));
    }

    Explainer(String pool, ListenerGuard listeners, Sources sources) {
        this.pool = pool;
        this.listeners = listeners;
        this.leases = sources.leases();
        this.usual = sources.usual();
        this.sizing = sources.sizing();
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
        FailureSnapshot.Request request = new FailureSnapshot.Request(1, 1, self.getId());
        for (Kind kind : List.of(Kind.EXHAUSTED, Kind.CONNECT_FAILED)) {
            AcquisitionFailure why = new AcquisitionFailure(kind, null, "none");
            FailureSnapshot situation = new FailureSnapshot(
                    why, state, request, open, ThreadSampler.of(open), usual.apply(now), sizing.get());
            ExplanationWriter.explain(0, pool, "none", Diagnosis.of(situation)).text();
        }
    }

    /** The last full explanation; null if there was none. */
    @Nullable
    public Explanation last() {
        return last;
    }

    /**
     * Why a request failed.
     *
     * @param summary the short line
     * @param requestedNanos when the request was made; asked again for the same request, the explanation is the same
     */
    Told explain(String summary, AcquisitionFailure why, PoolState state, int attempts, long requestedNanos, long now) {
        if (why.kind() != Kind.EXHAUSTED && why.kind() != Kind.CONNECT_FAILED) {
            return new Told(summary, null);
        }
        try {
            long thread = Thread.currentThread().getId();
            Turn before = turn.get();
            if (before != null && now - before.nanos() < SPAN_NANOS) {
                return told(summary, before, before.of(thread, requestedNanos, why.kind()), now);
            }
            Turn mine = new Turn(before == null ? 1 : before.number() + 1, thread, requestedNanos, why.kind(), now);
            // Taken and known in one step: who comes second finds the number of who came first.
            if (!turn.compareAndSet(before, mine)) {
                return told(summary, Objects.requireNonNull(turn.get()), false, now);
            }
            FailureSnapshot.Request request = new FailureSnapshot.Request(now - requestedNanos, attempts, thread);
            Diagnosis diagnosis = Diagnosis.of(situation(why, state, request, now));
            last = ExplanationWriter.explain(mine.number(), pool, summary, diagnosis);
            return told(summary, mine, true, now);
        } catch (Throwable thrown) {
            listeners.failed("the explanation", thrown);
            return new Told(summary, null);
        }
    }

    private Told told(String summary, Turn taken, boolean mine, long now) {
        Explanation made = last;
        if (mine && made != null && made.number() == taken.number()) {
            Explanation explanation = made.withSummary(summary);
            return new Told(explanation.text(), explanation);
        }
        long before = Math.max(0, now - taken.nanos()) / 1_000_000;
        return new Told(summary + "; see report " + taken.number() + " of " + before + " ms before", null);
    }

    private FailureSnapshot situation(
            AcquisitionFailure why, PoolState state, FailureSnapshot.Request request, long now) {
        List<OpenLease> open = leases.get();
        Map<Long, ThreadSample> seen = ThreadSampler.of(open);
        if (seen.values().stream().anyMatch(sighting -> sighting.place().elsewhere())) {
            // A lease may have ended while its thread was looked for: then the thread is rightly elsewhere.
            List<OpenLease> still = leases.get();
            seen = confirmed(seen, open, still);
            open = still;
        }
        return new FailureSnapshot(why, state, request, open, seen, usual.apply(now), sizing.get());
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
