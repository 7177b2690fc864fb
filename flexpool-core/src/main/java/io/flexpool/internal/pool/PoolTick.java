// SPDX-License-Identifier: Apache-2.0
package io.flexpool.internal.pool;

import io.flexpool.internal.context.PoolContext;
import io.flexpool.internal.failure.Explainer;
import io.flexpool.internal.gate.Gate;
import io.flexpool.internal.lease.LeaseTracker;
import io.flexpool.internal.record.ClassHistory;
import io.flexpool.internal.record.ConnectTimes;
import io.flexpool.internal.record.LastHour;
import io.flexpool.internal.record.StatisticsHistory;
import io.flexpool.internal.resize.Limiter;
import io.flexpool.internal.resize.OwnMax;
import io.flexpool.internal.resize.SizingLoop;
import io.flexpool.internal.resize.StartAlignment;
import io.flexpool.internal.resize.UnusedCeiling;
import io.flexpool.monitoring.PoolView.WatchState;
import io.flexpool.pool.PoolState;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** What is done for one pool once a tick: samples, copies, walks, and what is due for the size. */
final class PoolTick implements Housekeeper.Watched {
    /** Ticks before the first failure is rehearsed: a second. */
    private static final int WARM_AFTER = 4;

    private static final String CONNECTS = "the adapter's connects";
    private static final String LEASES = "the walk through the leases";
    private static final String CLAIMS = "the look at the claims";

    private final PoolContext context;
    private final Parts parts;
    private final @Nullable Limiter limiter;
    private final @Nullable UnusedCeiling unusedCeiling;
    private final OwnMax ownMax;
    /** When the last whole tick ended. */
    private volatile long tickedNanos;
    /** Up to the one that has the explanation of failures loaded. */
    private int ticks;

    /**
     * What is ticked, beside the context.
     *
     * @param classes null if there is one class of requests
     * @param connects null if the pool does not report how long its connects take
     */
    record Parts(
            StatisticsHistory history,
            LastHour lastHour,
            @Nullable ClassHistory classes,
            @Nullable ConnectTimes connects,
            Explainer explainer,
            LeaseTracker leases,
            ClaimSweep claims,
            SizingLoop sizing,
            StartAlignment alignment,
            LeaseFlow flow,
            PoolParts parts) {}

    PoolTick(PoolContext context, @Nullable Limiter limiter, Parts parts) {
        this.context = context;
        this.limiter = limiter;
        this.unusedCeiling = UnusedCeiling.of(context);
        this.ownMax = new OwnMax(context, limiter);
        this.parts = parts;
        this.tickedNanos = context.nanos();
    }

    @Override
    public String name() {
        return context.name();
    }

    /** One tick on the calling thread, on which listeners are called with what came of it. */
    void tick(long lateNanos) {
        look(lateNanos);
        context.listeners().deliver();
        // What another thread was delivering has been delivered too.
        context.listeners().settle();
    }

    @Override
    public void beat(long lateNanos) {
        try {
            look(lateNanos);
        } finally {
            context.listeners().deliverElsewhere();
        }
    }

    @Override
    public void leftAlone(boolean alone) {
        context.states().tickHangs(alone);
    }

    private void look(long lateNanos) {
        long now = context.nanos();
        PoolState state = context.states().read(now);
        guarded(CONNECTS, now, lateNanos, state);
        parts.history().tick(now, state);
        if (context.gate() != null) {
            parts.history().peaked(now, 0, context.gate().takeMostWaiting());
        }
        parts.lastHour().tick(now, state);
        if (parts.classes() != null) {
            parts.classes().tick(now);
        }
        context.turnover().quietNanos(now);
        warm(state, now);
        guarded(LEASES, now, lateNanos, state);
        guarded(CLAIMS, now, lateNanos, state);
        parts.flow().tick(now, state);
        if (!context.admission().closed()) {
            parts.parts().tick(state, now);
            if (!context.admission().held()) {
                // What a hold keeps waiting is no demand.
                parts.sizing().tick(now, state);
            }
            if (unusedCeiling != null) {
                unusedCeiling.tick(now, state);
            }
            answerIfClosed(state);
            if (limiter != null && context.mode().limiting()) {
                limiter.maintenance().tick(now, state);
                parts.alignment().tick(state, now);
                ownMax.tick(state);
            } else if (limiter != null) {
                limiter.maintenance().tickUnlimited(now, state);
            }
        }
        context.listeners().reportBlocked(now);
        tickedNanos = context.nanos();
    }

    /** What waits when the owner closes the pool itself, also for the end of a hold, would not see that. */
    private void answerIfClosed(PoolState state) {
        Gate queue = context.queue();
        if (queue != null && state.waiting() > 0 && context.closedByOwner()) {
            queue.recall();
        }
    }

    /**
     * A step whose failure keeps no other step from running. No lambda: in most ticks of most pools nothing has happened, and
     * such a tick should leave nothing to collect.
     */
    private void guarded(String step, long now, long lateNanos, PoolState state) {
        try {
            if (step.equals(LEASES)) {
                parts.leases().tick(now, lateNanos, state);
            } else if (step.equals(CLAIMS)) {
                parts.claims().look(now, state.pool());
            } else if (parts.connects() != null) {
                parts.connects().update();
            }
        } catch (Throwable thrown) {
            context.listeners().failed(step, thrown);
        }
    }

    /** Not at once: a pool is first used right after it is built, and would wait for the classes that this loads. */
    private void warm(PoolState state, long now) {
        if (ticks < WARM_AFTER) {
            ticks++;
        } else if (ticks == WARM_AFTER) {
            ticks++;
            parts.explainer().warm(state, now);
        }
    }

    /** What keeps this pool from being watched, if anything does. */
    WatchState state() {
        long dropped = context.listeners().dropped();
        if (context.admission().closed()) {
            return new WatchState(Duration.ZERO, dropped, List.of());
        }
        long now = context.nanos();
        Duration age = Duration.ofNanos(Math.max(0, now - tickedNanos));
        List<String> troubles = new ArrayList<>();
        if (age.compareTo(WatchState.STALLED) >= 0) {
            troubles.add(
                    context.states().hangs()
                            ? "the reading of the pool has not returned"
                            : "the watch over this pool stands still");
        }
        Stream.of(
                        context.listeners().blocked(now),
                        parts.leases().hanging(now),
                        parts.sizing().trouble(),
                        parts.flow().trouble(),
                        limiter == null ? null : limiter.maintenance().hanging(now))
                .filter(Objects::nonNull)
                .forEach(troubles::add);
        troubles.addAll(parts.parts().troubles(now));
        return new WatchState(age, dropped, troubles);
    }
}
