// SPDX-License-Identifier: Apache-2.0
package io.flexpool.examples.pools;

import com.zaxxer.hikari.HikariDataSource;
import io.flexpool.FlexPool;
import io.flexpool.FlexPoolDataSource;

/** HikariCP, wrapped: the example of docs/reference/pools.md. */
final class HikariExample {
    private HikariExample() {}

    static FlexPoolDataSource wrapped(String url) {
        HikariDataSource pool = new HikariDataSource();
        pool.setJdbcUrl(url);
        pool.setMaximumPoolSize(5);
        pool.setConnectionTimeout(5_000);

        FlexPoolDataSource orders = FlexPool.wrap(pool)
                .name("orders")
                .set("base", 5)
                .set("ceiling", 25)
                .set("grow-on-wait.enabled", true)
                .build();
        return orders;
    }
}
