// SPDX-License-Identifier: Apache-2.0
package io.flexpool.benchmarks.simulate;

import io.flexpool.internal.sizing.PoolWindow;

/**
 * What steers the limit of a simulated pool. Made anew for each run, and called by one thread in the order of virtual
 * time. It may move the limit at each call through the pool it was given, or by what {@link #onTick} returns.
 */
public interface SimController {
    /** What the report calls it. */
    String name();

    /** Whether it is fed figures of each class, where requests are of two kinds. */
    default boolean classes() {
        return false;
    }

    /** The run begins; the pool is the actuator for the rest of it. */
    default void begin(SimPool pool) {}

    /**
     * A tick of 250 ms has ended.
     *
     * @param window what was seen since the one before
     * @return the limit wanted from now on; the window's own to leave it
     */
    int onTick(PoolWindow window);

    /**
     * A request got its connection.
     *
     * @param nowNanos virtual time
     * @param waitedNanos since it arrived
     */
    default void onAcquired(long nowNanos, long waitedNanos) {}

    /**
     * A lease ended.
     *
     * @param nowNanos virtual time
     * @param leaseNanos how long it lasted
     * @param activeAtStart active connections when it began, itself included
     * @param failed whether its connection broke
     */
    default void onReleased(long nowNanos, long leaseNanos, int activeAtStart, boolean failed) {}

    /**
     * A request has waited as long as the acquisition timeout allows.
     *
     * @param nowNanos virtual time
     * @param attempt how often it has waited that long, from 1
     * @return whether it asks again, at the end of the queue; otherwise it has failed
     */
    default boolean onTimeout(long nowNanos, int attempt) {
        return false;
    }
}
