// SPDX-License-Identifier: Apache-2.0
package io.flexpool.internal.resize;

import io.flexpool.internal.context.PoolContext;
import io.flexpool.internal.context.RequestClasses;
import io.flexpool.internal.gate.Gate;
import io.flexpool.internal.lease.LeaseTracker;
import io.flexpool.internal.sizing.LeaseAges;
import io.flexpool.internal.sizing.PoolWindow;
import io.flexpool.internal.sizing.PoolWindow.Traffic;
import io.flexpool.pool.PoolState;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Creates the windows for a sizing policy, as differences between two readings of existing records. Costs an
 * acquisition nothing. Used by the loop's thread alone.
 *
 * <p>The mean number of active connections is exact without a separate record. All lease time is the time of ended
 * leases, less the ages counted before, plus the ages of open leases.
 *
 * <p>"Active" means leased. A permit that was handed over, with a thread that is not yet awake, is not leased. With
 * short leases, a full pool nearly always has such a permit. So permits inside the pool count as active while at least
 * as many requests get a connection in one tick. In an outage none gets one, and no such permit counts.
 *
 * <p>Without a limiting gate, the pool's queue is known only from outside: the number of waiting requests, and the
 * waits of requests that got a connection. The share of time with waiting requests is then their mean number, at most
 * one, and the age of the queue's head is the latest wait.
 */
public final class WindowSource {
    /** The most waiters counted in a tick: more would make no difference. */
    private static final int MOST_COUNTED = 1_000;

    private final PoolContext context;
    private final LeaseTracker leases;
    private final @Nullable Gate gate;
    /** Null without classes. */
    private final @Nullable ClassWindows classes;

    /** The totals of the last call; null before the first. */
    private @Nullable Totals before;
    /** The totals that the next call fills: the two objects alternate. */
    private Totals spare = new Totals();

    private long openNanos;
    private long headAgeNanos;

    /**
     * Sums since the pool was wrapped; the difference of two is the change between them. Reused by each call: an idle
     * pool leaves no garbage.
     */
    private static final class Totals {
        private long nanos;
        private long acquired;
        private long answered;
        private long arrivals;
        private long acquisitionNanos;
        private long completions;
        private long leaseNanos;
        private long timeouts;
        private long connectFailures;
        private long queuedNanos;
    }

    /** The current limit, the base and the ceiling of a pool, and whether refused connections stop growth for long. */
    record Bounds(int limit, int base, int ceiling, long lastGrowthNanos, boolean refused) {}

    public WindowSource(PoolContext context, LeaseTracker leases) {
        this.context = context;
        this.leases = leases;
        this.gate = context.gate();
        RequestClasses its = context.classes();
        this.classes = its == null ? null : new ClassWindows(its.line());
    }

    /** The window since the last call; at the first call only the current state. */
    PoolWindow next(long nowNanos, PoolState state, Bounds bounds) {
        Totals now = spare;
        fill(now, nowNanos, state);
        Totals last = before == null ? now : before;
        long nanos = Math.max(1, now.nanos - last.nanos);
        long leaseNanos = now.leaseNanos - last.leaseNanos;
        boolean none = state.leased() == 0 && now.acquired == last.acquired;
        LeaseAges ages = none ? LeaseAges.NONE : LeaseAges.ofAges(leases.ages(nowNanos));
        long open = ages.sum();
        long leasedNanos = leaseNanos + open - (before == null ? open : openNanos);
        double meanActive = Math.max(0, (double) leasedNanos / nanos);
        openNanos = open;
        int waiting = state.bound() ? servable(state) : state.pending();
        int onTheWay = state.bound() && state.entering() <= now.acquired - last.acquired ? state.entering() : 0;
        double waitingShare = state.bound()
                ? (double) (now.queuedNanos - last.queuedNanos) / nanos
                : meanWaiting(now, last, nanos, waiting);
        if (state.bound() && waiting == 0 && state.waiting() > 0) {
            waitingShare = 0;
            headAgeNanos = 0;
        } else {
            headAgeNanos = state.bound() ? state.oldestWait().toNanos() : headAge(now, last, nanos, waiting);
        }
        spare = before == null ? new Totals() : before;
        before = now;
        Traffic traffic = new Traffic(
                Math.max(0, now.arrivals - last.arrivals),
                now.completions - last.completions,
                leaseNanos,
                now.timeouts - last.timeouts,
                Math.max(bounds.refused() ? 1 : 0, now.connectFailures - last.connectFailures),
                meanActive,
                Math.max(0, Math.min(Math.min(1, waitingShare), meanActive / Math.max(1, bounds.limit()))),
                classes == null ? List.of() : classes.next(leases.slots().byClass()));
        return new PoolWindow(
                nowNanos,
                bounds.base(),
                bounds.ceiling(),
                bounds.limit(),
                state.leased() + state.foreign() + onTheWay,
                waiting,
                bounds.lastGrowthNanos(),
                state.pool().total(),
                headAgeNanos,
                traffic.orNone(),
                ages);
    }

    /** A larger pool does not help a request of a class at its maximum: it waits for its own class. */
    private int servable(PoolState state) {
        return gate == null || state.waiting() == 0
                ? state.waiting()
                : Math.min(state.waiting(), gate.servableCount(MOST_COUNTED));
    }

    private void fill(Totals now, long nowNanos, PoolState state) {
        now.nanos = nowNanos;
        now.completions = context.recorder().released();
        long failed = context.recorder().failed();
        now.acquired = now.completions + state.leased();
        now.answered = now.acquired + failed;
        now.arrivals = now.answered + state.pending();
        now.acquisitionNanos = context.recorder().acquisitionNanos();
        now.leaseNanos = context.recorder().leaseNanos();
        now.timeouts = context.recorder().timeouts();
        now.connectFailures = context.recorder().connectFailures();
        now.queuedNanos = gate == null ? 0 : gate.queuedNanos(nowNanos);
    }

    /** The mean by Little's law; if no request was answered, the waiting requests have waited all the time. */
    private static double meanWaiting(Totals now, Totals last, long nanos, int waiting) {
        return now.answered == last.answered
                ? waiting
                : (double) (now.acquisitionNanos - last.acquisitionNanos) / nanos;
    }

    private long headAge(Totals now, Totals last, long nanos, int waiting) {
        if (waiting == 0) {
            return 0;
        }
        long answered = now.answered - last.answered;
        return answered > 0 ? (now.acquisitionNanos - last.acquisitionNanos) / answered : headAgeNanos + nanos;
    }
}
