// SPDX-License-Identifier: Apache-2.0
package io.flexpool.examples.migrate;

import com.alibaba.druid.pool.DruidDataSource;
import java.sql.SQLException;

/** Druid with its own monitor: the first program of docs/how-to/migrate-druid.md. */
final class DruidMonitorBefore {
    private DruidMonitorBefore() {}

    static DruidDataSource watched(DruidDataSource pool) throws SQLException {
        pool.setName("orders");
        pool.setFilters("stat");
        pool.setRemoveAbandoned(true);
        pool.setRemoveAbandonedTimeoutMillis(300_000);
        return pool;
    }
}
