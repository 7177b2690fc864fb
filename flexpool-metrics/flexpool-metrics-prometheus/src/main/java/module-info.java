// SPDX-License-Identifier: Apache-2.0
/** Exports flexpool's figures by Prometheus' client. */
module io.flexpool.metrics.prometheus {
    requires transitive io.flexpool.core;
    requires transitive io.prometheus.metrics.model;
    requires org.slf4j;
    requires static org.jspecify;

    exports io.flexpool.metrics.prometheus;

    provides io.flexpool.monitoring.MetricsProvider with
            io.flexpool.metrics.prometheus.PrometheusProvider;
}
