// SPDX-License-Identifier: Apache-2.0
package io.flexpool.monitoring;

import io.flexpool.pool.PoolMode;
import java.time.Duration;

/**
 * A pool whose limits may be moved while it runs, and that may be warmed up, paused, evicted and drained: by code, over JMX, by
 * an endpoint. Thread-safe. A disabled pool does nothing of the latter, except that a drain closes it.
 * Made by flexpool alone; minor releases add methods.
 */
public interface PoolControl extends PoolView {
    /**
     * Switches the mode, until the pool is closed; nothing is written to the configuration.
     *
     * <p>To {@link PoolMode#MONITOR}: limiting stops, the pool's own sizes are restored, waiting requests enter the
     * pool, strategies are no longer consulted, and connections that flexpool had opened beyond those sizes are closed once
     * they are idle, if the pool's physical connections follow the limit. Metrics continue. From there to another mode flexpool limits again,
     * from the base; leases beyond it stay open. From {@link PoolMode#ADAPT} to another mode the limit is the base.
     *
     * @param wanted the new mode
     * @return true if the mode changed; false also if the pool is closed
     * @throws IllegalArgumentException naming key and rule, if the pool was wrapped without what {@link PoolMode#ADAPT}
     *     needs, or cannot be brought to its ceiling any more; nothing has changed then
     * @throws IllegalStateException if the pool's own call does not return, for example while its start hangs in a connect;
     *     nothing has changed then
     */
    boolean mode(PoolMode wanted);

    /**
     * Sets base and ceiling, and at once the lease limit if it is not between them. Leases beyond it stay open. Lasts
     * until the pool is closed; nothing is written to the configuration.
     *
     * @param base the limit at rest, 1 to 10,000
     * @param ceiling the highest limit, from the base to the configured ceiling; of a pool without one the
     *     configured ceiling is the base
     * @throws IllegalArgumentException naming value and rule, also if this pool cannot be brought to that ceiling while
     *     it runs; then nothing has changed
     * @throws IllegalStateException if the pool is only watched: it has no limits
     */
    void limits(int base, int ceiling);

    /**
     * Opens connections before requests need them: borrows this many through the pool at the same time and returns
     * them. Blocks; requests are served meanwhile. Each counts as an acquisition. The pool's own settings decide
     * whether they stay open.
     *
     * @param connections how many, 1 to 10,000; not more than the limit are opened, or than the pool's max if it is only
     *     watched
     * @param within how long that may take, longer than zero, at most a day
     * @return how many were open at the same time; fewer than wanted if the time was over or the database refused,
     *     which is logged; 0 of a pool that is paused, drains or is closed
     * @throws IllegalArgumentException naming value and rule, if one is out of its range
     */
    int warmUp(int connections, Duration within);

    /**
     * Refuses new requests with an exception of the pool's class and SQLState 57P03, waits until every lease has ended and
     * every request that waits already was answered, and closes the pool. A thread that holds a connection may get another
     * one meanwhile. Blocks. An interrupt ends the wait, and stays set.
     *
     * <p>The pool's figures and its health stay visible, with the phase {@link io.flexpool.pool.PoolPhase#CLOSED}, until its
     * owner closes the drained pool, or wraps another pool under its name.
     *
     * @param within how long to wait at most, longer than zero, at most a day; then the pool is closed although connections
     *     are leased
     * @return how many leases and waiting requests were left when the pool was closed: 0 if all had ended
     * @throws IllegalArgumentException naming value and rule, if the time is out of its range
     */
    int drain(Duration within);

    /**
     * Closes every connection that is open now: idle ones at once, leased ones when they come back. Of a pool without
     * {@code Capability.EVICT_LEASED}, those that were borrowed past flexpool stay. Blocks for as long as the pool's own
     * method does.
     *
     * @param reason why, for the log, the events and the report; its first 200 characters count
     * @return false if the pool cannot ({@code Capability.EVICT}), is closed, or its own method threw, which is logged
     */
    boolean evict(String reason);

    /**
     * Has every new request wait, in the order of the requests and within its acquisition timeout, until the pool is
     * {@linkplain #resume() resumed}. Leases are not touched; a thread that holds a connection may get another one.
     * Nothing grows meanwhile.
     *
     * @return false if the pool is paused already, drains or is closed
     */
    boolean pause();

    /**
     * Ends a {@linkplain #pause() pause}: the requests that wait are answered, oldest first.
     *
     * @return false if the pool was not held
     */
    boolean resume();
}
