// SPDX-License-Identifier: Apache-2.0
package io.flexpool.adapter;

import java.util.Optional;
import javax.sql.DataSource;

/**
 * Finds the adapter for a data source. Found by {@link java.util.ServiceLoader}. Must not throw, except the JVM's
 * {@link LinkageError} if the pool is missing on the class path or has an incompatible version: flexpool treats it as
 * an empty result.
 */
public interface PoolAdapterProvider {
    /**
     * Adapts a pool.
     *
     * @param dataSource any data source; not started, borrowed from or changed by this call
     * @return the adapter; empty if the data source is of another pool
     */
    Optional<PoolAdapter> adapt(DataSource dataSource);
}
