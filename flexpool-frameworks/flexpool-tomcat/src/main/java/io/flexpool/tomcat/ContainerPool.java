// SPDX-License-Identifier: Apache-2.0
package io.flexpool.tomcat;

import io.flexpool.FlexPoolDataSource;
import io.flexpool.internal.shared.DelegatingDataSource;
import javax.sql.DataSource;

/**
 * A wrapped pool that a container owns. Containers close what they find closeable, each resource by itself: closing this one
 * ends flexpool and leaves the pool, which may serve other applications, to the container. Thread-safe.
 *
 * <p>Public because containers call {@link #close()} by reflection. Applications use it as a {@link DataSource}.
 */
public final class ContainerPool extends DelegatingDataSource implements AutoCloseable {
    private final FlexPoolDataSource pool;

    ContainerPool(FlexPoolDataSource pool) {
        super(pool);
        this.pool = pool;
    }

    /** Ends flexpool, after a drain if {@code drain.within} is set; the pool stays open. Closing twice has no effect. */
    @Override
    public void close() {
        pool.release();
    }
}
