// SPDX-License-Identifier: Apache-2.0
package io.flexpool.internal.record;

import io.flexpool.monitoring.HistogramSnapshot;

/**
 * Durations that were recorded: cumulative, never reset, read while others record. The count is the sum of the buckets
 * in a snapshot; the sum of the durations may lack those that are being recorded.
 */
interface Histogram {
    /** How many. */
    long count();

    /** Their sum, nanoseconds; wraps after 584 years, so that differences stay correct. */
    long sum();

    /** Returns and resets the longest duration since the last call. */
    long takeMax();

    /** The longest duration since the last {@link #takeMax()}. */
    long peekMax();

    /**
     * A copy.
     *
     * @param maxNanos the longest duration of the copy's span
     */
    HistogramSnapshot snapshot(long maxNanos);
}
