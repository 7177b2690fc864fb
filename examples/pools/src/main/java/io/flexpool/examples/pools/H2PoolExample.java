// SPDX-License-Identifier: Apache-2.0
package io.flexpool.examples.pools;

import io.flexpool.FlexPool;
import io.flexpool.FlexPoolDataSource;
import io.flexpool.strategy.GrowOnWait;
import org.h2.jdbcx.JdbcConnectionPool;

/** H2 JdbcConnectionPool, wrapped: the example of docs/pools.md. */
final class H2PoolExample {
    private H2PoolExample() {}

    static FlexPoolDataSource wrapped(String url) {
        JdbcConnectionPool pool = JdbcConnectionPool.create(url, "app", "secret");
        pool.setMaxConnections(5);
        pool.setLoginTimeout(5);

        FlexPoolDataSource orders = FlexPool.wrap(pool)
                .name("orders")
                .base(5)
                .strategy(GrowOnWait.upTo(25))
                .build();
        return orders;
    }
}
