// SPDX-License-Identifier: Apache-2.0
/** Writes flexpool's figures into the log. */
module io.flexpool.metrics.slf4j {
    requires transitive io.flexpool.core;
    requires org.slf4j;
    requires static org.jspecify;

    exports io.flexpool.metrics.slf4j;

    provides io.flexpool.monitoring.MetricsProvider with
            io.flexpool.metrics.slf4j.Slf4jProvider;
}
