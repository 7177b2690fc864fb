// SPDX-License-Identifier: Apache-2.0
package io.flexpool.examples.pools;

import io.flexpool.FlexPool;
import io.flexpool.FlexPoolDataSource;
import java.time.Duration;
import org.apache.ibatis.datasource.pooled.PooledDataSource;

/** MyBatis' pool, wrapped: the example of docs/reference/pools.md. */
final class MyBatisExample {
    private MyBatisExample() {}

    static FlexPoolDataSource wrapped(String url) {
        PooledDataSource pool = new PooledDataSource("org.h2.Driver", url, "app", "secret");
        pool.setPoolMaximumActiveConnections(25);
        pool.setPoolMaximumIdleConnections(25);

        FlexPoolDataSource orders = FlexPool.wrap(pool)
                .name("orders")
                .set("base", 5)
                .set("acquisition-timeout", Duration.ofSeconds(5))
                .set("ceiling", 25)
                .set("grow-on-wait.enabled", true)
                .build();
        return orders;
    }
}
