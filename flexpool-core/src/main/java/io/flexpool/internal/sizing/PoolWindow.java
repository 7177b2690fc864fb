// SPDX-License-Identifier: Apache-2.0
package io.flexpool.internal.sizing;

/**
 * One tick of a pool's life, as a sizing policy sees it. Immutable.
 *
 * @param nowNanos the time, on the pool's ticker
 * @param base the lease limit to return to
 * @param ceiling the lease limit never to pass
 * @param limit the lease limit in force
 * @param active connections in use (leased and foreign)
 * @param waiting requests that wait at the gate
 * @param lastGrowthNanos when the limit was last raised, on the pool's ticker; meaningless while limit ≤ base
 * @param total connections the pool has open, idle and in use; negative where the pool does not report it
 * @param headAgeNanos how long the oldest waiting request has waited, nanoseconds; 0 if none waits
 * @param traffic what came and went since the tick before
 * @param open the open leases
 */
public record PoolWindow(
        long nowNanos,
        int base,
        int ceiling,
        int limit,
        int active,
        int waiting,
        long lastGrowthNanos,
        int total,
        long headAgeNanos,
        Traffic traffic,
        LeaseAges open) {
    PoolWindow withCeiling(int other) {
        return new PoolWindow(
                nowNanos, base, other, limit, active, waiting, lastGrowthNanos, total, headAgeNanos, traffic, open);
    }

    /** Whether the pool has as many connections open as the limit allows, as far as it reports. */
    boolean filled() {
        return total < 0 || total >= limit;
    }

    /** Whether requests wait although the limit does not bind: for connections that are still being opened. */
    boolean opening() {
        return !filled() && waiting > 0;
    }
}
