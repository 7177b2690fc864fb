// SPDX-License-Identifier: Apache-2.0
package io.flexpool.internal.record;

import io.flexpool.adapter.AcquisitionFailure;
import io.flexpool.monitoring.HistogramSnapshot;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;

/**
 * Counts the requests of each class, in a pool with classes. Cumulative and never reset. A request that is served at
 * once costs one addition, on a stripe of its thread; waits are recorded with their time. Takes no lock and allocates
 * nothing, except for the first wait of an octave. Thread-safe.
 */
public final class ClassRecorder {
    private final OfClass[] classes;

    /** A recorder for a number of classes. */
    public ClassRecorder(int classes) {
        this.classes = IntStream.range(0, classes).mapToObj(at -> new OfClass()).toArray(OfClass[]::new);
    }

    /** One class. */
    private static final class OfClass {
        private final StripedCounter atOnce = new StripedCounter(StripedCounter.stripes());
        private final SharedHistogram waited = new SharedHistogram();
        private final AtomicLong timeouts = new AtomicLong();
        private final AtomicLong shed = new AtomicLong();
    }

    /** Counts a request that got a connection by its first attempt, without a wait for a permit. */
    public void acquiredAtOnce(int requestClass) {
        classes[requestClass].atOnce.increment((int) Thread.currentThread().getId());
    }

    /** Counts a request that got a connection after a wait or a retry. If it throws, nothing was counted. */
    public void acquired(int requestClass, long waitedNanos) {
        classes[requestClass].waited.record(waitedNanos);
    }

    /** Counts a request without a connection, if it timed out, or was shed because its class was overloaded. */
    public void failed(int requestClass, AcquisitionFailure.Kind kind) {
        if (kind == AcquisitionFailure.Kind.EXHAUSTED) {
            classes[requestClass].timeouts.getAndIncrement();
        } else if (kind == AcquisitionFailure.Kind.SHED) {
            classes[requestClass].shed.getAndIncrement();
        }
    }

    int size() {
        return classes.length;
    }

    /** The number of requests that got no connection in time. */
    public long timeouts(int requestClass) {
        return classes[requestClass].timeouts.get();
    }

    long shedCount(int requestClass) {
        return classes[requestClass].shed.get();
    }

    Histogram waited(int requestClass) {
        return classes[requestClass].waited;
    }

    /** The number of requests that got a connection: a cheap check whether a copy would differ. */
    public long acquired(int requestClass) {
        return classes[requestClass].atOnce.sum() + classes[requestClass].waited.count();
    }

    /** A copy of the waits; requests without a wait are in the first bucket. */
    HistogramSnapshot waits(int requestClass, long longestNanos) {
        long[] atOnce = new long[HistogramSnapshot.BUCKETS];
        atOnce[0] = classes[requestClass].atOnce.sum();
        return HistogramSnapshot.of(atOnce, Duration.ZERO, 1, 1)
                .plus(classes[requestClass].waited.snapshot(HistogramSnapshot.UNKNOWN, longestNanos));
    }
}
