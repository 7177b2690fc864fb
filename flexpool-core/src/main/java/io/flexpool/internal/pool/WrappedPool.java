// SPDX-License-Identifier: Apache-2.0
package io.flexpool.internal.pool;

import io.flexpool.diagnostics.OpenLease;
import io.flexpool.event.PoolListener.LeaseInspector;
import io.flexpool.monitoring.PoolControl;
import io.flexpool.strategy.AcquisitionStrategy;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The functions of a pool that its wrapper needs beside connections; the pool may be disabled. Thread-safe. */
public interface WrappedPool extends PoolControl {
    /** Whether the pool was closed or released. */
    boolean closed();

    /** The strategies in order of precedence, also while the pool is only watched; empty if disabled. */
    default List<AcquisitionStrategy> strategies() {
        return List.of();
    }

    /**
     * Captures every call site and reports every nested request and every lease, until the inspection is closed.
     *
     * @param each whether the inspection fails if leases cannot be reported
     */
    OpenLease.Inspection inspectLeases(LeaseInspector inspector, boolean each);

    /** As {@link #drain}, but at its end the pool stays open, as after {@link #release()}. */
    int drainAndRelease(Duration within);

    /** How long a close waits for open leases; null if it does not. */
    default @Nullable Duration drainWithin() {
        return null;
    }

    /** Closes the wrapped pool; waiting requests fail with an SQLException. The second call does nothing. */
    void close();

    /** Like {@link #close()}, but the pool stays open, with its own sizes. A second call of either has no effect. */
    void release();
}
