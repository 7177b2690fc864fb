// SPDX-License-Identifier: Apache-2.0
package io.flexpool.event;

import io.flexpool.diagnostics.OpenLease;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Receives the events of a pool. A pool may have many listeners. Exceptions of a listener are logged and counted;
 * neither the application nor another listener sees them.
 *
 * <p>Events of one request are delivered on its thread, so a listener must be quick. Limit changes, sizing decisions,
 * leaks, circuit changes and the end of the pool are delivered in order, one at a time, on the thread of the request
 * that caused them or on one of flexpool's. A listener that blocks there delays only later events of its pool: up to
 * 1,000 wait, further ones are dropped and counted ({@code events.dropped}), and the listener's class is reported. A
 * mode switch and the pool's close wait for their events to be delivered, but not for a blocking listener.
 */
@FunctionalInterface
public interface PoolListener {
    /**
     * Something happened to the pool. A listener that wants events of one kind tests the type:
     * {@code if (event instanceof PoolEvent.Resized resized)}.
     *
     * @param event the event, also of a kind that a later release adds
     */
    void onEvent(PoolEvent event);

    /**
     * The pool was closed. Called once. Leases that are still open may raise an event when they end.
     *
     * @param pool the pool's name
     */
    default void onClosed(String pool) {}

    /**
     * Receives each lease of an inspected pool ({@code FlexPoolDataSource.inspectLeases}), for example by tests. Called
     * on the application's threads while their requests wait; its exceptions are logged, and not thrown to the
     * application. Implementations must be thread-safe.
     */
    interface LeaseInspector {
        /**
         * A lease has begun. Called on the thread that requested the connection, before that thread gets it.
         *
         * @param number the lease's number, as in {@link OpenLease.Inspection#openLeases()}
         * @param callSite where the connection was requested; null if the stack shows no application
         */
        default void acquired(long number, @Nullable String callSite) {}

        /**
         * A lease with a captured call site ends. Called on the thread that ends the lease. The lease may have begun
         * before the inspection.
         *
         * @param number as in {@link #acquired}
         * @param callSite as in {@link #acquired}
         * @param held how long the lease lasted
         */
        default void released(long number, String callSite, Duration held) {}

        /**
         * A thread requests a second connection. Called on this thread, before it gets the connection.
         *
         * @param event the thread, and where it made the request
         */
        default void nested(PoolEvent.NestedAcquisition event) {}
    }
}
