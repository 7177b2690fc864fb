// SPDX-License-Identifier: Apache-2.0
package io.flexpool;

import io.flexpool.diagnostics.OpenLease;
import java.util.Map;

/** A close watch on one pool: see {@link FlexPoolDataSource#watchClosely}. Thread-safe. */
public interface CloseWatch extends PoolWatch {
    /**
     * The open leases now, by number, so that one can be recognised later.
     *
     * @return each under a number that no other lease of this pool has; in no order; a snapshot, immutable; also for a
     *     closed pool, and after this watch has ended
     */
    Map<Long, OpenLease> openLeases();
}
