// SPDX-License-Identifier: Apache-2.0
package io.flexpool.spi;

import io.flexpool.diagnostics.OpenLease;
import java.util.Map;

/** A close inspection of one pool: see {@link io.flexpool.FlexPoolDataSource#inspectLeases}. Thread-safe. */
public interface LeaseInspection extends Registration {
    /**
     * The open leases now, by number, so that one can be recognised later.
     *
     * @return each under a number that no other lease of this pool has; in no order; a snapshot, immutable; also for a
     *     closed pool, and after this inspection has ended
     */
    Map<Long, OpenLease> openLeases();
}
