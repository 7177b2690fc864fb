// SPDX-License-Identifier: Apache-2.0
package io.flexpool.examples.pools;

import io.flexpool.FlexPool;
import io.flexpool.FlexPoolDataSource;
import java.sql.SQLException;
import org.mariadb.jdbc.MariaDbPoolDataSource;

/** MariaDbPoolDataSource, wrapped: the example of docs/reference/pools.md. */
final class MariaDbExample {
    private MariaDbExample() {}

    static FlexPoolDataSource wrapped(String url) throws SQLException {
        MariaDbPoolDataSource pool =
                new MariaDbPoolDataSource(url + "?maxPoolSize=25&minPoolSize=5&connectTimeout=2000");

        FlexPoolDataSource orders = FlexPool.wrap(pool)
                .name("orders")
                .set("base", 5)
                .set("ceiling", 25)
                .set("grow-on-wait.enabled", true)
                .build();
        return orders;
    }
}
