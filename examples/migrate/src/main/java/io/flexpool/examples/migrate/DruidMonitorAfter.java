// SPDX-License-Identifier: Apache-2.0
package io.flexpool.examples.migrate;

import com.alibaba.druid.pool.DruidDataSource;
import io.flexpool.FlexPool;
import io.flexpool.FlexPoolDataSource;
import java.sql.SQLException;
import java.time.Duration;

/** Druid with flexpool: the second program of docs/how-to/migrate-druid.md. */
final class DruidMonitorAfter {
    private DruidMonitorAfter() {}

    static FlexPoolDataSource watched(DruidDataSource pool) throws SQLException {
        pool.setFilters("stat"); // for SQL statistics, which flexpool does not have
        return FlexPool.wrap(pool)
                .name("orders")
                .set("leak.threshold", Duration.ofMinutes(2))
                .build();
    }
}
