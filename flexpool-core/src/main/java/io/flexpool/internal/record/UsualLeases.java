// SPDX-License-Identifier: Apache-2.0
package io.flexpool.internal.record;

import io.flexpool.monitoring.HistogramSnapshot;

/**
 * How long leases usually last, and how long they lasted lately.
 *
 * @param usual those before; of the whole life if there is no "before" yet
 * @param recent those of the last minute
 * @param windowNanos how long that is, less just after the start
 */
public record UsualLeases(HistogramSnapshot usual, HistogramSnapshot recent, long windowNanos) {
    /** From so many on they are something to compare with. */
    public static final int ENOUGH = 20;

    public static final UsualLeases NONE = new UsualLeases(HistogramSnapshot.EMPTY, HistogramSnapshot.EMPTY, 0);

    /** Whether there is enough of them. */
    public boolean known() {
        return usual.count() >= ENOUGH;
    }

    /**
     * How old an open connection would be on average if leases lasted as usual. Long leases are met more often than
     * short ones, each in its middle on average: half of the mean square over the mean.
     */
    public double usualAgeNanos() {
        double mean = usual.meanNanos();
        double deviation = usual.stdDevNanos();
        return mean == 0 ? 0 : (deviation * deviation + mean * mean) / (2 * mean);
    }
}
