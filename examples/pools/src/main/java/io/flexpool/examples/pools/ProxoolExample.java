// SPDX-License-Identifier: Apache-2.0
package io.flexpool.examples.pools;

import io.flexpool.FlexPool;
import io.flexpool.FlexPoolDataSource;
import java.time.Duration;
import org.logicalcobwebs.proxool.ProxoolDataSource;

/** Proxool, wrapped: the example of docs/reference/pools.md. */
final class ProxoolExample {
    private ProxoolExample() {}

    static FlexPoolDataSource wrapped(String url) {
        ProxoolDataSource pool = new ProxoolDataSource();
        pool.setAlias("orders");
        pool.setDriver("org.h2.Driver");
        pool.setDriverUrl(url);
        pool.setUser("app");
        pool.setPassword("secret");
        pool.setMaximumConnectionCount(25);
        pool.setTestBeforeUse(true);
        pool.setHouseKeepingTestSql("select 1");

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
