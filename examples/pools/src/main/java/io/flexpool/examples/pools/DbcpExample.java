// SPDX-License-Identifier: Apache-2.0
package io.flexpool.examples.pools;

import io.flexpool.FlexPool;
import io.flexpool.FlexPoolDataSource;
import org.apache.commons.dbcp.BasicDataSource;

/** Commons DBCP 1.4, wrapped: the example of docs/reference/pools.md. */
final class DbcpExample {
    private DbcpExample() {}

    static FlexPoolDataSource wrapped(String url) {
        BasicDataSource pool = new BasicDataSource();
        pool.setDriverClassName("org.h2.Driver");
        pool.setUrl(url);
        pool.setMaxActive(25);
        pool.setMaxIdle(25);
        pool.setMaxWait(5_000);
        pool.setValidationQuery("select 1");

        FlexPoolDataSource orders = FlexPool.wrap(pool)
                .name("orders")
                .set("base", 5)
                .set("ceiling", 25)
                .set("grow-on-wait.enabled", true)
                .build();
        return orders;
    }
}
