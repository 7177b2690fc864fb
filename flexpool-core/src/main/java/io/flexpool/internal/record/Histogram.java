// SPDX-License-Identifier: Apache-2.0
package io.flexpool.internal.record;

import io.flexpool.monitoring.HistogramSnapshot;

/**
 * Durations that were recorded: cumulative, never reset, read while others record. The count is the sum of the buckets
 * in a snapshot; the sum of the durations may lack those that are being recorded.
 */
public interface Histogram {
    /** How many. */
    long count();

    /** Their sum, nanoseconds; wraps after 584 years, so that differences stay correct. */
    long sum();

    /** Returns and resets the longest duration since the last call. */
    long takeMax();

    /** The longest duration since the last {@link #takeMax()}. */
    long peekMax();

    /** Returns and resets the shortest duration since the last call; {@code Long.MAX_VALUE} if there was none. */
    long takeMin();

    /** The shortest duration since the last {@link #takeMin()}; {@code Long.MAX_VALUE} if there was none. */
    long peekMin();

    /** A copy whose shortest and longest durations are not known. */
    default HistogramSnapshot snapshot() {
        return snapshot(HistogramSnapshot.UNKNOWN, HistogramSnapshot.UNKNOWN);
    }

    /**
     * A copy.
     *
     * @param minNanos the shortest duration of the copy's span; {@link HistogramSnapshot#UNKNOWN} or
     *     {@code Long.MAX_VALUE} if there is none
     * @param maxNanos the longest one
     */
    HistogramSnapshot snapshot(long minNanos, long maxNanos);
}
