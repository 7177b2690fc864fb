// SPDX-License-Identifier: Apache-2.0
package io.flexpool.metrics.opentelemetry;

import io.flexpool.monitoring.CountDistribution;
import io.flexpool.monitoring.HistogramSnapshot;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Explicit buckets, and the counts of flexpool's histograms in them. Immutable. */
final class Boundaries {
    /** Every doubling from 1 µs to 64 s: these are bounds of flexpool's buckets too, so the counts are exact. */
    static final List<Double> DOUBLINGS = doublings();

    private static final List<Double> COUNTS =
            List.of(0.0, 1.0, 2.0, 5.0, 10.0, 20.0, 50.0, 100.0, 200.0, 500.0, 1000.0);
    private static final int MOST = 200;

    private final List<Double> seconds;
    private final double[] sorted;

    private Boundaries(List<Double> seconds) {
        this.seconds = List.copyOf(seconds);
        this.sorted = seconds.stream().mapToDouble(Double::doubleValue).toArray();
    }

    private static List<Double> doublings() {
        List<Double> bounds = new ArrayList<>();
        for (int exponent = -20; exponent <= 6; exponent++) {
            bounds.add(Math.scalb(1.0, exponent));
        }
        return List.copyOf(bounds);
    }

    /** Upper bounds in seconds; invalid ones are refused. */
    static Boundaries of(List<Double> seconds) {
        boolean right = !seconds.isEmpty() && seconds.size() <= MOST;
        double before = 0;
        for (double bound : seconds) {
            right &= bound > before && bound < Double.POSITIVE_INFINITY;
            before = bound;
        }
        if (!right) {
            throw new IllegalArgumentException(
                    "buckets = " + seconds + ": must be 1 to " + MOST + " bounds in seconds, above 0 and ascending");
        }
        return new Boundaries(seconds);
    }

    List<Double> seconds() {
        return seconds;
    }

    /** The number of durations in each bucket, and in one more above the last bound. */
    List<Long> counts(HistogramSnapshot durations) {
        long[] counts = new long[sorted.length + 1];
        long[] own = durations.counts();
        for (int at = 0; at < own.length; at++) {
            // If a bound lies inside one of flexpool's buckets, which are 9 % wide, the whole bucket counts on one
            // side.
            double middle = Conventions.seconds(HistogramSnapshot.middleNanos(durations.offset() + at));
            int found = Arrays.binarySearch(sorted, middle);
            counts[found >= 0 ? found : -found - 1] += own[at];
        }
        return Arrays.stream(counts).boxed().toList();
    }

    static List<Double> ofNumbers() {
        return COUNTS;
    }

    /** The number of values in each of {@link #ofNumbers()}' buckets, and in one more. */
    static List<Long> counts(CountDistribution numbers) {
        List<Long> counts = new ArrayList<>();
        long below = 0;
        for (double bound : COUNTS) {
            long atMost = numbers.atMost((int) bound);
            counts.add(atMost - below);
            below = atMost;
        }
        counts.add(numbers.count() - below);
        return List.copyOf(counts);
    }
}
