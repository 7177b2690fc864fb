// SPDX-License-Identifier: Apache-2.0
package io.flexpool.internal.context;

import io.flexpool.adapter.PoolAdapter;
import io.flexpool.adapter.PoolAdapter.Capability;
import io.flexpool.internal.event.ListenerGuard;
import io.flexpool.internal.gate.AdmissionState;
import io.flexpool.internal.gate.Gate;
import io.flexpool.internal.gate.Limits;
import io.flexpool.internal.record.Recorder;
import io.flexpool.internal.record.StripedCounter;
import io.flexpool.pool.PoolSnapshot;
import io.flexpool.pool.PoolState;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** Builds one pool's state from the gate's permits, the recorder and the pool's own snapshot. Thread-safe. */
public final class StateReader {
    private static final int UNKNOWN = PoolSnapshot.UNKNOWN;
    /** Ticks of the minimum: a connection just leased or returned may be in one figure only, but hardly in 4 ticks. */
    private static final int FOREIGN_TICKS = 4;

    /** The state of a disabled pool. */
    public static final PoolState NONE = watched(0, 0, 0, null, Duration.ZERO, PoolSnapshot.NOTHING_KNOWN);

    private final PoolAdapter adapter;
    private final @Nullable Gate gate;
    private final AdmissionState admission;
    private final Limits limits;
    private final ModeState mode;
    private final Recorder recorder;
    private final @Nullable StripedCounter requests;
    private final boolean reportsPending;
    private final ListenerGuard listeners;
    /** The connections borrowed without flexpool, at the last ticks, in a pool that is not limited. */
    private final int[] foreignSeen = new int[FOREIGN_TICKS];

    private int foreignTick;
    private volatile int foreign;

    /** Whether the tick's thread is reading the pool, and whether that takes too long. */
    private volatile boolean reading;

    private volatile boolean hangs;

    /** The gate is null if the pool is never limited; otherwise requests is null. */
    StateReader(
            PoolAdapter adapter,
            @Nullable Gate gate,
            AdmissionState admission,
            Limits limits,
            ModeState mode,
            Recorder recorder,
            @Nullable StripedCounter requests,
            ListenerGuard listeners) {
        this.adapter = adapter;
        this.gate = gate;
        this.admission = admission;
        this.limits = limits;
        this.mode = mode;
        this.recorder = recorder;
        this.requests = requests;
        this.reportsPending = adapter.capabilities().contains(Capability.PENDING_COUNT);
        this.listeners = listeners;
    }

    /**
     * The state at a time; with limits only if the gate limits now. While the tick's read of the pool hangs, the
     * snapshot is unknown: another reader (a failed request, a backend that reads all pools) would hang too.
     */
    public PoolState at(long nowNanos) {
        return of(hangs ? PoolSnapshot.NOTHING_KNOWN : snapshot(), nowNanos);
    }

    /**
     * A state without a failed request, which is counted until its end is reported, if there is no gate.
     */
    public PoolState withoutOne(PoolState state) {
        return gate != null || reportsPending || state.entering() == 0
                ? state
                : watched(
                        state.leased(),
                        state.pending() - 1,
                        state.foreign(),
                        admission.holdQueue(),
                        state.oldestWait(),
                        state.pool());
    }

    /** Like {@link #at}, for the tick, which detects whether the pool can be read again. */
    public PoolState read(long nowNanos) {
        reading = true;
        PoolSnapshot snapshot;
        try {
            snapshot = snapshot();
        } finally {
            reading = false;
            hangs = false;
        }
        countForeign(snapshot);
        return of(snapshot, nowNanos);
    }

    /**
     * Counts the connections in use that are neither leased nor on their way to a request (a request inside the pool
     * has none): the minimum over several ticks. While a gate limits the pool, the gate counts them.
     */
    private void countForeign(PoolSnapshot snapshot) {
        int claimed = gate == null ? recorder.active() + Math.max(0, unanswered()) : gate.usedCount();
        int least = snapshot.active() - Math.max(recorder.active(), claimed - Math.max(0, snapshot.pending()));
        foreignSeen[foreignTick++ & (FOREIGN_TICKS - 1)] = least;
        for (int seen : foreignSeen) {
            least = Math.min(least, seen);
        }
        foreign = Math.max(0, least);
    }

    /** The unanswered requests of a pool without a gate; negative once a written-off request is answered after all. */
    public int unanswered() {
        // Ended first: a request is counted before its outcome is.
        long ended = recorder.ended();
        return requests == null ? 0 : (int) (requests.sum() + recorder.requestsAtOnce() - ended);
    }

    /** Reports that the tick takes too long: if it is reading the pool, the read hangs. */
    public void tickHangs(boolean tickHangs) {
        hangs = tickHangs && reading;
    }

    /** Whether the last read of the pool hangs. */
    public boolean hangs() {
        return hangs;
    }

    private PoolState of(PoolSnapshot snapshot, long nowNanos) {
        if (gate == null) {
            int pending = reportsPending
                    ? Math.max(0, snapshot.pending()) + admission.waitingOnHold()
                    : Math.max(0, unanswered());
            return watched(
                    recorder.active(),
                    pending,
                    foreign,
                    admission.holdQueue(),
                    oldest(admission.holdQueue(), nowNanos),
                    snapshot);
        }
        // In an outage nothing is acquired or released, and the count is exact. Under load it may differ by the
        // concurrent acquisitions and releases, but never by more than the permits in use.
        int used = gate.usedCount();
        int leased = Math.min(recorder.active(), used);
        if (!mode.limiting()) {
            return watched(
                    leased, used - leased + gate.waitingCount(), foreign, gate, oldest(gate, nowNanos), snapshot);
        }
        return new State(
                gate.limit(),
                limits.base(),
                limits.ceiling(),
                leased,
                used - leased,
                gate.waitingCount(),
                gate.foreign(),
                Duration.ofNanos(gate.oldestWaitNanos(nowNanos)),
                snapshot);
    }

    /** The state of an unlimited pool: its requests wait for a permit only during a pause. */
    private static PoolState watched(
            int leased, int pending, int foreign, @Nullable Gate pausedAt, Duration oldest, PoolSnapshot snapshot) {
        int waiting = pausedAt == null ? 0 : Math.min(pending, pausedAt.waitingCount());
        return new State(UNKNOWN, UNKNOWN, UNKNOWN, leased, pending - waiting, waiting, foreign, oldest, snapshot);
    }

    private static Duration oldest(@Nullable Gate pausedAt, long nowNanos) {
        return pausedAt == null ? Duration.ZERO : Duration.ofNanos(pausedAt.oldestWaitNanos(nowNanos));
    }

    public record State(
            int limit,
            int base,
            int ceiling,
            int leased,
            int entering,
            int waiting,
            int foreign,
            Duration oldestWait,
            PoolSnapshot pool)
            implements PoolState {}

    private PoolSnapshot snapshot() {
        return listeners.ask("the adapter's snapshot", adapter::snapshot, PoolSnapshot.NOTHING_KNOWN);
    }
}
