// SPDX-License-Identifier: Apache-2.0
package io.flexpool.examples.pools;

import com.mchange.v2.c3p0.ComboPooledDataSource;
import io.flexpool.FlexPool;
import io.flexpool.FlexPoolDataSource;

/** c3p0, wrapped: the example of docs/reference/pools.md. */
final class C3p0Example {
    private C3p0Example() {}

    static FlexPoolDataSource wrapped(String url) {
        ComboPooledDataSource pool = new ComboPooledDataSource();
        pool.setJdbcUrl(url);
        pool.setMaxPoolSize(25);
        pool.setCheckoutTimeout(5_000);
        pool.setMaxIdleTimeExcessConnections(60);
        pool.setTestConnectionOnCheckout(true);

        FlexPoolDataSource orders = FlexPool.wrap(pool)
                .name("orders")
                .set("base", 5)
                .set("ceiling", 25)
                .set("grow-on-wait.enabled", true)
                .build();
        return orders;
    }
}
