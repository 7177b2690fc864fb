// SPDX-License-Identifier: Apache-2.0
package io.flexpool.fleet;

import io.flexpool.spi.Texts;
import java.time.Duration;
import java.util.Objects;

/**
 * A member in the store. Immutable. The name is foreign text: show it as plain text only.
 *
 * @param name the member's name, on one line
 * @param granted how many connections the member was granted
 * @param held how many connections the member reported to have open, or might open
 * @param want how many connections the member could use
 * @param cap the member's value of how many connections all members may have open together; 0 if unknown
 * @param reserve the member's value of how many of the cap are never granted
 * @param age the time since its last renewal
 * @param silent whether its lease has ended: the member has crashed, pauses, or cannot reach the store
 */
public record FleetMember(
        String name, int granted, int held, int want, int cap, int reserve, Duration age, boolean silent) {
    /**
     * Makes the name plain: one line of a bounded length.
     *
     * @param name see {@link #name()}
     * @param granted see {@link #granted()}
     * @param held see {@link #held()}
     * @param want see {@link #want()}
     * @param cap see {@link #cap()}
     * @param reserve see {@link #reserve()}
     * @param age see {@link #age()}
     * @param silent see {@link #silent()}
     */
    public FleetMember {
        Objects.requireNonNull(name, "name is null");
        name = Texts.line(name, Renewal.LONGEST_NAME);
    }
}
