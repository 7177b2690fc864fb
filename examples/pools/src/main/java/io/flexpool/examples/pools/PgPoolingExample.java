// SPDX-License-Identifier: Apache-2.0
package io.flexpool.examples.pools;

import io.flexpool.FlexPool;
import io.flexpool.FlexPoolDataSource;
import io.flexpool.strategy.GrowOnWait;
import java.time.Duration;
import org.postgresql.ds.PGPoolingDataSource;

/** PGPoolingDataSource, wrapped: the example of docs/pools.md. */
final class PgPoolingExample {
    private PgPoolingExample() {}

    @SuppressWarnings("deprecation") // PostgreSQL has deprecated its pool; users of it are who this is for
    static FlexPoolDataSource wrapped(String url, String user, String password) {
        PGPoolingDataSource pool = new PGPoolingDataSource();
        pool.setDataSourceName("orders");
        pool.setURL(url);
        pool.setUser(user);
        pool.setPassword(password);
        pool.setMaxConnections(25);

        FlexPoolDataSource orders = FlexPool.wrap(pool)
                .name("orders")
                .base(5)
                .acquisitionTimeout(Duration.ofSeconds(5))
                .strategy(GrowOnWait.upTo(25))
                .build();
        return orders;
    }
}
