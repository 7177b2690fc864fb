// SPDX-License-Identifier: Apache-2.0
package io.flexpool.pool;

/** A pool whose limits may be moved while it runs: by code, over JMX, by an endpoint. Thread-safe. */
public interface PoolControl extends PoolView {
    /**
     * Stops limiting: the pool's own sizes are put back, requests that wait go into the pool, and no strategy is asked
     * any more. Times and figures go on. Does nothing where nothing is limited.
     *
     * @return true if something changed
     */
    boolean watchOnly();

    /**
     * Limits again after {@link #watchOnly()}, from the base. Connections that are out beyond it are left alone.
     *
     * @return true if something changed
     * @throws IllegalArgumentException if the pool cannot be brought to its ceiling any more; it is then watched on
     */
    boolean limitAgain();

    /**
     * Moves base and ceiling, and at once the lease limit if it is not between them. Connections that are out beyond it
     * are left alone. Lasts until the pool is closed; nothing is written to the configuration.
     *
     * @param base how many connections may be out after calm, 1 to 10,000
     * @param ceiling what growth never passes, at least the base
     * @throws IllegalArgumentException naming value and rule, also if this pool cannot be brought to that ceiling while
     *     it runs; then nothing has changed
     * @throws IllegalStateException if the pool is only watched: it has no limits
     */
    void limits(int base, int ceiling);
}
