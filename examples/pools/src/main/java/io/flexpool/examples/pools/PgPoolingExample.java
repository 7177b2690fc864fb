// SPDX-License-Identifier: Apache-2.0
package io.flexpool.examples.pools;

import io.flexpool.FlexPool;
import io.flexpool.FlexPoolDataSource;
import java.time.Duration;
import org.postgresql.ds.PGPoolingDataSource;

/** PGPoolingDataSource, wrapped: the example of docs/reference/pools.md. */
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
                .set("base", 5)
                .set("acquisition-timeout", Duration.ofSeconds(5))
                .set("ceiling", 25)
                .set("grow-on-wait.enabled", true)
                .build();
        return orders;
    }
}
