// SPDX-License-Identifier: Apache-2.0
package io.flexpool.junit5;

import io.flexpool.FlexPoolDataSource;
import io.flexpool.diagnostics.OpenLease;

/**
 * An open lease.
 *
 * @param key its identity
 * @param lease its holder
 */
record HeldLease(Key key, OpenLease lease) {
    /**
     * Identifies a lease.
     *
     * @param pool compared by identity
     * @param number unique among all leases of the pool
     */
    record Key(FlexPoolDataSource pool, long number) {}

    String describe() {
        return key.pool().name() + ": " + lease.describe();
    }
}
