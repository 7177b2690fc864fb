// SPDX-License-Identifier: Apache-2.0
package io.flexpool.fleet;

import java.time.Duration;

/**
 * The shared number of a fleet, and the times for all members. Immutable.
 *
 * @param cap the number of connections that all members may have open together; 1 to {@value #MOST}; {@link #UNKNOWN}
 *     if the member has not read it from the server yet
 * @param instancesMax the maximum number of members, including a rolling update; 1 to {@value #MOST}
 * @param reserve the part of the cap that is never granted: for the store's connections, and for members that pause
 *     longer than their grant; 0 or more, less than the cap; 0 for an unknown cap
 */
public record FleetRules(int cap, int instancesMax, int reserve) {
    /** The largest valid cap or figure of a member. */
    public static final int MOST = 100_000;

    /** The value of an unknown cap. */
    public static final int UNKNOWN = -1;

    /** The connections that a member may open before its first grant. */
    public static final int BOOT = 1;

    /** The lifetime of a grant, by the store's clock. */
    public static final Duration TTL = Duration.ofSeconds(10);

    /** A grant ends this time earlier for the member than for the store, because the speed of clocks may differ. */
    public static final Duration MARGIN = Duration.ofSeconds(1);

    /** The time from one renewal of a member to the next, plus or minus a fifth. */
    public static final Duration RENEW = Duration.ofSeconds(2);

    /**
     * The time for which a silent member's connections stay reserved after the end of its grant, because the member may
     * be paused.
     */
    public static final Duration PAUSE = Duration.ofSeconds(30);

    /** The time after the end of its grant for which a silent member counts as a member. */
    public static final Duration GHOST = Duration.ofSeconds(60);

    /**
     * The time for which no grant grows after a store has lost its state. By then each member has reported, or its
     * grant has ended.
     */
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
