// SPDX-License-Identifier: Apache-2.0
package io.flexpool.examples.pools;

import io.flexpool.FlexPool;
import io.flexpool.FlexPoolDataSource;
import org.h2.jdbcx.JdbcConnectionPool;

/** H2 JdbcConnectionPool, wrapped: the example of docs/reference/pools.md. */
final class H2PoolExample {
    private H2PoolExample() {}

    static FlexPoolDataSource wrapped(String url) {
        JdbcConnectionPool pool = JdbcConnectionPool.create(url, "app", "secret");
        pool.setMaxConnections(5);
        pool.setLoginTimeout(5);

        FlexPoolDataSource orders = FlexPool.wrap(pool)
                .name("orders")
                .set("base", 5)
                .set("ceiling", 25)
                .set("grow-on-wait.enabled", true)
                .build();
        return orders;
    }
}
