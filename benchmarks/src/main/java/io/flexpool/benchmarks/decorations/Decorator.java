// SPDX-License-Identifier: Apache-2.0
package io.flexpool.benchmarks.decorations;

import com.zaxxer.hikari.HikariDataSource;

/** Puts something around a pool. */
@FunctionalInterface
public interface Decorator {
    /** Puts nothing around it. */
    Decorator NONE = pool -> Decorated.of(pool, pool);

    /**
     * Puts something around a pool that has not been used yet.
     *
     * @param pool the pool, with its name, its size and its driver
     * @return what an application would use instead
     */
    Decorated around(HikariDataSource pool);
}
