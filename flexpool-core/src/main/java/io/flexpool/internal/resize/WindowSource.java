// SPDX-License-Identifier: Apache-2.0
package io.flexpool.internal.resize;

import io.flexpool.internal.gate.Gate;
import io.flexpool.internal.lease.LeaseTracker;
import io.flexpool.internal.record.Recorder;
import io.flexpool.internal.sizing.LeaseAges;
import io.flexpool.internal.sizing.PoolWindow;
import io.flexpool.internal.sizing.Traffic;
import io.flexpool.pool.PoolSnapshot;
import io.flexpool.pool.PoolState;
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

    private boolean started;
    private long lastNanos;
    private Totals last = new Totals(0, 0, 0, 0, 0, 0, 0, 0, 0);
    private long openSumNanos;
    private long headAgeNanos;

    /** Sums since the pool was wrapped. */
    private record Totals(
            long arrivals,
            long acquired,
            long acquisitionNanos,
            long completions,
            long leaseNanos,
            long failed,
            long timeouts,
            long connectFailures,
            long queuedNanos) {}

    /** What a pool is held against: in force, to return to, never to pass. */
    record Bounds(int limit, int base, int ceiling, long lastGrowthNanos) {}

    public WindowSource(Recorder recorder, LeaseTracker leases, @Nullable Gate gate) {
        this.recorder = recorder;
        this.leases = leases;
        this.gate = gate;
    }

    /** What has happened since the last call; of the first call only what is now. */
    PoolWindow next(long now, PoolState state, Bounds bounds) {
        Totals totals = totals(now, state);
        long[] ages = leases.ages(now);
        Totals before = started ? last : totals;
        long length = started ? Math.max(1, now - lastNanos) : 1;
        long openSum = 0;
        for (long age : ages) {
            openSum += age;
        }
        long leasedNanos = totals.leaseNanos() - before.leaseNanos() + openSum - (started ? openSumNanos : openSum);
        double meanActive = Math.max(0, (double) leasedNanos / length);
        long acquired = totals.acquired() - before.acquired();
        int waiting = state.bound() ? state.waiting() : state.pending();
        int onTheWay = state.bound() && state.entering() <= acquired ? state.entering() : 0;
        double waitingShare = state.bound()
                ? (double) (totals.queuedNanos() - before.queuedNanos()) / length
                : meanWaiting(before, totals, length, waiting);
        headAgeNanos = state.bound() ? state.oldestWait().toNanos() : headAge(before, totals, length, waiting);
        Traffic traffic = new Traffic(
                Math.max(0, totals.arrivals() - before.arrivals()),
                totals.completions() - before.completions(),
                totals.leaseNanos() - before.leaseNanos(),
                totals.timeouts() - before.timeouts(),
                totals.connectFailures() - before.connectFailures(),
                meanActive,
                Math.max(0, Math.min(Math.min(1, waitingShare), meanActive / Math.max(1, bounds.limit()))));
        remember(now, totals, openSum);
        return new PoolWindow(
                now,
                bounds.base(),
                bounds.ceiling(),
                bounds.limit(),
                state.leased() + state.foreign() + onTheWay,
                waiting,
                bounds.lastGrowthNanos(),
                state.pool().total() == PoolSnapshot.UNKNOWN ? -1 : state.pool().total(),
                headAgeNanos,
                traffic,
                LeaseAges.ofAges(ages));
    }

    private Totals totals(long now, PoolState state) {
        long completions = recorder.released();
        long failed = recorder.failed();
        long acquired = completions + state.leased();
        return new Totals(
                acquired + failed + state.entering() + state.waiting(),
                acquired,
                recorder.acquisitionNanos(),
                completions,
                recorder.leaseNanos(),
                failed,
                recorder.timeouts(),
                recorder.connectFailures(),
                gate == null ? 0 : gate.queuedNanos(now));
    }

    private void remember(long now, Totals totals, long openSum) {
        started = true;
        lastNanos = now;
        last = totals;
        openSumNanos = openSum;
    }

    /** By Little's law; if no request was answered, all that wait have waited all the time. */
    private static double meanWaiting(Totals before, Totals totals, long length, int waiting) {
        long nanos = totals.acquisitionNanos() - before.acquisitionNanos();
        return answered(before, totals) == 0 ? waiting : (double) nanos / length;
    }

    private long headAge(Totals before, Totals totals, long length, int waiting) {
        if (waiting == 0) {
            return 0;
        }
        long answered = answered(before, totals);
        return answered > 0
                ? (totals.acquisitionNanos() - before.acquisitionNanos()) / answered
                : headAgeNanos + length;
    }

    private static long answered(Totals before, Totals totals) {
        return totals.acquired() + totals.failed() - before.acquired() - before.failed();
    }
}
