// SPDX-License-Identifier: Apache-2.0
package io.flexpool.fleet.engine;

import io.flexpool.fleet.Grant;
import org.jspecify.annotations.Nullable;

/** What a member could use, from what it needed lately. Used by one thread. */
final class FleetDemand {
    /** Ticks in which the highest demand is remembered: five seconds. */
    static final int REMEMBERED = 20;
    /** The same where others wait for what is not needed any more. */
    static final int REMEMBERED_WHILE_SCARCE = 5;
    /** By how much one asks for more than its limit at most: a growth has to prove itself. */
    static final int MOST_GROWTH = 4;
    /** What a member asks for at least. */
    static final int LEAST_WANTED = 2;

    private final int[] demands = new int[REMEMBERED];
    private int ticks;

    /** Once a tick: how many connections are in use or waited for. */
    void seen(int connections) {
        demands[ticks++ % REMEMBERED] = connections;
    }

    /**
     * What was needed lately, and some to spare.
     *
     * @param last what the store answered last; null before that
     * @param limit of the pool
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

    /** Whether one member wants more than it has, or there is not one more for each. */
    static boolean scarce(Grant last) {
        return last.free() < last.members()
                || last.shown().stream().anyMatch(one -> !one.silent() && one.want() > one.granted());
    }

    /**
     * A quarter, so that a growth need not wait for a renewal, but only of what is free: what one member may need soon takes nothing from
     * what another one needs now.
     */
    private static int spare(int demand, @Nullable Grant last) {
        int quarter = demand / 4 + 1;
        return last == null
                ? quarter
                : Math.min(quarter, Math.max(0, last.granted() - demand) + last.free() / Math.max(1, last.members()));
    }
}
