// SPDX-License-Identifier: Apache-2.0
package io.flexpool.internal.record;

import io.flexpool.monitoring.CountDistribution;
import io.flexpool.pool.AcquisitionOutcome;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicLongArray;

/**
 * Counts everything once. Cumulative and never reset; {@link StatisticsHistory} reads the figures and computes windows.
 *
 * <p>A request without a wait makes two records, in the slot of its lease: the acquisition and the lease. Requests that
 * waited at the gate or were retried go into separate histograms. So acquisition time and attempt time are both
 * available without a third record for direct requests, for which the two are the same.
 */
public final class Recorder {
    /** The records of the slots for leases; each new slot adds itself. */
    private final List<SlotRecords> slots = new CopyOnWriteArrayList<>();
    /** The records of single requests, for advice on the pool's size. */
    private final LeaseLog log = new LeaseLog(slots);
    /** Acquisitions by the first attempt, without a wait at the gate. */
    private final SlotTimes direct = new SlotTimes(slots, false);

    private final SlotTimes leases = new SlotTimes(slots, true);
    /** All other requests. Filled by the constructor and never changed after: safe to read from any thread. */
    final Map<AcquisitionOutcome, SharedHistogram> detoured = new EnumMap<>(AcquisitionOutcome.class);
    /** The last attempts of successful requests. */
    final SharedHistogram detouredAttempts = new SharedHistogram();
    /** Physical connects, if the pool reports them. */
    final SharedHistogram connects = new SharedHistogram();

    private final AtomicLongArray retries = new AtomicLongArray(102);
    final AtomicLong growths = new AtomicLong();
    final AtomicLong shrinks = new AtomicLong();
    final AtomicLong refusedGrowths = new AtomicLong();
    final AtomicLong connectFailures = new AtomicLong();
    final AtomicLong leaksSuspected = new AtomicLong();
    final StripedCounter nestedAcquisitions = new StripedCounter(StripedCounter.stripes());
    /** The number of leases with an unrecorded end, less those with an unrecorded begin. */
    private volatile long unrecorded;
    /** See {@link #usualWaitNanos}. */
    private volatile long usualWaitNanos = Long.MAX_VALUE;

    public Recorder() {
        for (AcquisitionOutcome outcome : AcquisitionOutcome.values()) {
            detoured.put(outcome, new SharedHistogram());
        }
    }

    /** Adds the records of a new slot, which stay. */
    public final <T extends SlotRecords> T add(T slot) {
        if (slot instanceof SlotLog logged) {
            logged.logTo(log.isOpen() ? log : null);
        }
        slots.add(slot);
        return slot;
    }

    /** The records of single requests since the last tick. */
    public LeaseLog log() {
        return log;
    }

    /** The acquisitions that the direct path recorded. */
    Histogram direct() {
        return direct;
    }

    /** The leases that have ended. */
    Histogram leaseTimes() {
        return leases;
    }

    private SharedHistogram detoured(AcquisitionOutcome outcome) {
        return Objects.requireNonNull(detoured.get(outcome));
    }

    /** Records an acquisition that waited at the gate or was retried. If it throws, nothing counts as acquired. */
    public void acquired(long nanos, long attemptNanos, int attempts) {
        if (attempts > 1) {
            retried(attempts - 1);
        }
        acquiredAfterDetour(nanos, attemptNanos);
    }

    public void acquiredAfterDetour(long nanos, long attemptNanos) {
        detouredAttempts.record(attemptNanos);
        // Last: the connection counts as active from here on.
        detoured(AcquisitionOutcome.OK).record(nanos);
    }

    public void failed(long nanos, AcquisitionOutcome outcome) {
        detoured(outcome).record(nanos);
    }

    /** Requests with this outcome. */
    public long failed(AcquisitionOutcome outcome) {
        return detoured(outcome).count();
    }

    /** The 99th percentile of physical connects; 0 if not reported. */
    public long connectP99Nanos() {
        return connects.count() == 0 ? 0 : connects.snapshot().percentileNanos(0.99);
    }

    public void retried(int times) {
        retries.getAndIncrement(Math.min(times, retries.length() - 1));
    }

    CountDistribution retries() {
        long[] counts = new long[retries.length()];
        for (int at = 0; at < counts.length; at++) {
            counts[at] = retries.get(at);
        }
        return CountDistribution.of(counts);
    }

    public void grew() {
        growths.getAndIncrement();
    }

    public void shrank() {
        shrinks.getAndIncrement();
    }

    public void refusedGrowth() {
        refusedGrowths.getAndIncrement();
    }

    public void connectFailed() {
        connectFailures.getAndIncrement();
    }

    public void leakSuspected() {
        leaksSuspected.getAndIncrement();
    }

    public void nested(int threadId) {
        nestedAcquisitions.increment(threadId);
    }

    /** Requests that took a slot at once, answered or not. */
    public long requestsAtOnce() {
        long sum = 0;
        for (SlotRecords slot : slots) {
            sum += slot.requests();
        }
        return sum;
    }

    /** Requests that got no connection, for any reason. */
    public long failed() {
        long failed = 0;
        for (AcquisitionOutcome outcome : AcquisitionOutcome.values()) {
            failed += outcome == AcquisitionOutcome.OK ? 0 : failed(outcome);
        }
        return failed;
    }

    /** Total time of all ended requests, successful or not. */
    public long acquisitionNanos() {
        long nanos = direct.sum();
        for (SharedHistogram histogram : detoured.values()) {
            nanos += histogram.sum();
        }
        return nanos;
    }

    /** Total time of all ended leases. */
    public long leaseNanos() {
        return leases.sum();
    }

    public long timeouts() {
        return failed(AcquisitionOutcome.TIMEOUT);
    }

    public long connectFailures() {
        return connectFailures.get();
    }

    /** Active connections: acquired and not yet released. */
    public int active() {
        long released = leases.count();
        return (int) Math.max(0, acquired() - released - unrecorded);
    }

    /**
     * Corrects {@link #active()} after recording a begin or an end was cut short. Called by the tick only.
     *
     * @param leases recorded begins minus recorded ends minus open leases
     */
    public void correct(long leases) {
        unrecorded = leases;
    }

    /**
     * The usual 99th percentile of the wait, by {@link StatisticsHistory}; {@code Long.MAX_VALUE} after too few
     * requests. An unused pool keeps the value of its last use.
     */
    public long usualWaitNanos() {
        return usualWaitNanos;
    }

    /** Set by the tick alone. */
    void usualWait(long nanos) {
        usualWaitNanos = nanos;
    }

    /** Ended requests, successful or not. */
    public long ended() {
        return acquired() + failed();
    }

    public long acquired() {
        return direct.count() + detoured(AcquisitionOutcome.OK).count();
    }

    public long released() {
        return leases.count();
    }
}
