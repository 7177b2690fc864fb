// SPDX-License-Identifier: Apache-2.0
package io.flexpool.examples.pools;

import com.alibaba.druid.pool.DruidDataSource;
import io.flexpool.FlexPool;
import io.flexpool.FlexPoolDataSource;

/** Druid, wrapped: the example of docs/reference/pools.md. */
final class DruidExample {
    private DruidExample() {}

    static FlexPoolDataSource wrapped(String url) {
        DruidDataSource pool = new DruidDataSource();
        pool.setUrl(url);
        pool.setMaxActive(5);
        pool.setMaxWait(5_000);
        pool.setValidationQuery("select 1");
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
