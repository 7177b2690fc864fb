// SPDX-License-Identifier: Apache-2.0
package io.flexpool.internal.gate;

/**
 * In which order a pool that flexpool limits serves the requests that wait for a permit. A choice between the longest wait
 * and the mean one, where more threads work than there are connections: a thread that runs can use a free connection
 * at once, and one that waits first has to get a processor.
 *
 * <p>In both orders a request that has waited less than a millisecond may be passed, and no request is passed for longer than
 * some milliseconds once it is the oldest. A pool that is only watched keeps its own order.
 */
public enum AcquisitionOrder {
    /**
     * A released permit is handed to the oldest request. Newcomers pass it for up to a millisecond only while leases are
     * shorter than 50 µs, less than it takes a thread to wake up.
     */
    FAIR,
    /**
     * A released permit is offered to the oldest request, and for up to five milliseconds the first to come takes it.
     * Shorter waits on average and at the median, as with a bare pool; longer ones at the tail.
     */
    THROUGHPUT
}
