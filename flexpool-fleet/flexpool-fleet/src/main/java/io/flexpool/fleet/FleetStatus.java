// SPDX-License-Identifier: Apache-2.0
package io.flexpool.fleet;

import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The state of a pool in its fleet. Immutable.
 *
 * @param fleet the fleet's name
 * @param member the pool's name in the fleet
 * @param source where the ceiling comes from
 * @param granted how many connections the pool may have open now, at least 1
 * @param wanted how many it could use
 * @param held how many it has open, or may be opening
 * @param members how many members have renewed their share recently; 0 before the first answer
 * @param free how many connections may still be granted; negative if more are held than there are; 0 before the first answer
 * @param cap how many connections all members may have open together; {@link FleetRules#UNKNOWN} if that was not read yet
 * @param shown the members as the store knew them at the last answer; those with the most connections first; a copy
 * @param trouble why the store did not answer the last time, or why there is no cap, in words; null if nothing is wrong
 */
public record FleetStatus(
        String fleet,
        String member,
        Source source,
        int granted,
        int wanted,
        int held,
        int members,
        int free,
        int cap,
        List<FleetMember> shown,
        @Nullable String trouble) {
    /**
     * Copies.
     *
     * @param fleet see {@link #fleet()}
     * @param member see {@link #member()}
     * @param source see {@link #source()}
     * @param granted see {@link #granted()}
     * @param wanted see {@link #wanted()}
     * @param held see {@link #held()}
     * @param members see {@link #members()}
     * @param free see {@link #free()}
     * @param cap see {@link #cap()}
     * @param shown see {@link #shown()}
     * @param trouble see {@link #trouble()}
     */
    public FleetStatus {
        Objects.requireNonNull(shown, "shown is null");
        shown = List.copyOf(shown);
    }

    /** {@return whether nothing is left to be granted, although this pool could use more} */
    public boolean atCap() {
        return members > 0 && free <= 0 && wanted > granted;
    }

    /**
     * The status in one line.
     *
     * @return for example {@code may open 12 of 97 (granted), needs 15, holds 12; 8 members, 0 free}
     */
    public String describe() {
        return "may open " + granted + " of " + (cap == FleetRules.UNKNOWN ? "an unknown number" : cap) + " ("
                + source.words() + "), needs " + wanted + ", holds " + held
                + "; "
                + members + (members == 1 ? " member, " : " members, ") + free + " free"
                + (trouble == null ? "" : "; " + trouble);
    }

    /** Where a member's ceiling comes from. Minor releases add constants. */
    public enum Source {
        /** Nothing was granted yet. */
        BOOT("the initial share"),
        /** The store granted it. */
        GRANT("granted"),
        /** The store has not answered for so long that the grant has ended: the equal part of all, or less. */
        SHARE("the static share");

        private final String words;

        Source(String words) {
            this.words = words;
        }

        /** {@return the source for people, lower case} */
        public String words() {
            return words;
        }
    }
}
