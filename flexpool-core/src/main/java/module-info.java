// SPDX-License-Identifier: Apache-2.0
/** Makes the JDBC connection pool you already have observable and adaptive. */
module io.flexpool.core {
    requires transitive java.sql;
    requires static java.management;
    requires transitive java.naming;
    requires org.slf4j;
    requires static org.jspecify;

    exports io.flexpool;
    exports io.flexpool.adapter;
    exports io.flexpool.diagnostics;
    exports io.flexpool.event;
    exports io.flexpool.monitoring;
    exports io.flexpool.pool;
    exports io.flexpool.spi;
    exports io.flexpool.strategy;

    uses io.flexpool.adapter.PoolAdapterProvider;
    uses io.flexpool.monitoring.MetricsProvider;
    uses io.flexpool.spi.PoolPartProvider;

    provides io.flexpool.monitoring.MetricsProvider with
            io.flexpool.internal.log.LogBackend;
}
