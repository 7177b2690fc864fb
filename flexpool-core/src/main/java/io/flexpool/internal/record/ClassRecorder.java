// SPDX-License-Identifier: Apache-2.0
package io.flexpool.internal.record;

import io.flexpool.adapter.AcquisitionFailure;
import io.flexpool.monitoring.HistogramSnapshot;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;

/**
 * Counts what the requests of each class did, in a pool that has classes. Cumulative and never reset. A request that is
 * answered at once costs one addition, on a stripe of its thread; the time of one that waited is recorded. Takes no lock and
 * allocates nothing, but for the first wait of an octave. Thread-safe.
 */
public final class ClassRecorder {
    private final OfClass[] classes;

    /** Of so many classes, known by their numbers. */
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

    /** A request got a connection without a wait for a permit, with its first attempt. */
    public void acquiredAtOnce(int requestClass) {
        classes[requestClass].atOnce.increment((int) Thread.currentThread().getId());
    }

    /** A request got a connection after a detour. If it throws, nothing was counted. */
    public void acquired(int requestClass, long waitedNanos) {
        classes[requestClass].waited.record(waitedNanos);
    }

    /** A request got none: counts those that got none in time, and those that ended early because their class was overloaded. */
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

    /** How many got nothing in time. */
    public long timeouts(int requestClass) {
        return classes[requestClass].timeouts.get();
    }

    long shedCount(int requestClass) {
        return classes[requestClass].shed.get();
    }

    Histogram waited(int requestClass) {
        return classes[requestClass].waited;
    }

    /** How many got a connection: cheap, to see whether a copy would be another one. */
    public long acquired(int requestClass) {
        return classes[requestClass].atOnce.sum() + classes[requestClass].waited.count();
    }

    /** A copy of the waits, in which those that did not wait are in the first bucket. */
    HistogramSnapshot waits(int requestClass, long longestNanos) {
        long[] atOnce = new long[HistogramSnapshot.BUCKETS];
        atOnce[0] = classes[requestClass].atOnce.sum();
        return HistogramSnapshot.of(atOnce, Duration.ZERO, 1, 1)
                .plus(classes[requestClass].waited.snapshot(HistogramSnapshot.UNKNOWN, longestNanos));
    }
}
