// SPDX-License-Identifier: Apache-2.0
package io.flexpool.monitoring;

import io.flexpool.pool.PoolMode;

/** A pool whose limits may be moved while it runs: by code, over JMX, by an endpoint. Thread-safe. */
public interface PoolControl extends PoolView {
    /**
     * Switches the mode, until the pool is closed; nothing is written to the configuration.
     *
     * <p>To {@link PoolMode#MONITOR}: limiting stops, the pool's own sizes are restored, waiting requests enter the
     * pool, and strategies are no longer consulted. Metrics continue. From there to another mode flexpool limits again,
     * from the base; leases beyond it stay open. From {@link PoolMode#ADAPT} to another mode the limit is the base.
     *
     * @param wanted the new mode
     * @return true if the mode changed; false also if the pool is closed
     * @throws IllegalArgumentException naming key and rule, if the pool was wrapped without what {@link PoolMode#ADAPT}
     *     needs, or cannot be brought to its ceiling any more; nothing has changed then
     */
    boolean mode(PoolMode wanted);

    /**
     * Sets base and ceiling, and at once the lease limit if it is not between them. Leases beyond it stay open. Lasts
     * until the pool is closed; nothing is written to the configuration.
     *
     * @param base the limit at rest, 1 to 10,000
     * @param ceiling the highest limit, from the base to the configured ceiling, or to 10,000 if
     *     {@code limits.allow-above-ceiling} is set; of a pool without one the configured ceiling is the base
     * @throws IllegalArgumentException naming value and rule, also if this pool cannot be brought to that ceiling while
     *     it runs; then nothing has changed
     * @throws IllegalStateException if the pool is only watched: it has no limits
     */
    void limits(int base, int ceiling);
}
