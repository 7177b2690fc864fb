// SPDX-License-Identifier: Apache-2.0
package io.flexpool.pool;

/**
 * The pool's own counts of its connections at one moment. Immutable. A value that the pool does not report is
 * {@link #UNKNOWN}; values are read one after the other and may disagree by a connection under load.
 *
 * @param max the most physical connections the pool may open
 * @param minIdle the least idle connections the pool keeps
 * @param active connections in use
 * @param idle open connections not in use
 * @param total physical connections the pool holds, active and idle
 * @param pending threads that wait inside the pool
 */
public record PoolSnapshot(int max, int minIdle, int active, int idle, int total, int pending) {
    /** The pool does not report this value. */
    public static final int UNKNOWN = -1;

    /** For a pool that reports nothing. */
    public static final PoolSnapshot NOTHING_KNOWN =
            new PoolSnapshot(UNKNOWN, UNKNOWN, UNKNOWN, UNKNOWN, UNKNOWN, UNKNOWN);

    /**
     * The counts that only some pools report. Whether a pool reports waiting threads is
     * {@link io.flexpool.adapter.PoolAdapter.Capability#PENDING_COUNT}.
     */
    public enum Figure {
        /** {@link PoolSnapshot#max()}. */
        MAX,
        /** {@link PoolSnapshot#minIdle()}. */
        MIN_IDLE,
        /** {@link PoolSnapshot#active()}. */
        ACTIVE,
        /** {@link PoolSnapshot#idle()}. */
        IDLE,
        /** {@link PoolSnapshot#total()}. */
        TOTAL
    }

    /**
     * Replaces a negative value by {@link #UNKNOWN}, so that a pool's temporary miscount is never visible.
     *
     * @param max see {@link #max()}
     * @param minIdle see {@link #minIdle()}
     * @param active see {@link #active()}
     * @param idle see {@link #idle()}
     * @param total see {@link #total()}
     * @param pending see {@link #pending()}
     */
    public PoolSnapshot {
        max = Math.max(UNKNOWN, max);
        minIdle = Math.max(UNKNOWN, minIdle);
        active = Math.max(UNKNOWN, active);
        idle = Math.max(UNKNOWN, idle);
        total = Math.max(UNKNOWN, total);
        pending = Math.max(UNKNOWN, pending);
    }
}
