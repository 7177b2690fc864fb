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
public interface PoolListener {
    /**
     * Called for every event, also for kinds that a later release adds.
     *
     * @param event the event; by default it is passed to the method of its kind, and ignored if there is none
     */
    default void onEvent(PoolEvent event) {
        switch (event.kind()) {
            case TIMEOUT -> onAcquisitionTimedOut((PoolEvent.AcquisitionTimedOut) event);
            case SLOW_ACQUISITION -> onAcquisitionSlow((PoolEvent.AcquisitionSlow) event);
            case LONG_LEASE -> onLeaseLong((PoolEvent.LeaseLong) event);
            case CONNECT_FAILURE -> onConnectFailed((PoolEvent.ConnectFailed) event);
            case REJECTED -> onAcquisitionRejected((PoolEvent.AcquisitionRejected) event);
            case CIRCUIT -> onCircuitChanged((PoolEvent.CircuitChanged) event);
            case RESIZED -> onResized((PoolEvent.Resized) event);
            case GROWTH_REFUSED -> onGrowthRefused((PoolEvent.GrowthRefused) event);
            case SIZING_DECIDED -> onSizingDecided((PoolEvent.SizingDecided) event);
            case LEAK_SUSPECTED -> onLeakSuspected((PoolEvent.LeakSuspected) event);
            case LEAK_RESOLVED -> onLeakResolved((PoolEvent.LeakResolved) event);
            case NESTED_ACQUISITION -> onNestedAcquisition((PoolEvent.NestedAcquisition) event);
            case LIFECYCLE -> onLifecycleChanged((PoolEvent.LifecycleChanged) event);
        }
    }

    /**
     * A request got no connection in time.
     *
     * @param event which request, after what time
     */
    default void onAcquisitionTimedOut(PoolEvent.AcquisitionTimedOut event) {}

    /**
     * An acquisition took longer than {@code slow-acquisition}.
     *
     * @param event which request, and how long it took
     */
    default void onAcquisitionSlow(PoolEvent.AcquisitionSlow event) {}

    /**
     * A lease lasted longer than {@code long-lease}.
     *
     * @param event which lease, and how long it lasted
     */
    default void onLeaseLong(PoolEvent.LeaseLong event) {}

    /**
     * The database could not be reached or refused a connection.
     *
     * @param event the failure and its reason
     */
    default void onConnectFailed(PoolEvent.ConnectFailed event) {}

    /**
     * A strategy rejected a request.
     *
     * @param event which request, and why
     */
    default void onAcquisitionRejected(PoolEvent.AcquisitionRejected event) {}

    /**
     * The circuit opened, half opened or closed.
     *
     * @param event the circuit's old and new state
     */
    default void onCircuitChanged(PoolEvent.CircuitChanged event) {}

    /**
     * The lease limit moved.
     *
     * @param event the old and the new limit, and why
     */
    default void onResized(PoolEvent.Resized event) {}

    /**
     * Requests wait and the pool does not grow. Called once a minute at most for each reason.
     *
     * @param event what refused it
     */
    default void onGrowthRefused(PoolEvent.GrowthRefused event) {}

    /**
     * The sizing controller made a decision; in mode {@code recommend} it was only reported.
     *
     * @param event the decision and its figures
     */
    default void onSizingDecided(PoolEvent.SizingDecided event) {}

    /**
     * An open lease is older than {@code leak.threshold}. Called once for each lease.
     *
     * @param event the lease, and where it was taken
     */
    default void onLeakSuspected(PoolEvent.LeakSuspected event) {}

    /**
     * A lease that was suspected to be a leak has ended.
     *
     * @param event the lease, and how it ended
     */
    default void onLeakResolved(PoolEvent.LeakResolved event) {}

    /**
     * A thread that holds a connection requested another one of the same pool while the pool was nearly exhausted.
     * Other nested acquisitions are only counted.
     *
     * @param event the thread, and the connection it holds
     */
    default void onNestedAcquisition(PoolEvent.NestedAcquisition event) {}

    /**
     * The pool was warmed up, paused, resumed, evicted or drained.
     *
     * @param event what was done, and why
     */
    default void onLifecycleChanged(PoolEvent.LifecycleChanged event) {}

    /**
     * The pool was closed. Called once. Leases that are still open may raise an event when they end.
     *
     * @param pool the pool's name
     */
    default void onClosed(String pool) {}

    /**
     * Is notified of each lease of a pool that it inspects ({@code FlexPoolDataSource.inspectLeases}), for example by tests.
     * Called on the threads of the application, whose requests wait meanwhile; what it throws is logged and reaches no
     * application. Implementations must be thread-safe.
     */
    interface LeaseInspector {
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
}
