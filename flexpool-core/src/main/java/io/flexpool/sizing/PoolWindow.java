// SPDX-License-Identifier: Apache-2.0
package io.flexpool.sizing;

/**
 * One tick of a pool's life, as a sizing policy sees it. Immutable.
 *
 * @param nowNanos the time, on the pool's ticker
 * @param base the lease limit to return to
 * @param ceiling the lease limit never to pass
 * @param limit the lease limit in force
 * @param active connections that are out (leased and foreign)
 * @param waiting requests that wait at the gate
 * @param lastGrowthNanos when the limit was last raised, on the pool's ticker; meaningless while limit ≤ base
 */
public record PoolWindow(
        long nowNanos, int base, int ceiling, int limit, int active, int waiting, long lastGrowthNanos) {}
