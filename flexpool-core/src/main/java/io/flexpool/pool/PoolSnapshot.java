// SPDX-License-Identifier: Apache-2.0
package io.flexpool.pool;

/**
 * What the pool itself says of its connections at one moment. Immutable. A figure that the pool does not tell is
 * {@link #UNKNOWN}; figures are read one after the other and may disagree by a connection under load.
 *
 * @param max the most physical connections the pool may open
 * @param minIdle the least idle connections the pool keeps
 * @param active connections that are out
 * @param idle connections that are open and free
 * @param total physical connections the pool holds, active and idle
 * @param pending threads that wait inside the pool
 */
public record PoolSnapshot(int max, int minIdle, int active, int idle, int total, int pending) {
    /** The pool does not tell this figure. */
    public static final int UNKNOWN = -1;

    /** Of a pool that tells nothing. */
    public static final PoolSnapshot NOTHING_KNOWN =
            new PoolSnapshot(UNKNOWN, UNKNOWN, UNKNOWN, UNKNOWN, UNKNOWN, UNKNOWN);

    /** Replaces a negative figure by {@link #UNKNOWN}, so that a pool's passing miscount never shows. */
    public PoolSnapshot {
        max = Math.max(UNKNOWN, max);
        minIdle = Math.max(UNKNOWN, minIdle);
        active = Math.max(UNKNOWN, active);
        idle = Math.max(UNKNOWN, idle);
        total = Math.max(UNKNOWN, total);
        pending = Math.max(UNKNOWN, pending);
    }
}
