// SPDX-License-Identifier: Apache-2.0
package io.flexpool.event;

import io.flexpool.diagnostics.OpenLease;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Is notified of each lease of a pool that it inspects ({@code FlexPoolDataSource.inspectLeases}), for example by tests.
 * Called on the threads of the application, whose requests wait meanwhile; what it throws is logged and reaches no
 * application. Implementations must be thread-safe.
 */
public interface LeaseInspector {
    /**
     * A lease has begun. Called on the thread that requested the connection, before it gets it.
     *
     * @param number the lease's, as in {@link OpenLease.Inspection#openLeases()}
     * @param callSite where the connection was requested; null if the stack shows no application
     */
    default void acquired(long number, @Nullable String callSite) {}

    /**
     * A lease ends whose call site was captured. Called on the thread that ends it. It may have begun before the
     * inspection.
     *
     * @param number as in {@link #acquired}
     * @param callSite as in {@link #acquired}
     * @param held how long the lease lasted
     */
    default void released(long number, String callSite, Duration held) {}

    /**
     * A thread requests a second connection. Called on it, before it gets one.
     *
     * @param event the thread, and where it made the request
     */
    default void nested(PoolEvent.NestedAcquisition event) {}
}
