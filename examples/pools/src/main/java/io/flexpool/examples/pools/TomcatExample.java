// SPDX-License-Identifier: Apache-2.0
package io.flexpool.examples.pools;

import io.flexpool.FlexPool;
import io.flexpool.FlexPoolDataSource;
import io.flexpool.strategy.GrowOnWait;
import org.apache.tomcat.jdbc.pool.DataSource;

/** Tomcat JDBC, wrapped: the example of docs/pools.md. */
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
                .base(5)
                .strategy(GrowOnWait.upTo(25))
                .build();
        return orders;
    }
}
