// SPDX-License-Identifier: Apache-2.0
package io.flexpool.examples.pools;

import io.flexpool.FlexPool;
import io.flexpool.FlexPoolDataSource;
import org.vibur.dbcp.ViburDBCPDataSource;

/** Vibur, wrapped: the example of docs/reference/pools.md. */
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
                .set("base", 5)
                .set("ceiling", 25)
                .set("grow-on-wait.enabled", true)
                .build();
        return orders;
    }
}
