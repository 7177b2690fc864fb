// SPDX-License-Identifier: Apache-2.0
/** Divides one number of connections among the pools of many instances. */
module io.flexpool.fleet {
    requires transitive io.flexpool.core;
    requires org.slf4j;
    requires static org.jspecify;

    exports io.flexpool.fleet;
    exports io.flexpool.fleet.jdbc;

    uses io.flexpool.fleet.ConnectionBudgetProvider;

    provides io.flexpool.fleet.ConnectionBudgetProvider with
            io.flexpool.fleet.engine.LocalBudgetProvider,
            io.flexpool.fleet.jdbc.JdbcBudgetProvider;
    provides io.flexpool.spi.PoolPartProvider with
            io.flexpool.fleet.engine.FleetPartProvider;
}
