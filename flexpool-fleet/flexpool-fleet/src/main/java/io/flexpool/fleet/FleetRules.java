// SPDX-License-Identifier: Apache-2.0
package io.flexpool.fleet;

import java.time.Duration;

/**
 * The shared number of a fleet, and the times for all members. Immutable.
 *
 * @param cap how many connections all members may have open together; 1 to {@value #MOST}; {@link #UNKNOWN} if it is
 *     read from the server, and was not read yet
 * @param instancesMax the maximum number of members, including a rolling update; 1 to {@value #MOST}
 * @param reserve how many of the cap are never granted: for the store's own connections, and for members that pause for
 *     longer than a lease; 0 or more, less than the cap; 0 for an unknown cap
 */
public record FleetRules(int cap, int instancesMax, int reserve) {
    /** A larger cap or figure of a member is an error. */
    public static final int MOST = 100_000;

    /** In place of a cap that was not read yet. */
    public static final int UNKNOWN = -1;

    /** The connections that a member may open before its first grant. */
    public static final int BOOT = 1;

    /** How long a grant is valid in the store, by the store's clock. */
    public static final Duration TTL = Duration.ofSeconds(10);

    /** How much earlier a member's lease ends by its own clock, because the clocks may differ in speed. */
    public static final Duration MARGIN = Duration.ofSeconds(1);

    /** The time from one renewal of a member to the next, plus or minus a fifth. */
    public static final Duration RENEW = Duration.ofSeconds(2);

    /** How long a silent member's connections stay booked after its lease: it may only pause. */
    public static final Duration PAUSE = Duration.ofSeconds(30);

    /** How long a silent member counts after its lease. */
    public static final Duration GHOST = Duration.ofSeconds(60);

    /** How long no grant grows after a store has lost its state: by then each member has reported, or has no lease. */
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
     * {@return the equal part of the cap that each member may use without the store; at least 1; 1 for an unknown cap}
     */
    public int share() {
        return Math.max(BOOT, (cap - reserve) / instancesMax);
    }
}
