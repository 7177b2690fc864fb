// SPDX-License-Identifier: Apache-2.0
package io.flexpool.adapter;

/**
 * What a pool tells of the physical connections that it has opened since it started. Both only grow. Immutable.
 *
 * @param count how many
 * @param sumNanos how long they took together, nanoseconds
 */
public record ConnectTotals(long count, long sumNanos) {
    /** None so far, or a pool that does not tell. */
    public static final ConnectTotals NONE = new ConnectTotals(0, 0);
}
