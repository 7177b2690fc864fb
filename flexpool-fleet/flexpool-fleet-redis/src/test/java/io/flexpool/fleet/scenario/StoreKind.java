// SPDX-License-Identifier: Apache-2.0
package io.flexpool.fleet.scenario;

import java.util.Locale;

/** Where the fleet keeps what its members hold. */
enum StoreKind {
    /** In a table of the database that the pools lead to. */
    POSTGRESQL,
    /** In a Redis of its own. */
    REDIS;

    /** The name on the command line, in reports, and of the key {@code flexpool.fleet}. */
    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
