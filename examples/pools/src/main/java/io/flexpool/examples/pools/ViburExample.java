// SPDX-License-Identifier: Apache-2.0
package io.flexpool.examples.pools;

import io.flexpool.FlexPool;
import io.flexpool.FlexPoolDataSource;
import io.flexpool.strategy.GrowOnWait;
import org.vibur.dbcp.ViburDBCPDataSource;

/** Vibur, wrapped: the example of docs/pools.md. */
final class ViburExample {
    private ViburExample() {}

    static FlexPoolDataSource wrapped(String url) {
        ViburDBCPDataSource pool = new ViburDBCPDataSource();
        pool.setJdbcUrl(url);
        pool.setUsername("app");
        pool.setPassword("secret");
        pool.setPoolInitialSize(5);
        pool.setPoolMaxSize(25);
        pool.setConnectionTimeoutInMs(5_000);
        pool.start();

        FlexPoolDataSource orders = FlexPool.wrap(pool)
                .name("orders")
                .base(5)
                .strategy(GrowOnWait.upTo(25))
                .build();
        return orders;
    }
}
