// SPDX-License-Identifier: Apache-2.0
package io.flexpool.monitoring;

import java.time.Duration;
import java.util.Arrays;
import java.util.Objects;

/**
 * Durations counted into OpenTelemetry's base-2 exponential buckets at scale {@value #SCALE}, over seconds: bucket
 * {@code i} holds the durations d with 2^(i/8) s &lt; d ≤ 2^((i+1)/8) s, so each is 9 % wide. Immutable.
 *
 * <p>Count, sum, min and max are exact; a percentile is the geometric middle of its bucket and at most 4.5 % off. The
 * buckets follow the OpenTelemetry metrics data model ("ExponentialHistogram"), so that a backend with native
 * histograms copies the counts unchanged.
 */
public final class HistogramSnapshot {
    /** The OpenTelemetry scale: 2^3 buckets for each doubling. */
    public static final int SCALE = 3;

    /** The index of the first bucket, which holds one nanosecond (and anything shorter). */
    public static final int FIRST_INDEX = -240;

    /** The number of buckets; the last bucket also holds all durations above about 33 hours. */
    public static final int BUCKETS = 376;

    /** In place of an unknown shortest or longest duration. */
    public static final long UNKNOWN = 0;

    /** A histogram without durations. */
    public static final HistogramSnapshot EMPTY =
            new HistogramSnapshot(FIRST_INDEX, new long[0], Duration.ZERO, UNKNOWN, UNKNOWN);

    private static final Duration LONGEST = Duration.ofNanos(Long.MAX_VALUE);

    private final int offset;
    private final long[] counts;
    private final long count;
    private final Duration sum;
    private final long minNanos;
    private final long maxNanos;

    private HistogramSnapshot(int offset, long[] counts, Duration sum, long minNanos, long maxNanos) {
        this.offset = offset;
        this.counts = counts;
        long all = 0;
        for (long one : counts) {
            all += one;
        }
        this.count = all;
        this.sum = sum;
        this.minNanos = minNanos == Long.MAX_VALUE ? UNKNOWN : minNanos;
        this.maxNanos = maxNanos;
    }

    /**
     * A histogram of counts for all {@link #BUCKETS} buckets, from {@link #FIRST_INDEX} upwards.
     *
     * @param allCounts one count per bucket; not kept
     * @param sum the sum of all durations, which may be more than nanoseconds can hold in a long
     * @param minNanos the shortest duration, nanoseconds; {@link #UNKNOWN} or {@code Long.MAX_VALUE} if unknown
     * @param maxNanos the longest duration, nanoseconds; {@link #UNKNOWN} if unknown
     * @return a histogram that keeps only the range of buckets in use
     */
    public static HistogramSnapshot of(long[] allCounts, Duration sum, long minNanos, long maxNanos) {
        Objects.requireNonNull(allCounts, "allCounts is null");
        if (allCounts.length != BUCKETS) {
            throw new IllegalArgumentException("counts: " + allCounts.length + " given, must be " + BUCKETS);
        }
        int first = 0;
        while (first < BUCKETS && allCounts[first] == 0) {
            first++;
        }
        if (first == BUCKETS) {
            return EMPTY;
        }
        int last = BUCKETS - 1;
        while (allCounts[last] == 0) {
            last--;
        }
        long[] used = Arrays.copyOfRange(allCounts, first, last + 1);
        return new HistogramSnapshot(FIRST_INDEX + first, used, sum, minNanos, maxNanos);
    }

    /** {@return the number of durations} */
    public long count() {
        return count;
    }

    /**
     * The sum of all durations. Beyond 292 years, which 1,000 active connections reach in 106 days, it stays the
     * largest long; {@link #sumSeconds()} continues.
     *
     * @return the sum in nanoseconds, exact up to 292 years
     */
    public long sumNanos() {
        return sum.compareTo(LONGEST) < 0 ? sum.toNanos() : Long.MAX_VALUE;
    }

    /** {@return the sum of all durations in seconds, in a double's precision} */
    public double sumSeconds() {
        return sum.getSeconds() + sum.getNano() / 1e9;
    }

    /**
     * The shortest duration.
     *
     * @return nanoseconds, exact; {@link #UNKNOWN} without durations or if unknown, as in a difference of two copies
     */
    public long minNanos() {
        return minNanos;
    }

    /** {@return the longest duration in nanoseconds, exact; {@link #UNKNOWN} without durations or if unknown} */
    public long maxNanos() {
        return maxNanos;
    }

    /** {@return the mean duration in nanoseconds; 0 without durations} */
    public double meanNanos() {
        return count == 0 ? 0 : (sum.getSeconds() * 1e9 + sum.getNano()) / count;
    }

