// SPDX-License-Identifier: Apache-2.0
package io.flexpool.internal.pool;

import io.flexpool.internal.context.PoolContext;
import io.flexpool.internal.failure.Explainer;
import io.flexpool.internal.gate.Gate;
import io.flexpool.internal.lease.LeaseTracker;
import io.flexpool.internal.record.ConnectTimes;
import io.flexpool.internal.resize.Limiter;
import io.flexpool.internal.resize.StartAlignment;
import io.flexpool.monitoring.PoolDiagnosis.Housekeeping;
import io.flexpool.pool.PoolState;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The work of one tick of a pool: statistics, checks, parts and sizing. */
final class PoolTick implements Housekeeper.Watched {
    /** Ticks before the first failure is rehearsed: a second. */
    private static final int WARM_AFTER = 4;

    private static final String CONNECTS = "the adapter's connects";
    private static final String LEASES = "the check of the open leases";
    private static final String CLAIMS = "the search for lost permits";

    private final PoolContext context;
    private final @Nullable Limiter limiter;
    private final PoolWatch watch;
    private final LeaseTracker leases;
    private final ClaimReconciler claims;
    private final StartAlignment alignment;
    private final PoolParts parts;
    /** When the last whole tick ended. */
    private volatile long tickedNanos;
    /** The number of ticks, up to the tick that loads the explanation of failures. */
    private int ticks;

    PoolTick(
            PoolContext context,
            @Nullable Limiter limiter,
            PoolWatch watch,
            LeaseTracker leases,
            ClaimReconciler claims,
            StartAlignment alignment,
            PoolParts parts) {
        this.context = context;
        this.limiter = limiter;
        this.watch = watch;
        this.leases = leases;
        this.claims = claims;
        this.alignment = alignment;
        this.parts = parts;
        this.tickedNanos = context.nanos();
    }

    @Override
    public String name() {
        return context.name();
    }

    /** Runs one tick, and calls its listeners, on the calling thread. */
    void tick(long lateNanos) {
        run(lateNanos);
        context.listeners().deliver();
        // Waits for events that another thread is delivering.
        context.listeners().settle();
    }

    @Override
    public void beat(long lateNanos) {
        try {
            run(lateNanos);
        } finally {
            context.listeners().deliverElsewhere();
        }
    }

    @Override
    public void stalled(boolean stalls) {
        context.states().tickHangs(stalls);
    }

    private void run(long lateNanos) {
        long now = context.nanos();
        PoolState state = context.states().read(now);
        PoolWatch.Parts watched = watch.parts();
        guarded(CONNECTS, now, lateNanos, state);
        watched.history().tick(now, state);
        if (context.gate() != null) {
            watched.history().peaked(now, 0, context.gate().takeMostWaiting());
        }
        if (watched.classes() != null) {
            watched.classes().tick(now);
        }
        context.turnover().quietNanos(now);
        warm(watched.explainer(), state, now);
        guarded(LEASES, now, lateNanos, state);
        guarded(CLAIMS, now, lateNanos, state);
        parts.passLeases(now, state);
        if (!context.admissionState().closed()) {
            parts.tick(state, now);
            if (!context.admissionState().paused()) {
                // Requests that wait because of a pause are no demand.
                watched.sizing().tick(now, state);
            }
            if (watched.unusedCeiling() != null) {
                watched.unusedCeiling().tick(now, state);
            }
            answerIfClosed(state);
            if (limiter != null && context.mode().limiting()) {
                limiter.maintenance().tick(now, state);
                alignment.tick(state, now);
                watched.ownMax().tick(state);
            } else if (limiter != null) {
                limiter.maintenance().tickUnlimited(now, state);
            }
        }
        context.listeners().reportBlocked(now);
        tickedNanos = context.nanos();
    }

    /** Wakes waiting requests, even during a pause: they do not notice when the application closes the pool. */
    private void answerIfClosed(PoolState state) {
        Gate queue = context.queue();
        if (queue != null && state.waiting() > 0 && context.closedByApplication()) {
            queue.wakeAll();
        }
    }

    /**
     * Runs one step, so that its failure does not stop other steps. No lambda: most ticks find no change, and should
     * not allocate.
     */
    private void guarded(String step, long now, long lateNanos, PoolState state) {
        try {
            if (step.equals(LEASES)) {
                leases.tick(now, lateNanos, state);
            } else if (step.equals(CLAIMS)) {
                claims.reconcile(now, state.pool());
            } else {
                ConnectTimes connects = watch.parts().connects();
                if (connects != null) {
                    connects.update();
                }
            }
        } catch (Throwable thrown) {
            context.listeners().failed(step, thrown);
        }
    }

    /** Loads the explanation's classes, not at once: the first requests after the build would wait for it. */
    private void warm(Explainer explainer, PoolState state, long now) {
        if (ticks < WARM_AFTER) {
            ticks++;
        } else if (ticks == WARM_AFTER) {
            ticks++;
            explainer.warm(state, now);
        }
    }

    /** The age of the last tick, and the problems of this pool's monitoring. */
    Housekeeping state() {
        long dropped = context.listeners().dropped();
        if (context.admissionState().closed()) {
            return new Housekeeping(Duration.ZERO, dropped, List.of());
        }
        long now = context.nanos();
        Duration age = Duration.ofNanos(Math.max(0, now - tickedNanos));
        List<String> troubles = new ArrayList<>();
        if (age.compareTo(Housekeeping.STALLED) >= 0) {
            troubles.add(
                    context.states().hangs()
                            ? "the reading of the pool has not returned"
                            : "the monitoring of this pool is stuck");
        }
        Stream.of(
                        context.listeners().blocked(now),
                        leases.hanging(now),
                        watch.parts().sizing().trouble(),
                        limiter == null ? null : limiter.maintenance().hanging(now))
                .filter(Objects::nonNull)
                .forEach(troubles::add);
        troubles.addAll(parts.troubles(now));
        return new Housekeeping(age, dropped, troubles);
    }
}
