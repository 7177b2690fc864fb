// SPDX-License-Identifier: Apache-2.0
package io.flexpool;

import io.flexpool.diagnostics.OpenLease;
import java.util.Map;

/** Somebody who looks at one pool closely for a while: see {@link FlexPoolDataSource#watchClosely}. Thread-safe. */
public interface CloseWatch extends PoolWatch {
    /**
     * The connections that are out now, so that one can be known again.
     *
     * @return each under a number that no other lease of this pool has; in no order; a snapshot, immutable; also of a pool
     *     that is closed, and also when this watch has ended
     */
    Map<Long, OpenLease> openLeases();
}
