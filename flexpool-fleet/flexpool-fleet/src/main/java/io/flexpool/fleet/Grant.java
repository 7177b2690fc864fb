// SPDX-License-Identifier: Apache-2.0
package io.flexpool.fleet;

import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What a member may hold, and how the fleet stands. Immutable.
 *
 * @param granted how many connections the member may have open, at least 1
 * @param members how many members were heard within their lease, this one included
 * @param booked how many connections all members were granted or hold, silent ones included
 * @param free how many may still be granted; negative if more are held than there are; 0 of an unknown cap
 * @param calm whether nothing grows because the store does not know all members yet
 * @param cap how many connections all members may have open together: the smallest number that a live member has;
 *     {@link FleetRules#UNKNOWN} if none has one
 * @param reserve how many of them are never granted: the reserve of the member that has this number
 * @param differs the live member with the smallest number of those whose number or reserve is another than that of the
 *     member that renews; null if all agree, or the latter has no number
 * @param previousSequence of the last renewal under this member's name before this one; 0 if there was none: one that the member
 *     has not sent is of another member of the same name
 * @param shown members, those with the most connections first; at most {@value #MOST_SHOWN}
 * @param ignored entries of the store that made no sense and were ignored
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
    /** How many members a grant describes at most. */
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
