// SPDX-License-Identifier: Apache-2.0
package io.flexpool.junit5;

import io.flexpool.FlexPoolDataSource;
import io.flexpool.diagnostics.OpenLease;

/**
 * A connection that is out.
 *
 * @param key which
 * @param lease who has it
 */
record Out(Key key, OpenLease lease) {
    /**
     * What tells one lease from all others.
     *
     * @param pool by identity
     * @param number among all leases of the pool
     */
    record Key(FlexPoolDataSource pool, long number) {}

    String describe() {
        return key.pool().name() + ": " + lease.describe();
    }
}
