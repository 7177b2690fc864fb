// SPDX-License-Identifier: Apache-2.0
package io.flexpool.examples.pools;

import com.atomikos.jdbc.AtomikosNonXADataSourceBean;
import io.flexpool.FlexPool;
import io.flexpool.FlexPoolDataSource;

/** Atomikos, wrapped: the example of docs/reference/pools.md. */
final class AtomikosExample {
    private AtomikosExample() {}

    static FlexPoolDataSource wrapped(String url) {
        AtomikosNonXADataSourceBean pool = new AtomikosNonXADataSourceBean();
        pool.setUniqueResourceName("orders");
        pool.setDriverClassName("org.h2.Driver");
        pool.setUrl(url);
        pool.setUser("app");
        pool.setPassword("secret");
        pool.setMaxPoolSize(5);
        pool.setBorrowConnectionTimeout(5);
        pool.setLocalTransactionMode(true);

        FlexPoolDataSource orders = FlexPool.wrap(pool)
                .name("orders")
                .set("base", 5)
                .set("ceiling", 25)
                .set("grow-on-wait.enabled", true)
                .build();
        return orders;
    }
}
