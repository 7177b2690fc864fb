// SPDX-License-Identifier: Apache-2.0
package io.flexpool.fleet;

import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A member's grant, and the state of the fleet. Immutable.
 *
 * @param granted the number of connections that the member may have open, at least 1
 * @param members the number of members with a current grant, including this member
 * @param booked the number of connections that all members were granted or hold, including silent members
 * @param free the number of connections not yet granted; negative if members hold more than the cap; 0 for an unknown
 *     cap
 * @param calm whether no grant grows because the store may not know all members yet
 * @param cap the number of connections that all members may have open together: the smallest cap of a live member;
 *     {@link FleetRules#UNKNOWN} without a cap
 * @param reserve the part of the cap that is never granted: the reserve of the member with this cap
 * @param differs the live member with the smallest cap among the members with another cap or reserve than the renewing
 *     member; null if all agree, or the renewing member has no cap
 * @param previousSequence the sequence of the previous renewal under this member's name; 0 without one. A sequence that
 *     the member has not sent is from another member with the same name
 * @param shown the members with the most connections first; at most {@value #MOST_SHOWN}
 * @param ignored the number of invalid entries of the store, which were ignored
 */
public record Grant(
        int granted,
        int members,
        int booked,
        int free,
        boolean calm,
        int cap,
        int reserve,
        @Nullable FleetMember differs,
        long previousSequence,
        List<FleetMember> shown,
        int ignored) {
    /** The maximum number of members in a grant. */
    public static final int MOST_SHOWN = 50;

    /**
     * Copies.
     *
     * @param granted see {@link #granted()}
     * @param members see {@link #members()}
     * @param booked see {@link #booked()}
     * @param free see {@link #free()}
     * @param calm see {@link #calm()}
     * @param cap see {@link #cap()}
     * @param reserve see {@link #reserve()}
     * @param differs see {@link #differs()}
     * @param previousSequence see {@link #previousSequence()}
     * @param shown see {@link #shown()}
     * @param ignored see {@link #ignored()}
     */
    public Grant {
        Objects.requireNonNull(shown, "shown is null");
        shown = shown.stream().limit(MOST_SHOWN).toList();
    }
}
