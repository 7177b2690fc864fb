// SPDX-License-Identifier: Apache-2.0
package io.flexpool.fleet;

import io.flexpool.spi.Texts;
import java.util.Objects;

/**
 * What a member says of itself. Immutable.
 *
 * @param member its name, unique in the fleet; made plain and cut to {@value #LONGEST_NAME} characters
 * @param sequence of this renewal, above that of all before it, at least 1; one that is not above the last is late, or came twice. By
 *     random steps, so that two members of one name do not have the same
 * @param acknowledged the last of them to which the store has answered; 0 before the first answer: a store that has an older one
 *     has lost entries
 * @param held how many connections it may have open until it is answered: those it has, and those it might open meanwhile; 0 to
 *     {@value FleetRules#MOST}
 * @param want how many it could use; 0 to {@value FleetRules#MOST}
 * @param rules what is shared, as this member has it configured
 */
public record Renewal(String member, long sequence, long acknowledged, int held, int want, FleetRules rules) {
    /** Characters in a member's or a fleet's name at most. */
    public static final int LONGEST_NAME = 100;

    /**
     * Bounds the figures and the name.
     *
     * @param member see {@link #member()}
     * @param sequence see {@link #sequence()}
     * @param acknowledged see {@link #acknowledged()}
     * @param held see {@link #held()}
     * @param want see {@link #want()}
     * @param rules see {@link #rules()}
     */
    public Renewal {
        Objects.requireNonNull(member, "member is null");
        member = name(member);
        if (sequence < 1) {
            throw new IllegalArgumentException("sequence = " + sequence + ": must be at least 1");
        }
        if (acknowledged < 0 || acknowledged >= sequence) {
            throw new IllegalArgumentException(
                    "acknowledged = " + acknowledged + ": must be from 0 to below the sequence, " + sequence);
        }
        held = bounded(held);
        want = bounded(want);
        Objects.requireNonNull(rules, "rules is null");
    }

    /**
     * A name as stores hold it: one line of at most {@value #LONGEST_NAME} characters, without what resembles a password.
     *
     * @param text any, not blank
     * @return the same, or what is left of it
     * @throws IllegalArgumentException if it is blank
     */
    public static String name(String text) {
        Objects.requireNonNull(text, "text is null");
        String plain = Texts.line(text, LONGEST_NAME).strip();
        if (plain.isEmpty()) {
            throw new IllegalArgumentException("the name is blank");
        }
        return plain.length() <= LONGEST_NAME ? plain : plain.substring(0, LONGEST_NAME);
    }

    private static int bounded(int connections) {
        return Math.max(0, Math.min(FleetRules.MOST, connections));
    }
}
