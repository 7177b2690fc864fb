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
 * @param source the origin of the ceiling
 * @param granted the number of connections that the pool may have open now, at least 1
 * @param wanted the number of connections that the pool could use
 * @param held the number of connections that the pool has open, or may be opening
 * @param members the number of members with a current grant; 0 before the first answer
 * @param free the number of connections not yet granted; negative if members hold more than the cap; 0 before the first
 *     answer
 * @param cap the number of connections that all members may have open together; {@link FleetRules#UNKNOWN} if not read
 *     yet
 * @param shown the members in the store's last answer; members with the most connections first; a copy
 * @param trouble why the store did not answer, or why the cap is unknown, in words; null without a problem
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

    /** {@return whether all connections are granted, although this pool could use more} */
    public boolean atCap() {
        return members > 0 && free <= 0 && wanted > granted;
    }

    /**
     * The status in one line.
     *
     * @return for example {@code may open 12 of 97 connections (granted), needs 15, holds 12; 8 members, 0 free}
     */
    public String describe() {
        return "may open " + granted + " of " + (cap == FleetRules.UNKNOWN ? "an unknown number of" : cap)
                + " connections ("
                + source.words() + "), needs " + wanted + ", holds " + held
                + "; "
                + members + (members == 1 ? " member, " : " members, ") + free + " free"
                + (trouble == null ? "" : "; " + trouble);
    }

    /** The origin of a member's ceiling. Minor releases add constants. */
    public enum Source {
        /** The store has granted no connection yet. */
        BOOT("the initial share"),
        /** The store's grant. */
        GRANT("granted"),
        /** The grant has ended without an answer of the store: an equal share of the cap, or less. */
        SHARE("the static share");

        private final String words;

        Source(String words) {
            this.words = words;
        }

        /** {@return the source in words, in lower case} */
        public String words() {
            return words;
        }
    }
}
