// SPDX-License-Identifier: Apache-2.0
package io.flexpool.fleet;

import io.flexpool.spi.Texts;
import java.util.Objects;

/**
 * A member's report to the store. Immutable.
 *
 * @param member its name, unique in the fleet; cleaned and shortened to {@value #LONGEST_NAME} characters
 * @param sequence the number of this renewal, at least 1 and above all earlier numbers; otherwise the renewal counts as
 *     late or repeated. It grows by random steps, so that two members with one name have different numbers
 * @param acknowledged the last sequence that the store has answered; 0 before the first answer. A store with an older
 *     sequence has lost entries
 * @param held the most connections that the member may have open until the answer; 0 to {@value FleetRules#MOST}
 * @param want the number of connections that the member could use; 0 to {@value FleetRules#MOST}
 * @param rules the member's configuration of the fleet
 */
public record Renewal(String member, long sequence, long acknowledged, int held, int want, FleetRules rules) {
    /** The maximum number of characters of a member's or fleet's name. */
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
                    "acknowledged = " + acknowledged + ": must be at least 0 and below the sequence " + sequence);
        }
        held = bounded(held);
        want = bounded(want);
        Objects.requireNonNull(rules, "rules is null");
    }

    /**
     * A name in the form of stores: one line of at most {@value #LONGEST_NAME} characters, with possible passwords
     * masked.
     *
     * @param text any text, not blank
     * @return the name, perhaps shortened
     * @throws IllegalArgumentException if the text is blank
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
