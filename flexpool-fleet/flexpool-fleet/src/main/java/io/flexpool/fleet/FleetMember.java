// SPDX-License-Identifier: Apache-2.0
package io.flexpool.fleet;

import io.flexpool.spi.Texts;
import java.time.Duration;
import java.util.Objects;

/**
 * A member as the store knows it. Immutable. The name is foreign text, to be shown as plain text only.
 *
 * @param name as the member called itself, on one line
 * @param granted how many connections it was granted
 * @param held how many it said that it might have open
 * @param want how many it could use
 * @param cap how many connections all members may have open together, as this one has it; 0 if it has no number
 * @param reserve how many of them are never granted, as this one has it
 * @param age how long ago it was heard
 * @param silent whether its lease has ended: it has crashed, pauses, or cannot reach the store
 */
public record FleetMember(
        String name, int granted, int held, int want, int cap, int reserve, Duration age, boolean silent) {
    /**
     * Makes the name plain: whatever a store contains, it is one line of a bounded length.
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
