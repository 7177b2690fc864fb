// SPDX-License-Identifier: Apache-2.0
package io.flexpool.examples.pools;

import io.flexpool.FlexPool;
import io.flexpool.FlexPoolDataSource;
import org.apache.tomcat.jdbc.pool.DataSource;

/** Tomcat JDBC, wrapped: the example of docs/reference/pools.md. */
final class TomcatExample {
    private TomcatExample() {}

    static FlexPoolDataSource wrapped(String url) {
        DataSource pool = new DataSource();
        pool.setDriverClassName("org.h2.Driver");
        pool.setUrl(url);
        pool.setMaxActive(5);
        pool.setMaxWait(5_000);
        pool.setTestOnBorrow(true);

        FlexPoolDataSource orders = FlexPool.wrap(pool)
                .name("orders")
                .set("base", 5)
                .set("ceiling", 25)
                .set("grow-on-wait.enabled", true)
                .build();
        return orders;
    }
}
