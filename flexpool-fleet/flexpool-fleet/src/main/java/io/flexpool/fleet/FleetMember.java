// SPDX-License-Identifier: Apache-2.0
package io.flexpool.fleet;

import io.flexpool.spi.Texts;
import java.time.Duration;
import java.util.Objects;

/**
 * A member in the store. Immutable. The name is foreign text: show it as plain text only.
 *
 * @param name the member's name, on one line
 * @param granted the connections granted to the member
 * @param held the reported number of connections that the member has open, or might open
 * @param want the connections that the member could use
 * @param cap the member's value of the fleet's cap; 0 if unknown
 * @param reserve the member's value of the part of the cap that is never granted
 * @param age the time since its last renewal
 * @param silent whether its grant has ended: the member has crashed, pauses, or cannot reach the store
 */
public record FleetMember(
        String name, int granted, int held, int want, int cap, int reserve, Duration age, boolean silent) {
    /**
     * Cleans the name: one line of a bounded length.
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
