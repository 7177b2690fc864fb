// SPDX-License-Identifier: Apache-2.0
package io.flexpool.dropwizard;

import io.dropwizard.db.ManagedDataSource;
import io.flexpool.FlexPoolDataSource;
import io.flexpool.OpenPools;
import io.flexpool.spi.DelegatingDataSource;
import javax.sql.DataSource;

/** A wrapped pool with Dropwizard's life cycle. Thread-safe. */
final class FlexPoolManagedDataSource extends DelegatingDataSource implements ManagedDataSource {
    private final ManagedDataSource own;
    private final FlexPoolDataSource pool;
    private final Runnable ended;

    FlexPoolManagedDataSource(ManagedDataSource own, FlexPoolDataSource pool, Runnable ended) {
        this.own = own;
        this.pool = pool;
        this.ended = ended;
    }

    @Override
    protected DataSource pool() {
        return pool;
    }

    /** Opens the pool, and registers Dropwizard's figures. */
    @Override
    public void start() throws Exception {
        own.start();
    }

    /** Ends flexpool, after a drain if {@code drain.within} is set, then closes the pool. Stopping twice has no further effect. */
    @Override
    public void stop() throws Exception {
        try {
            OpenPools.release(pool, null);
        } finally {
            ended.run();
            own.stop();
        }
    }
}
