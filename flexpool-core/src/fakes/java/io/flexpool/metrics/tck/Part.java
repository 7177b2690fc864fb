// SPDX-License-Identifier: Apache-2.0
package io.flexpool.metrics.tck;

/** A part of a metric that a backend may show. Durations are seconds here, independent of the backend's unit. */
public enum Part {
    /** The current value of a gauge or counter. */
    VALUE,
    /** The number since the pool was wrapped. */
    COUNT,
    /** The sum since the pool was wrapped. */
    SUM,
    /** The mean of the last minute. */
    RECENT_MEAN,
    /** The largest of the last minute. */
    RECENT_MAX,
    /** The median of the last minute. */
    RECENT_P50,
    /** The 95th percentile of the last minute. */
    RECENT_P95,
    /** The 99th percentile of the last minute. */
    RECENT_P99
}
