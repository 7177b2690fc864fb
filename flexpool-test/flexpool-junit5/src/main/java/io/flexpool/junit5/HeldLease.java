// SPDX-License-Identifier: Apache-2.0
package io.flexpool.junit5;

import io.flexpool.FlexPoolDataSource;
import io.flexpool.diagnostics.OpenLease;
import java.util.Comparator;

/**
 * An open lease.
 *
 * @param key its identity
 * @param lease its holder
 */
record HeldLease(Key key, OpenLease lease) {
    /** The longest held lease first: a test's later connections often follow from its leak. */
    static final Comparator<HeldLease> LONGEST_FIRST =
            Comparator.comparing((HeldLease held) -> held.lease().age()).reversed();

    /**
     * Identifies a lease.
     *
     * @param pool compared by identity
     * @param number unique among all leases of the pool: it shows whether a lease began in a test. Its age does not
     *     show this, because a test may supply the pool's clock
     */
    record Key(FlexPoolDataSource pool, long number) {}

    String describe() {
        return key.pool().name() + ": " + lease.describe();
    }
}
