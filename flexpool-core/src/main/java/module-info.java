// SPDX-License-Identifier: Apache-2.0
/** Makes the JDBC connection pool you already have observable and adaptive. */
@SuppressWarnings("module") // those to which a package is exported are compiled later
module io.flexpool.core {
    requires transitive java.sql;
    requires static java.management;
    requires java.naming;
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
    exports io.flexpool.internal.shared to
            io.flexpool.advisor,
            io.flexpool.cli,
            io.flexpool.dropwizard,
            io.flexpool.fleet,
            io.flexpool.fleet.redis,
            io.flexpool.hibernate,
            io.flexpool.junit5,
            io.flexpool.metrics.dropwizard,
            io.flexpool.metrics.jdk,
            io.flexpool.metrics.micrometer,
            io.flexpool.metrics.opentelemetry,
            io.flexpool.metrics.prometheus,
            io.flexpool.metrics.slf4j,
            io.flexpool.micronaut,
            io.flexpool.quarkus,
            io.flexpool.server,
            io.flexpool.spring,
            io.flexpool.tomcat;

    uses io.flexpool.adapter.PoolAdapterProvider;
    uses io.flexpool.monitoring.MetricsProvider;
    uses io.flexpool.spi.PoolPartProvider;
}
