// SPDX-License-Identifier: Apache-2.0
package io.flexpool.internal.sizing;

/**
 * What came and went between two ticks. Immutable.
 *
 * @param arrivals requests for a connection
 * @param completions leases that ended
 * @param leaseNanos how long those leases lasted in total, nanoseconds
 * @param timeouts requests that gave up waiting
 * @param connectFailures connections that the database refused
 * @param meanActive active connections, averaged over the time of the tick
 * @param saturated share of the tick's time, 0 to 1, in which at least as many connections were in use as the limit allows
 *     and a request waited
 */
public record Traffic(
        long arrivals,
        long completions,
        long leaseNanos,
        long timeouts,
        long connectFailures,
        double meanActive,
        double saturated) {
    /** Nothing came, nothing went. */
    public static final Traffic NONE = new Traffic(0, 0, 0, 0, 0, 0, 0);
}
