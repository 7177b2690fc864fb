// SPDX-License-Identifier: Apache-2.0
package io.flexpool.internal.resize;

import io.flexpool.internal.context.PoolContext;
import io.flexpool.internal.gate.Gate;
import io.flexpool.internal.lease.LeaseTracker;
import io.flexpool.internal.record.Recorder;
import io.flexpool.internal.sizing.LeaseAges;
import io.flexpool.internal.sizing.PoolWindow;
import io.flexpool.internal.sizing.PoolWindow.Traffic;
import io.flexpool.pool.PoolState;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;

/**
 * Makes the windows that a sizing policy is fed with, as differences between two looks at what is recorded anyway. Nothing
 * is paid for it by an acquisition. Used by the loop's thread alone.
 *
 * <p>How many connections were active on average is exact without a record of its own: all time that leases lasted is the time
 * of those that ended, less the ages that were counted before, plus the ages of those that are open.
 *
 * <p>"Active" means leased. A permit on its way from one request to the next (handed over, its new owner not yet awake) is
 * not leased, and with short leases one of a full pool nearly always is on that way. So those inside the pool count as out
 * while more of them come out with a connection in one tick than are inside. In an outage none comes out, and none counts.
 *
 * <p>Where no gate limits the pool its own queue is seen only from outside: how many wait, and how long those waited who
 * got a connection. The share of time in which requests waited is then the mean number that waited, at most one, and the age
 * of the queue's head is how long the latest waited.
 */
public final class WindowSource {
    private final Recorder recorder;
    private final LeaseTracker leases;
    private final @Nullable Gate gate;

    /** Of the last call; null before the first. */
    private @Nullable Totals last;

    private long openNanos;
    private long headAgeNanos;

    /** Sums since the pool was wrapped; of two of them the difference is what happened between. */
    private record Totals(
            long nanos,
            long acquired,
            long answered,
            long arrivals,
            long acquisitionNanos,
            long completions,
            long leaseNanos,
            long timeouts,
            long connectFailures,
            long queuedNanos) {
        Totals since(Totals before) {
            return new Totals(
                    Math.max(1, nanos - before.nanos),
                    acquired - before.acquired,
                    answered - before.answered,
                    Math.max(0, arrivals - before.arrivals),
                    acquisitionNanos - before.acquisitionNanos,
                    completions - before.completions,
                    leaseNanos - before.leaseNanos,
                    timeouts - before.timeouts,
                    connectFailures - before.connectFailures,
                    queuedNanos - before.queuedNanos);
        }
    }

    /** What a pool is held against: in force, to return to, never to pass. */
    record Bounds(int limit, int base, int ceiling, long lastGrowthNanos) {}

    public WindowSource(PoolContext context, LeaseTracker leases) {
        this.recorder = context.recorder();
        this.leases = leases;
        this.gate = context.gate();
    }

    /** What has happened since the last call; of the first call only what is now. */
    PoolWindow next(long now, PoolState state, Bounds bounds) {
        Totals totals = totals(now, state);
        Totals since = totals.since(last == null ? totals : last);
        long[] ages = leases.ages(now);
        long open = LongStream.of(ages).sum();
        long leasedNanos = since.leaseNanos + open - (last == null ? open : openNanos);
        double meanActive = Math.max(0, (double) leasedNanos / since.nanos);
        last = totals;
        openNanos = open;
        int waiting = state.bound() ? state.waiting() : state.pending();
        int onTheWay = state.bound() && state.entering() <= since.acquired ? state.entering() : 0;
        double waitingShare = state.bound() ? (double) since.queuedNanos / since.nanos : meanWaiting(since, waiting);
        headAgeNanos = state.bound() ? state.oldestWait().toNanos() : headAge(since, waiting);
        Traffic traffic = new Traffic(
                since.arrivals,
                since.completions,
                since.leaseNanos,
                since.timeouts,
                since.connectFailures,
                meanActive,
                Math.max(0, Math.min(Math.min(1, waitingShare), meanActive / Math.max(1, bounds.limit()))));
        return new PoolWindow(
                now,
                bounds.base(),
                bounds.ceiling(),
                bounds.limit(),
                state.leased() + state.foreign() + onTheWay,
                waiting,
                bounds.lastGrowthNanos(),
                state.pool().total(),
                headAgeNanos,
                traffic,
                LeaseAges.ofAges(ages));
    }

    private Totals totals(long now, PoolState state) {
        long completions = recorder.released();
        long failed = recorder.failed();
        long acquired = completions + state.leased();
        return new Totals(
                now,
                acquired,
                acquired + failed,
                acquired + failed + state.pending(),
                recorder.acquisitionNanos(),
                completions,
                recorder.leaseNanos(),
                recorder.timeouts(),
                recorder.connectFailures(),
                gate == null ? 0 : gate.queuedNanos(now));
    }

    /** By Little's law; if no request was answered, all that wait have waited all the time. */
    private static double meanWaiting(Totals since, int waiting) {
        return since.answered == 0 ? waiting : (double) since.acquisitionNanos / since.nanos;
    }

    private long headAge(Totals since, int waiting) {
        if (waiting == 0) {
            return 0;
        }
        return since.answered > 0 ? since.acquisitionNanos / since.answered : headAgeNanos + since.nanos;
    }
}
