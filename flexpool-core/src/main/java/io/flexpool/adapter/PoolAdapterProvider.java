// SPDX-License-Identifier: Apache-2.0
package io.flexpool.adapter;

import java.util.Optional;
import javax.sql.DataSource;

/**
 * Finds the adapter for a data source. Found by {@link java.util.ServiceLoader}. Must not throw, apart from the
 * {@link LinkageError} that the JVM throws where the pool is not on the class path, or is one of an incompatible
 * version: flexpool takes it for an empty answer.
 */
public interface PoolAdapterProvider {
    /**
     * Adapts a pool.
     *
     * @param dataSource any data source; not started, borrowed from or changed by this call
     * @return empty if it is another pool's
     */
    Optional<PoolAdapter> adapt(DataSource dataSource);
}
