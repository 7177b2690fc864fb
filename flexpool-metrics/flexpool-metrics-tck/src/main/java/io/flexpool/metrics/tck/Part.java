// SPDX-License-Identifier: Apache-2.0
package io.flexpool.metrics.tck;

/** What a backend may show of a figure. Durations are seconds here, whatever the backend shows. */
public enum Part {
    /** What it is: of gauges and counters. */
    VALUE,
    /** How many, since the pool was wrapped. */
    COUNT,
    /** How much in all, since the pool was wrapped. */
    SUM,
    /** The mean of the last minute. */
    RECENT_MEAN,
    /** The largest of the last minute. */
    RECENT_MAX,
    /** What half of the last minute's did not exceed. */
    RECENT_P50,
    /** What 95 % of the last minute's did not exceed. */
    RECENT_P95,
    /** What 99 % of the last minute's did not exceed. */
    RECENT_P99
}
