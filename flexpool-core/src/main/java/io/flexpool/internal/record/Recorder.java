// SPDX-License-Identifier: Apache-2.0
package io.flexpool.internal.record;

import io.flexpool.monitoring.CountDistribution;
import io.flexpool.monitoring.HistogramSnapshot;
import io.flexpool.pool.AcquisitionOutcome;
import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.function.ToLongFunction;

/**
 * Counts everything once. Cumulative and never reset; a window is the difference of two copies.
 *
 * <p>The direct path makes two records: the acquisition and the lease. Requests that waited at the gate or were retried
 * go into separate histograms, so that acquisition time and attempt time are both available without a third record for
 * direct requests, for which the two are the same.
 */
public final class Recorder {
    /** Acquisitions by the first attempt, without a wait at the gate. */
    private final StripedHistogram direct;
    /** Acquisitions that waited at the gate or were retried. */
    private final StripedHistogram detoured = new StripedHistogram(1);
    /** The last attempts of those. */
    private final StripedHistogram detouredAttempts = new StripedHistogram(1);

    private final StripedHistogram leases;
    /** Physical connects, if the pool reports them. */
    private final StripedHistogram connects = new StripedHistogram(1);
    /** Filled by the constructor and never changed after: safe to read from any thread. */
    private final Map<AcquisitionOutcome, StripedHistogram> failures = new EnumMap<>(AcquisitionOutcome.class);

    private final AtomicLongArray retries = new AtomicLongArray(102);
    private final AtomicLong growths = new AtomicLong();
    private final AtomicLong shrinks = new AtomicLong();
    private final AtomicLong refusedGrowths = new AtomicLong();
    private final AtomicLong connectFailures = new AtomicLong();
    private final AtomicLong leaksSuspected = new AtomicLong();
    private final StripedCounter nestedAcquisitions;
    /** Leases whose end could not be recorded; negative if it was their begin. */
    private volatile long unrecorded;

    public Recorder() {
        int stripes = Stripes.count();
        direct = new StripedHistogram(stripes);
        leases = new StripedHistogram(stripes);
        nestedAcquisitions = new StripedCounter(stripes);
        for (AcquisitionOutcome outcome : AcquisitionOutcome.values()) {
            failures.put(outcome, new StripedHistogram(1));
        }
    }

    /** The direct path records its acquisitions here itself, to save a call. */
    public StripedHistogram direct() {
        return direct;
    }

    /** The direct path records its lease times here. */
    public StripedHistogram leaseTimes() {
        return leases;
    }

    public void acquiredAfterDetour(long nanos, long attemptNanos) {
        detouredAttempts.record(attemptNanos);
        // Last: the connection counts as active from here on.
        detoured.record(nanos);
    }

    public void failed(long nanos, AcquisitionOutcome outcome) {
        Objects.requireNonNull(failures.get(outcome)).record(nanos);
    }

    /** Requests with this outcome. */
    public long failed(AcquisitionOutcome outcome) {
        return Objects.requireNonNull(failures.get(outcome)).count();
    }

    void connected(long nanos) {
        connects.record(nanos);
    }

    public void retried(int times) {
        retries.getAndIncrement(Math.min(times, retries.length() - 1));
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

    /** Requests that got no connection, for any reason. */
    public long failed() {
        long failed = 0;
        for (StripedHistogram failure : failures.values()) {
            failed += failure.count();
        }
        return failed;
    }

    /** Total time of all ended requests, successful or not. */
    public long acquisitionNanos() {
        long nanos = direct.sum() + detoured.sum();
        for (StripedHistogram failure : failures.values()) {
            nanos += failure.sum();
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

    /** Ended requests, successful or not. */
    public long ended() {
        return acquired() + failed();
    }

    public long acquired() {
        return direct.count() + detoured.count();
    }

    public long released() {
        return leases.count();
    }

    /** The lease times without their maximum. */
    HistogramSnapshot leases() {
        return leases.snapshot(0);
    }

    /** The longest durations of one span, by histogram. */
    record Longest(
            long direct,
            long detoured,
            long attempt,
            long lease,
            long connect,
            Map<AcquisitionOutcome, Long> failures) {
        static final Longest NONE = new Longest(0, 0, 0, 0, 0, Map.of());

        Longest max(Longest other) {
            Map<AcquisitionOutcome, Long> both = new EnumMap<>(AcquisitionOutcome.class);
            both.putAll(failures);
            other.failures.forEach((outcome, nanos) -> both.merge(outcome, nanos, Math::max));
            return new Longest(
                    Math.max(direct, other.direct),
                    Math.max(detoured, other.detoured),
                    Math.max(attempt, other.attempt),
                    Math.max(lease, other.lease),
                    Math.max(connect, other.connect),
                    both);
        }

        long failure(AcquisitionOutcome outcome) {
            return failures.getOrDefault(outcome, 0L);
        }
    }

    /** Ends a span: returns its longest durations and starts the next. */
    Longest takeLongest() {
        return longest(StripedHistogram::takeMax);
    }

    /** The longest durations of the current span. */
    Longest peekLongest() {
        return longest(StripedHistogram::peekMax);
    }

    private Longest longest(ToLongFunction<StripedHistogram> read) {
        Map<AcquisitionOutcome, Long> failed = new EnumMap<>(AcquisitionOutcome.class);
        failures.forEach((outcome, histogram) -> failed.put(outcome, read.applyAsLong(histogram)));
        return new Longest(
                read.applyAsLong(direct),
                read.applyAsLong(detoured),
                read.applyAsLong(detouredAttempts),
                read.applyAsLong(leases),
                read.applyAsLong(connects),
                failed);
    }

    /** A copy of all counts. */
    record Copy(
            HistogramSnapshot direct,
            HistogramSnapshot detoured,
            HistogramSnapshot detouredAttempts,
            HistogramSnapshot leases,
            HistogramSnapshot connects,
            Map<AcquisitionOutcome, HistogramSnapshot> failures,
            CountDistribution retries,
            long growths,
            long shrinks,
            long refusedGrowths,
            long connectFailures,
            long leaksSuspected,
            long nestedAcquisitions) {}

    /**
     * Copies all counts.
     *
     * @param longest the longest durations of the copy's span
     */
    Copy copy(Longest longest) {
        // Leases first: each is counted as acquired before it is counted as ended.
        HistogramSnapshot ended = leases.snapshot(longest.lease());
        Map<AcquisitionOutcome, HistogramSnapshot> failed = new EnumMap<>(AcquisitionOutcome.class);
        failures.forEach((outcome, histogram) -> failed.put(outcome, histogram.snapshot(longest.failure(outcome))));
        long[] retried = new long[retries.length()];
        for (int at = 0; at < retried.length; at++) {
            retried[at] = retries.get(at);
        }
        return new Copy(
                direct.snapshot(longest.direct()),
                detoured.snapshot(longest.detoured()),
                detouredAttempts.snapshot(longest.attempt()),
                ended,
                connects.snapshot(longest.connect()),
                failed,
                CountDistribution.of(retried),
                growths.get(),
                shrinks.get(),
                refusedGrowths.get(),
                connectFailures.get(),
                leaksSuspected.get(),
                nestedAcquisitions.sum());
    }
}
