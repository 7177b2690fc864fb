// SPDX-License-Identifier: Apache-2.0
package io.flexpool.metrics.prometheus;

import io.flexpool.monitoring.HistogramSnapshot;
import io.flexpool.monitoring.MetricsProvider.MetricLevel;
import io.prometheus.metrics.model.snapshots.ClassicHistogramBuckets;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;

/**
 * The bounds of classic histograms, each the upper bound of one of flexpool's buckets: a bound inside a bucket would
 * require an estimate of how many values are below.
 */
final class ClassicBounds {
    private static final int OCTAVE = 1 << HistogramSnapshot.SCALE;
    private static final int MOST = 50;
    private static final Duration LEAST = Duration.ofNanos(1_000);
    private static final Duration LONGEST = Duration.ofDays(1);
    private static final double SECOND = 1e9;

    /** No bound but infinity, which every histogram has. */
    private static final ClassicBounds NONE = new ClassicBounds();

    /** 2^-12 s (0.24 ms), doubling up to 2^5 s. */
    private static final ClassicBounds DOUBLING = new ClassicBounds(
            IntStream.rangeClosed(-12, 5).map(power -> power * OCTAVE - 1).toArray());

    /** The buckets with these upper bounds, ascending. */
    private final int[] indexes;

    private ClassicBounds(int... indexes) {
        this.indexes = indexes;
    }

    /** The bounds of a level; each bound adds a series to every histogram. */
    static ClassicBounds of(MetricLevel level) {
        return level == MetricLevel.ALL ? DOUBLING : NONE;
    }

    static ClassicBounds of(List<Duration> bounds) {
        if (bounds.isEmpty() || bounds.size() > MOST) {
            throw new IllegalArgumentException("classic-bounds = " + bounds + ": must be 1 to " + MOST + " durations");
        }
        for (Duration bound : bounds) {
            if (bound.compareTo(LEAST) < 0 || bound.compareTo(LONGEST) > 0) {
                throw new IllegalArgumentException(
                        "classic-bounds = " + bound + ": must be from " + LEAST + " to " + LONGEST);
            }
        }
        return new ClassicBounds(bounds.stream()
                .mapToInt(ClassicBounds::nextIndex)
                .sorted()
                .distinct()
                .toArray());
    }

    /** The first bucket whose upper bound is at least this. */
    private static int nextIndex(Duration bound) {
        double seconds = bound.toNanos() / SECOND;
        int index = (int) Math.floor(Math.log(seconds) / Math.log(2) * OCTAVE) - 2;
        while (HistogramSnapshot.upperBoundSeconds(index) < seconds) {
            index++;
        }
        return index;
    }

    /** Not cumulative; the client sums up. */
    ClassicHistogramBuckets buckets(HistogramSnapshot durations) {
        long[] counts = durations.counts();
        ClassicHistogramBuckets.Builder buckets = ClassicHistogramBuckets.builder();
        int at = 0;
        for (int index : indexes) {
            long within = 0;
            for (; at < counts.length && durations.offset() + at <= index; at++) {
                within += counts[at];
            }
            buckets.bucket(HistogramSnapshot.upperBoundSeconds(index), within);
        }
        long beyond = 0;
        for (; at < counts.length; at++) {
            beyond += counts[at];
        }
        return buckets.bucket(Double.POSITIVE_INFINITY, beyond).build();
    }
}
