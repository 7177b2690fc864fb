// SPDX-License-Identifier: Apache-2.0
package io.flexpool.monitoring;

import java.util.Arrays;
import java.util.Objects;

/**
 * How often each small whole number was seen: connections in use, pending requests, limits, retries. Exact up to
 * {@value #LARGEST}; larger numbers count as {@value #LARGEST}. Immutable.
 */
public final class CountDistribution {
    /** The largest number counted exactly. */
    public static final int LARGEST = 4096;

    /** A distribution without numbers. */
    public static final CountDistribution EMPTY = new CountDistribution(0, new long[0]);

    /** The smallest number seen. */
    private final int first;
    /** The counts from {@link #first} on; both ends non-zero, or empty. */
    private final long[] seen;

    private final long count;

    private CountDistribution(int first, long[] seen) {
        this.first = first;
        this.seen = seen;
        long sum = 0;
        for (long one : seen) {
            sum += one;
        }
        this.count = sum;
    }

    /**
     * A distribution of given counts.
     *
     * @param seen the counts: at index n, how often n was seen; not kept
     * @return a distribution
     */
    public static CountDistribution of(long[] seen) {
        Objects.requireNonNull(seen, "seen is null");
        return of(0, seen);
    }

    private static CountDistribution of(int first, long[] seen) {
        int from = 0;
        int to = seen.length;
        while (to > 0 && seen[to - 1] == 0) {
            to--;
        }
        while (from < to && seen[from] == 0) {
            from++;
        }
        return to == 0 ? EMPTY : new CountDistribution(first + from, Arrays.copyOfRange(seen, from, to));
    }

    /** {@return the count of all numbers seen} */
    public long count() {
        return count;
    }

    /** {@return the largest number seen; 0 without numbers} */
    public int max() {
        return Math.max(0, first + seen.length - 1);
    }

    /** {@return the mean; 0 without numbers} */
    public double mean() {
        return count == 0 ? 0 : (double) sum() / count;
    }

    /** {@return the sum of all numbers seen} */
    public long sum() {
        long sum = 0;
        for (int at = 0; at < seen.length; at++) {
            sum += (first + at) * seen[at];
        }
        return sum;
    }

    /** {@return the standard deviation; 0 if fewer than two numbers were seen} */
    public double stdDev() {
        if (count < 2) {
            return 0;
        }
        double mean = mean();
        double squares = 0;
        for (int at = 0; at < seen.length; at++) {
            squares += seen[at] * (first + at - mean) * (first + at - mean);
        }
        return Math.sqrt(squares / (count - 1));
    }

    /**
     * The number that a share of all numbers seen does not exceed (nearest rank).
     *
     * @param quantile from 0 to 1
     * @return the number, exact; 0 without numbers
     * @throws IllegalArgumentException if the quantile is outside 0 to 1
     */
    public int percentile(double quantile) {
        if (!(quantile >= 0 && quantile <= 1)) {
            throw new IllegalArgumentException("quantile " + quantile + ": must be from 0 to 1");
        }
        long rank = Math.max(1, (long) Math.ceil(quantile * count));
        long below = 0;
        for (int at = 0; at < seen.length; at++) {
            below += seen[at];
            if (below >= rank) {
                return first + at;
            }
        }
        return 0;
    }

    /**
     * The count of all numbers up to a bound, as in a cumulative bucket.
     *
     * @param number the bound, inclusive
     * @return the count, exact below {@link #LARGEST}; 0 for a negative bound
     */
    public long atMost(int number) {
        long atMost = 0;
        for (int at = 0; at < seen.length && first + at <= number; at++) {
            atMost += seen[at];
        }
        return atMost;
    }

    /**
     * The numbers seen since an older copy of the same distribution.
     *
     * @param older an earlier copy
     * @return the difference
     */
    public CountDistribution since(CountDistribution older) {
        Objects.requireNonNull(older, "older is null");
        long[] difference = seen.clone();
        for (int at = 0; at < difference.length; at++) {
            int then = first + at - older.first;
            if (then >= 0 && then < older.seen.length) {
                difference[at] = Math.max(0, difference[at] - older.seen[then]);
            }
        }
        return of(first, difference);
    }
}
