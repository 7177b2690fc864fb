// SPDX-License-Identifier: Apache-2.0
package io.flexpool.fleet;

import java.time.Duration;

/**
 * What the members of a fleet share, and the times that hold for all of them. Immutable.
 *
 * @param cap how many connections all members may have open together; 1 to {@value #MOST}; {@link #UNKNOWN} if that is read
 *     from the server, and was not read yet
 * @param instancesMax how many members there are at most, those of a rolling update included; 1 to {@value #MOST}
 * @param reserve how many of the cap are never granted: for the store's own connections, and for members that pause for
 *     longer than a lease; 0 or more, less than the cap; 0 of an unknown cap
 */
public record FleetRules(int cap, int instancesMax, int reserve) {
    /** A cap, or a figure of a member, above this is a slip. */
    public static final int MOST = 100_000;

    /** In place of a cap that was not read yet. */
    public static final int UNKNOWN = -1;

    /** What a member may open before it was ever granted anything. */
    public static final int BOOT = 1;

    /** How long a grant holds in the store, by the store's clock. */
    public static final Duration TTL = Duration.ofSeconds(10);

    /** How much earlier a member takes it for ended, by its own clock: the clocks may differ in speed. */
    public static final Duration MARGIN = Duration.ofSeconds(1);

    /** From one renewal of a member to the next, give or take a fifth. */
    public static final Duration RENEW = Duration.ofSeconds(2);

    /** How long all that a silent member had stays booked after its lease: it may only pause. */
    public static final Duration PAUSE = Duration.ofSeconds(30);

    /** How long a silent member is counted at all after its lease. */
    public static final Duration GHOST = Duration.ofSeconds(60);

    /** How long nothing grows in a store that has lost what it knew: by then each member has reported, or has no lease. */
    public static final Duration CALM = TTL.plusSeconds(2);

    /**
     * Checks the ranges.
     *
     * @param cap see {@link #cap()}
     * @param instancesMax see {@link #instancesMax()}
     * @param reserve see {@link #reserve()}
     */
    public FleetRules {
        if (cap != UNKNOWN) {
            check("cap", cap, 1);
        }
        check("instances-max", instancesMax, 1);
        check("reserve", reserve, 0);
        if (reserve >= Math.max(1, cap)) {
            throw new IllegalArgumentException("reserve = " + reserve + ": must be less than the cap, " + cap);
        }
    }

    private static void check(String name, int value, int least) {
        if (value < least || value > MOST) {
            throw new IllegalArgumentException(name + " = " + value + ": must be from " + least + " to " + MOST);
        }
    }

    /** {@return whether there is a cap} */
    public boolean known() {
        return cap != UNKNOWN;
    }

    /**
     * {@return the equal part of the cap that each member may use when the store cannot be asked; at least 1, and 1 of an unknown
     * cap}
     */
    public int share() {
        return Math.max(BOOT, (cap - reserve) / instancesMax);
    }
}
