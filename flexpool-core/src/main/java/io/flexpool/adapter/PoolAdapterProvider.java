// SPDX-License-Identifier: Apache-2.0
package io.flexpool.adapter;

import java.util.Optional;
import javax.sql.DataSource;

/**
 * Finds the adapter for a data source. Found by {@link java.util.ServiceLoader}. Must not throw, and in particular must
 * answer empty, not {@link NoClassDefFoundError}, where its pool is not on the class path.
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
