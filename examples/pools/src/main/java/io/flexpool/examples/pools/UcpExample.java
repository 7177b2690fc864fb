// SPDX-License-Identifier: Apache-2.0
package io.flexpool.examples.pools;

import io.flexpool.FlexPool;
import io.flexpool.FlexPoolDataSource;
import java.sql.SQLException;
import java.time.Duration;
import oracle.ucp.jdbc.PoolDataSource;
import oracle.ucp.jdbc.PoolDataSourceFactory;

/** Oracle UCP, wrapped: the example of docs/reference/pools.md. */
final class UcpExample {
    private UcpExample() {}

    static FlexPoolDataSource wrapped(String url) throws SQLException {
        PoolDataSource pool = PoolDataSourceFactory.getPoolDataSource();
        pool.setConnectionFactoryClassName("org.h2.Driver");
        pool.setURL(url);
        pool.setUser("app");
        pool.setPassword("secret");
        pool.setMaxPoolSize(5);
        pool.setConnectionWaitDuration(Duration.ofSeconds(5));
        pool.setValidateConnectionOnBorrow(true);

        FlexPoolDataSource orders = FlexPool.wrap(pool)
                .name("orders")
                .set("base", 5)
                .set("ceiling", 25)
                .set("grow-on-wait.enabled", true)
                .build();
        return orders;
    }
}
