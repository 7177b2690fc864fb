// SPDX-License-Identifier: Apache-2.0
package io.flexpool.examples.pools;

import io.flexpool.FlexPool;
import io.flexpool.FlexPoolDataSource;
import java.time.Duration;
import org.apache.commons.dbcp2.BasicDataSource;

/** Commons DBCP 2, wrapped: the example of docs/reference/pools.md. */
final class Dbcp2Example {
    private Dbcp2Example() {}

    static FlexPoolDataSource wrapped(String url) {
        BasicDataSource pool = new BasicDataSource();
        pool.setUrl(url);
        pool.setMaxTotal(5);
        pool.setMaxIdle(25);
        pool.setMaxWait(Duration.ofSeconds(5));

        FlexPoolDataSource orders = FlexPool.wrap(pool)
                .name("orders")
                .set("base", 5)
                .set("ceiling", 25)
                .set("grow-on-wait.enabled", true)
                .build();
        return orders;
    }
}
