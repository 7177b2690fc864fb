// SPDX-License-Identifier: Apache-2.0
package io.flexpool.event;

/**
 * Is notified of what happens to a pool. A pool may have many. What a listener throws is logged and counted, and neither the
 * application nor another listener notices.
 *
 * <p>What happens to one request is delivered on its thread: be quick. Moves of the limit, decisions, leaks, changes of the
 * circuit and the end of the pool are delivered in the order in which they happened, one at a time, on whatever thread: on
 * the request's that caused one, or on flexpool's own. A listener that blocks there delays later events of its pool
 * and nothing else: up to 1,000 wait, what comes on top is dropped and counted ({@code events.dropped}), and the
 * listener is reported by its class. A switch of the mode and the pool's close wait for their events to be delivered, but not
 * for a listener that blocks.
 */
public interface PoolListener {
    /**
     * Something happened. Called for every event, also for kinds that a later release adds.
     *
     * @param event what happened; by default it is passed to the method of its kind, and ignored if there is none
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
            case SIZING_DECIDED -> onSizingDecided((PoolEvent.SizingDecided) event);
            case LEAK_SUSPECTED -> onLeakSuspected((PoolEvent.LeakSuspected) event);
            case LEAK_RESOLVED -> onLeakResolved((PoolEvent.LeakResolved) event);
            case NESTED_ACQUISITION -> onNestedAcquisition((PoolEvent.NestedAcquisition) event);
        }
    }

    /** A request got no connection in time. */
    default void onAcquisitionTimedOut(PoolEvent.AcquisitionTimedOut event) {}

    /** A request was answered later than {@code slow-acquisition}. */
    default void onAcquisitionSlow(PoolEvent.AcquisitionSlow event) {}

    /** A connection was out longer than {@code long-lease}. */
    default void onLeaseLong(PoolEvent.LeaseLong event) {}

    /** The database could not be reached or refused a connection. */
    default void onConnectFailed(PoolEvent.ConnectFailed event) {}

    /** A request was turned away by a strategy. */
    default void onAcquisitionRejected(PoolEvent.AcquisitionRejected event) {}

    /** The circuit opened, let a request through to see, or closed. */
    default void onCircuitChanged(PoolEvent.CircuitChanged event) {}

    /** The lease limit moved. */
    default void onResized(PoolEvent.Resized event) {}

    /**
     * The sizing controller decided something, or, where it only observes, would have.
     *
     * @param event what, why, and what came of it
     */
    default void onSizingDecided(PoolEvent.SizingDecided event) {}

    /** A connection is out for longer than {@code leak.threshold}. Called once for each lease. */
    default void onLeakSuspected(PoolEvent.LeakSuspected event) {}

    /** A lease that was suspected to be a leak has ended. */
    default void onLeakResolved(PoolEvent.LeakResolved event) {}

    /**
     * A thread that holds a connection asked for another one of the same pool, while the pool had hardly any left. What
     * happens at other times is only counted.
     */
    default void onNestedAcquisition(PoolEvent.NestedAcquisition event) {}

    /**
     * The pool was closed. Called once. A connection that is still out then may raise an event when it comes back.
     *
     * @param pool the pool's name
     */
    default void onClosed(String pool) {}
}