    /** {@return the OpenTelemetry index of the first bucket of {@link #counts()}, at least {@link #FIRST_INDEX}} */
    public int offset() {
        return offset;
    }

    /** {@return a copy of the counts of adjacent buckets from {@link #offset()} on; both ends non-zero, or empty} */
    public long[] counts() {
        return counts.clone();
    }

    /**
     * The duration that a share of all durations does not exceed (nearest rank).
     *
     * @param quantile from 0 to 1
     * @return nanoseconds, at most 4.5 % off, from {@link #minNanos()} to {@link #maxNanos()}; 0 without durations
     * @throws IllegalArgumentException if the quantile is outside 0 to 1
     */
    public long percentileNanos(double quantile) {
        if (!(quantile >= 0 && quantile <= 1)) {
            throw new IllegalArgumentException("quantile " + quantile + ": must be from 0 to 1");
        }
        if (count == 0) {
            return 0;
        }
        long rank = Math.max(1, (long) Math.ceil(quantile * count));
        long seen = 0;
        int at = 0;
        while (at < counts.length - 1 && (seen += counts[at]) < rank) {
            at++;
        }
        long middle = Math.max(minNanos, Math.round(middleNanos(offset + at)));
        return maxNanos > 0 ? Math.min(middle, maxNanos) : middle;
    }

    /**
     * The standard deviation, estimated from the buckets' middles.
     *
     * @return nanoseconds; 0 if fewer than two durations were counted
     */
    public double stdDevNanos() {
        if (count < 2) {
            return 0;
        }
        double mean = meanNanos();
        double squares = 0;
        for (int at = 0; at < counts.length; at++) {
            double distance = middleNanos(offset + at) - mean;
            squares += counts[at] * distance * distance;
        }
        return Math.sqrt(squares / (count - 1));
    }

    /**
     * The durations since an older copy of the same histogram.
     *
     * @param older an earlier copy
     * @param minSinceNanos the shortest duration since then, nanoseconds; {@link #UNKNOWN} or {@code Long.MAX_VALUE} if it
     *     is not known
     * @param maxSinceNanos the longest duration since then, nanoseconds; {@link #UNKNOWN} if it is not known
     * @return the difference, bucket by bucket
     */
    public HistogramSnapshot since(HistogramSnapshot older, long minSinceNanos, long maxSinceNanos) {
        Objects.requireNonNull(older, "older is null");
        long[] all = new long[BUCKETS];
        addTo(all, 1);
        older.addTo(all, -1);
        for (int at = 0; at < BUCKETS; at++) {
            // Stripes are read one after another, so a copy can lag behind another copy by a concurrent count.
            all[at] = Math.max(0, all[at]);
        }
        Duration since = sum.minus(older.sum);
        return of(all, since.isNegative() ? Duration.ZERO : since, minSinceNanos, maxSinceNanos);
    }

    /**
     * Adds another histogram.
     *
     * @param other another histogram
     * @return the sum, bucket by bucket
     */
    public HistogramSnapshot plus(HistogramSnapshot other) {
        Objects.requireNonNull(other, "other is null");
        long[] all = new long[BUCKETS];
        addTo(all, 1);
        other.addTo(all, 1);
        boolean known = (count == 0 || minNanos != UNKNOWN) && (other.count == 0 || other.minNanos != UNKNOWN);
        long min = Math.min(count == 0 ? Long.MAX_VALUE : minNanos, other.count == 0 ? Long.MAX_VALUE : other.minNanos);
        return of(all, sum.plus(other.sum), known ? min : UNKNOWN, Math.max(maxNanos, other.maxNanos));
    }

    /**
     * The upper bound of a bucket, inclusive.
     *
     * @param index an OpenTelemetry bucket index at this scale
     * @return seconds
     */
    public static double upperBoundSeconds(int index) {
        return Math.pow(2, (index + 1) / 8.0);
    }

    /**
     * The geometric middle of a bucket, used for all durations in it.
     *
     * @param index an OpenTelemetry bucket index at this scale
     * @return nanoseconds
     */
    public static double middleNanos(int index) {
        return Math.pow(2, (index + 0.5) / 8.0) * 1e9;
    }

    private void addTo(long[] all, int sign) {
        for (int at = 0; at < counts.length; at++) {
            all[offset - FIRST_INDEX + at] += sign * counts[at];
        }
    }

    @Override
    public String toString() {
        return "count=" + count + " mean=" + Math.round(meanNanos()) + "ns p50=" + percentileNanos(0.5) + "ns p99="
                + percentileNanos(0.99) + "ns max=" + maxNanos + "ns";
    }
}
