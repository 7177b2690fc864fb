// SPDX-License-Identifier: Apache-2.0
package io.flexpool.pool;

/**
 * What may be read of one pool: the only thing a metrics backend sees. Reading is thread-safe, takes no lock on the
 * acquisition path, borrows no connection and never stops the pool.
 */
public interface PoolView {
    /**
     * The name given to the builder: the value of the attribute {@code db.client.connection.pool.name}.
     *
     * @return never empty
     */
    String name();

    /**
     * What kind of pool is behind.
     *
     * @return for example {@code HikariCP}
     */
    String type();

    /**
     * The pool now.
     *
     * @return a fresh state
     */
    PoolState state();

    /**
     * Whether a figure can be had of this pool at all. Asked when a backend begins to show it.
     *
     * @param metric which
     * @return false if it would stay empty for ever, because the pool does not tell
     */
    default boolean tells(PoolMetric metric) {
        return true;
    }

    /**
     * What has happened so far.
     *
     * @return fresh figures, since start and over the last minute
     */
    PoolStatistics statistics();
}
