// SPDX-License-Identifier: Apache-2.0
package io.flexpool.adapter;

/**
 * The physical connects of a pool since it started. Both totals only grow. Immutable.
 *
 * @param count number of connects
 * @param sumNanos their total time, nanoseconds
 */
public record ConnectTotals(long count, long sumNanos) {
    /** None so far, or not reported. */
    public static final ConnectTotals NONE = new ConnectTotals(0, 0);
}
