// SPDX-License-Identifier: Apache-2.0
package io.flexpool.internal.failure;

import io.flexpool.internal.shared.Words;
import io.flexpool.pool.PoolSnapshot;
import io.flexpool.pool.PoolState;

/**
 * How much of a pool is in use when a request fails. Connections count as in use if they are leased: some pools count
 * a connect in progress as active, and then are full in their own eyes. Immutable.
 *
 * @param inUse the connections that are leased, or borrowed past flexpool
 * @param limit how many may be leased; {@link PoolSnapshot#UNKNOWN} if the pool is only watched
 * @param max how many the pool may have; {@link PoolSnapshot#UNKNOWN} if it does not report that
 * @param idle those that the pool reports as idle; {@link PoolSnapshot#UNKNOWN} if it does not
 * @param total those that the pool reports as open; {@link PoolSnapshot#UNKNOWN} if it does not
 */
record Occupancy(int inUse, int limit, int max, int idle, int total) {
    static Occupancy of(PoolState state) {
        return new Occupancy(
                state.leased() + state.foreign(),
                state.bound() ? state.limit() : PoolSnapshot.UNKNOWN,
                state.pool().max(),
                state.pool().idle(),
                state.pool().total());
    }

    /** How many can be leased; {@link PoolSnapshot#UNKNOWN} if that is unknown. */
    int most() {
        return limit == PoolSnapshot.UNKNOWN || max == PoolSnapshot.UNKNOWN
                ? Math.max(limit, max)
                : Math.min(limit, max);
    }

    /** Whether every connection that the pool may have is in use, as far as the pool reports it. */
    boolean full() {
        return idle <= 0 && (most() == PoolSnapshot.UNKNOWN ? inUse > 0 || total < 0 : inUse >= most());
    }

    /** Whether the limit is reached, and the pool has idle connections beyond it, which fit beside the others. */
    boolean atLimit() {
        return idle > 0 && limit != PoolSnapshot.UNKNOWN && inUse >= limit && inUse + idle <= max;
    }

    /** Whether the pool has fewer connections open than it may have, and none of them is free. */
    boolean opening() {
        return idle <= 0 && inUse < most() && total != PoolSnapshot.UNKNOWN && total < most();
    }

    /** The same in words, of a pool that is not {@linkplain #full full}. */
    String words() {
        if (idle > 0) {
            return inUse >= most()
                    ? Words.count(inUse, "lease") + (inUse == 1 ? " is" : " are") + " open, and the pool reports "
                            + Words.count(idle, "idle connection")
                    : inUse + " of " + Words.count(most(), "connection") + (inUse == 1 ? " is" : " are") + " in use, "
                            + idle + (idle == 1 ? " is" : " are") + " idle now";
        }
        if (opening()) {
            return inUse == 0
                    ? "no connection is open, the 1st is still opening"
                    : (inUse == 1 ? "the only connection is" : "all " + inUse + " are") + " in use, the "
                            + ordinal(inUse + 1) + " is still opening";
        }
        return most() == PoolSnapshot.UNKNOWN
                ? "no connection is in use"
                : inUse + " of " + Words.count(most(), "connection") + (inUse == 1 ? " is" : " are")
                        + " in use, the others are still opening or on their way to a request";
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
