// SPDX-License-Identifier: Apache-2.0
package io.flexpool.internal.record;

import io.flexpool.monitoring.HistogramSnapshot;

/**
 * Recorded durations: cumulative, never reset, read during records. The count is the sum of the buckets in a snapshot;
 * the sum of the durations may lack records in progress.
 */
public interface Histogram {
    /** The number of durations. */
    long count();

    /** The sum of the durations, nanoseconds; wraps after 584 years, so that differences stay correct. */
    long sum();

    /** The longest duration since the last reset; 0 without one. */
    long longest(boolean reset);

    /** The shortest duration since the last reset; {@code Long.MAX_VALUE} without one. */
    long shortest(boolean reset);

    /** A copy with unknown shortest and longest durations. */
    default HistogramSnapshot snapshot() {
        return snapshot(HistogramSnapshot.UNKNOWN, HistogramSnapshot.UNKNOWN);
    }

    /**
     * A copy.
     *
     * @param minNanos the shortest duration of the copy's span; {@link HistogramSnapshot#UNKNOWN} or
     *     {@code Long.MAX_VALUE} without one
     * @param maxNanos the longest duration of the copy's span
     */
    HistogramSnapshot snapshot(long minNanos, long maxNanos);
}
