// SPDX-License-Identifier: Apache-2.0
package io.flexpool.internal;

import io.flexpool.diagnostics.OpenLease;
import io.flexpool.event.LeaseInspector;
import io.flexpool.monitoring.PoolControl;
import io.flexpool.strategy.AcquisitionStrategy;
import java.util.List;

/** What a wrapper needs of its pool beside connections: read, switched and closed, or disabled. Thread-safe. */
public interface WrappedPool extends PoolControl {
    /** Whether the pool was closed or released. */
    boolean closed();

    /** The strategies in order of precedence, also while the pool is only watched; none if disabled. */
    default List<AcquisitionStrategy> strategies() {
        return List.of();
    }

    /**
     * Captures every call site and reports every nested request and every lease, until it is closed.
     *
     * @param each whether it fails if leases cannot be reported
     */
    OpenLease.Inspection inspectLeases(LeaseInspector inspector, boolean each);

    /** Closes the pool behind; waiting requests fail with an SQLException. The second call does nothing. */
    void close();

    /** As {@link #close()}, but the pool stays open, with its own sizes. The second call of either does nothing. */
    void release();
}
