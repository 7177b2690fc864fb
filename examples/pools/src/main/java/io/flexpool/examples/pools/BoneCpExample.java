// SPDX-License-Identifier: Apache-2.0
package io.flexpool.examples.pools;

import com.jolbox.bonecp.BoneCPDataSource;
import io.flexpool.FlexPool;
import io.flexpool.FlexPoolDataSource;

/** BoneCP, wrapped: the example of docs/reference/pools.md. */
final class BoneCpExample {
    private BoneCpExample() {}

    static FlexPoolDataSource wrapped(String url) {
        BoneCPDataSource pool = new BoneCPDataSource();
        pool.setJdbcUrl(url);
        pool.setUsername("app");
        pool.setPassword("secret");
        pool.setPartitionCount(1);
        pool.setMaxConnectionsPerPartition(25);
        pool.setConnectionTimeoutInMs(5_000);

        FlexPoolDataSource orders = FlexPool.wrap(pool)
                .name("orders")
                .set("base", 5)
                .set("ceiling", 25)
                .set("grow-on-wait.enabled", true)
                .build();
        return orders;
    }
}
