// SPDX-License-Identifier: Apache-2.0
/** Exports flexpool's figures by Micrometer. */
module io.flexpool.metrics.micrometer {
    requires transitive io.flexpool.core;
    requires transitive micrometer.core;
    requires static micrometer.tracing;
    requires org.slf4j;
    requires static org.jspecify;

    exports io.flexpool.metrics.micrometer;

    provides io.flexpool.monitoring.MetricsProvider with
            io.flexpool.metrics.micrometer.MicrometerProvider;
}
