// SPDX-License-Identifier: Apache-2.0
package io.flexpool.monitoring;

import io.flexpool.pool.PoolMode;
import java.time.Duration;

/**
 * A pool whose limits may be moved while it runs, and that may be warmed up, paused, evicted and drained: by code, over
 * JMX, by an endpoint. Thread-safe. A disabled pool ignores these operations, but a drain closes it. Made by flexpool
 * alone; minor releases add methods.
 */
public interface PoolControl extends PoolView {
    /**
     * Switches the mode, until the pool is closed; the configuration is not written.
     *
     * <p>To {@link PoolMode#MONITOR}: limiting stops, the pool's own sizes are restored, waiting requests enter the
     * pool, strategies are no longer consulted, and connections that flexpool had opened beyond these sizes are closed
     * once they are idle, if the pool's physical connections follow the limit. Metrics continue. From
     * {@link PoolMode#MONITOR} to another mode: flexpool limits again, from the base; leases beyond the base stay open.
     * From {@link PoolMode#ADAPT} to another mode: the limit is the base.
     *
     * @param wanted the new mode
     * @return true if the mode changed; false also if the pool is closed
     * @throws IllegalArgumentException naming key and rule, if the pool lacks a requirement of {@link PoolMode#ADAPT},
     *     or cannot grow to its ceiling; then nothing has changed
     * @throws IllegalStateException if the pool's own call does not return, for example while its start hangs in a
     *     connect; then nothing has changed
     */
    boolean mode(PoolMode wanted);

    /**
     * Sets base and ceiling, and at once the lease limit if it is outside this range. Leases beyond the limit stay
     * open. Lasts until the pool is closed; the configuration is not written.
     *
     * @param base the limit at rest, 1 to 10,000
     * @param ceiling the highest limit, from the base to the configured ceiling; without one, the configured base
     * @throws IllegalArgumentException naming value and rule, also if this pool cannot grow to the ceiling while it
     *     runs; then nothing has changed
     * @throws IllegalStateException if the pool is only watched: it has no limits
     */
    void limits(int base, int ceiling);

    /**
     * Opens connections before requests need them: borrows this many through the pool at the same time and returns
     * them. Blocks; requests are served meanwhile. Each borrow counts as an acquisition. The pool's own settings decide
     * whether the connections stay open.
     *
     * @param connections the number of connections, 1 to 10,000; bounded by the limit, or the max of a watched pool
     * @param within the longest duration, longer than zero, at most a day
     * @return the number of connections open at the same time; fewer than wanted if the time was over or the database
     *     refused, which is logged; 0 if the pool is paused, drains or is closed
     * @throws IllegalArgumentException naming value and rule, if a value is out of its range
     */
    int warmUp(int connections, Duration within);

    /**
     * Refuses new requests with an exception of the pool's class and SQLState 57P03, waits until every lease and every
     * request that already waits has ended, and closes the pool. A thread that holds a connection may get another
     * connection meanwhile. Blocks. An interrupt ends the wait, and stays set.
     *
     * <p>The pool's figures and its health stay visible, with the phase {@link io.flexpool.pool.PoolPhase#CLOSED},
     * until the owner closes the drained pool, or wraps another pool under the same name.
     *
     * @param within the longest wait, longer than zero, at most a day; then the pool is closed despite open leases
     * @return the number of leases and waiting requests left when the pool was closed: 0 if all had ended
     * @throws IllegalArgumentException naming value and rule, if the time is out of its range
     */
    int drain(Duration within);

    /**
     * Closes every connection that is open now: idle connections at once, leased connections on return. Without
     * {@code Capability.EVICT_LEASED}, connections that were borrowed without flexpool stay open. Blocks as long as the
     * pool's own method.
     *
     * @param reason the reason, for the log, the events and the report; its first 200 characters count
     * @return false if the pool cannot ({@code Capability.EVICT}), is closed, or its own method threw, which is logged
     */
    boolean evict(String reason);

    /**
     * Makes every new request wait, in the order of the requests and within its acquisition timeout, until the pool is
     * {@linkplain #resume() resumed}. Leases stay open; a thread that holds a connection may get another connection.
     * The pool does not grow meanwhile.
     *
     * @return false if the pool is paused already, drains or is closed
     */
    boolean pause();

    /**
     * Ends a {@linkplain #pause() pause}: waiting requests are served, oldest first.
     *
     * @return false if the pool was not paused
     */
    boolean resume();
}
