// SPDX-License-Identifier: Apache-2.0
package io.flexpool.fleet.engine;

import io.flexpool.fleet.Grant;
import org.jspecify.annotations.Nullable;

/** Computes the connections that a member could use from its recent demand. Used by one thread. */
final class FleetDemand {
    /** The ticks over which the highest demand counts: five seconds. */
    static final int REMEMBERED = 20;
    /** The number of ticks while other members need connections. */
    static final int REMEMBERED_WHILE_SCARCE = 5;
    /** The maximum demand above the limit: growth must prove its benefit step by step. */
    static final int MOST_GROWTH = 4;
    /** The least demand of a member. */
    static final int LEAST_WANTED = 2;

    private final int[] demands = new int[REMEMBERED];
    private int ticks;

    /** Records, once a tick, the number of connections in use or needed by waiting requests. */
    void seen(int connections) {
        demands[ticks++ % REMEMBERED] = connections;
    }

    /**
     * Returns the recent demand, with some spare connections.
     *
     * @param last the store's last answer; null before the first
     * @param limit the pool's limit
     */
    int wanted(@Nullable Grant last, int limit) {
        boolean scarce = last != null && scarce(last);
        int remembered = scarce ? REMEMBERED_WHILE_SCARCE : REMEMBERED;
        int most = 0;
        for (int ago = 1; ago <= remembered; ago++) {
            most = Math.max(most, demands[Math.floorMod(ticks - ago, REMEMBERED)]);
        }
        int needed = most + (scarce ? 0 : spare(most, last));
        return Math.max(LEAST_WANTED, Math.min(needed, MOST_GROWTH * limit + 2));
    }

    /** Whether a member needs more connections than granted, or fewer connections are free than there are members. */
    static boolean scarce(Grant last) {
        return last.free() < last.members()
                || last.shown().stream().anyMatch(one -> !one.silent() && one.want() > one.granted());
    }

    /**
     * A quarter of the demand, so that growth does not wait for a renewal. Limited to the free connections, because a
     * possible need must not take connections that another member needs now.
     */
    private static int spare(int demand, @Nullable Grant last) {
        int quarter = demand / 4 + 1;
        return last == null
                ? quarter
                : Math.min(quarter, Math.max(0, last.granted() - demand) + last.free() / Math.max(1, last.members()));
    }
}
