// SPDX-License-Identifier: Apache-2.0
package io.flexpool.internal.record;

import io.flexpool.monitoring.HistogramSnapshot;

/**
 * Usual and recent lease times.
 *
 * @param usual before the last minute; of the pool's whole life if there is no "before" yet
 * @param recent of the last minute
 * @param windowNanos length of the recent window, shorter just after the start
 */
public record UsualLeases(HistogramSnapshot usual, HistogramSnapshot recent, long windowNanos) {
    /** The minimum for a comparison. */
    public static final int ENOUGH = 20;

    public static final UsualLeases NONE = new UsualLeases(HistogramSnapshot.EMPTY, HistogramSnapshot.EMPTY, 0);

    /** Whether there are enough usual leases for a comparison. */
    public boolean known() {
        return usual.count() >= ENOUGH;
    }

    /**
     * The average age of an open lease if leases last as usual. A snapshot meets long leases more often than short
     * ones, each in its middle on average: half of the mean square over the mean.
     */
    public double usualAgeNanos() {
        double mean = usual.meanNanos();
        double deviation = usual.stdDevNanos();
        return mean == 0 ? 0 : (deviation * deviation + mean * mean) / (2 * mean);
    }
}
