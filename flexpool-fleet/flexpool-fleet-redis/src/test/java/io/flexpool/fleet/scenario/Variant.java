// SPDX-License-Identifier: Apache-2.0
package io.flexpool.fleet.scenario;

import java.util.Locale;

/** How the members come to their number of connections. */
enum Variant {
    /** They grow on wait, up to what their fleet grants. */
    FLEXPOOL,
    /** HikariCP, each with an equal part of the number; no store. */
    FIXED_SHARE,
    /** They grow on wait, each up to what it can use; no store. */
    EACH_ALONE;

    /** Whether it has a store at all. */
    boolean stored() {
        return this == FLEXPOOL;
    }

    /** The name on the command line and in reports. */
    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
