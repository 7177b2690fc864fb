// SPDX-License-Identifier: Apache-2.0
package io.flexpool.internal.failure;

import io.flexpool.internal.shared.Words;
import io.flexpool.pool.PoolSnapshot;
import io.flexpool.pool.PoolState;

/**
 * The use of a pool when a request fails. Leased connections count as in use: some pools count a connect in progress as
 * active, and then report themselves full. Immutable.
 *
 * @param inUse the connections that are leased, or borrowed without flexpool
 * @param limit the lease limit; {@link PoolSnapshot#UNKNOWN} if the pool is only watched
 */
record Occupancy(int inUse, int limit, PoolSnapshot pool) {
    private static final int UNKNOWN = PoolSnapshot.UNKNOWN;

    static Occupancy of(PoolState state) {
        return new Occupancy(state.leased() + state.foreign(), state.bound() ? state.limit() : UNKNOWN, state.pool());
    }

    /** The number of connections that can be leased; {@link PoolSnapshot#UNKNOWN} if unknown. */
    int most() {
        return limit == UNKNOWN || pool.max() == UNKNOWN ? Math.max(limit, pool.max()) : Math.min(limit, pool.max());
    }

    /** Whether all connections that the pool may have are in use, as far as the pool reports it. */
    boolean full() {
        return !contradicted()
                && pool.idle() <= 0
                && (most() == UNKNOWN ? inUse > 0 || pool.total() == UNKNOWN : inUse >= most());
    }

    /** Whether the limit is reached, even if the pool reports idle connections, or too few in use. */
    boolean atLimit() {
        return limit != UNKNOWN && inUse >= limit;
    }

    /**
     * Whether the pool is not full, or no connection is leased or idle, so that more demand does not explain the
     * failure. An idle connection was opened or returned after the request had failed.
     */
    boolean opening() {
        boolean none = inUse == 0 && pool.idle() == 0;
        return inUse < most() && pool.total() != UNKNOWN && (pool.total() < most() || none);
    }

    /** Whether the pool reports fewer active connections than open leases, and the rest as idle or closed. */
    private boolean contradicted() {
        // A lease that ends between two readings is counted in the first.
        int leases = most() == UNKNOWN ? inUse : Math.min(inUse, most());
        return pool.active() != UNKNOWN
                && pool.active() < leases
                && (pool.idle() > 0 || (pool.total() != UNKNOWN && pool.total() < leases));
    }

    /** The use in words, for a pool that is not {@linkplain #full full}. */
    String words() {
        if (atLimit()) {
            return "the limit of " + Words.count(limit, "lease") + " is reached"
                    + (contradicted()
                            ? ", and the pool reports " + Words.count(pool.active(), "active connection")
                            : "");
        }
        if (contradicted() && inUse >= most()) {
            return Words.count(inUse, "lease") + are(inUse) + " open, and the pool reports "
                    + Words.count(pool.active(), "active connection");
        }
        if (opening() && pool.idle() <= 0 && pool.total() < most()) {
            return inUse == 0
                    ? "no connection is open, the 1st is still opening"
                    : (inUse == 1 ? "the only connection is" : "all " + inUse + " are") + " in use, the "
                            + ordinal(inUse + 1) + " is still opening";
        }
        String use = most() == UNKNOWN
                ? Words.count(inUse, "connection")
                : inUse + " of " + Words.count(most(), "connection");
        String rest = pool.idle() > 0
                ? ", " + pool.idle() + are(pool.idle()) + " idle now"
                : most() == UNKNOWN ? "" : ", the others are opening or being handed over";
        return use + are(inUse) + " in use" + rest;
    }

    private static String are(int number) {
        return number == 1 ? " is" : " are";
    }

    private static String ordinal(int number) {
        int two = number % 100;
        String suffix = switch (two >= 11 && two <= 13 ? 0 : number % 10) {
            case 1 -> "st";
            case 2 -> "nd";
            case 3 -> "rd";
            default -> "th";
        };
        return number + suffix;
    }
}
