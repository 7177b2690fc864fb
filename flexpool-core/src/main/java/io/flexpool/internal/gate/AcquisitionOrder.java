// SPDX-License-Identifier: Apache-2.0
package io.flexpool.internal.gate;

/**
 * The order in which a limited pool serves the requests that wait for a permit. If more threads work than there are
 * connections, the order trades the longest wait against the mean wait. A running thread can use a free connection at
 * once; a waiting thread must first get a processor.
 *
 * <p>In both orders a request that has waited less than a millisecond may be passed. Once it is the oldest, it is
 * passed for some milliseconds at most. flexpool does not order the requests of a pool without a limit.
 */
public enum AcquisitionOrder {
    /**
     * A released permit is handed to the oldest request. Newcomers pass it for up to a millisecond only while leases
     * are shorter than 50 µs, less than it takes a thread to wake up.
     */
    FAIR,
    /**
     * A released permit wakes the oldest request, but for up to five milliseconds any request may take the permit
     * first. Shorter waits on average and at the median, as with a bare pool; longer waits at the tail.
     */
    THROUGHPUT
}
