// SPDX-License-Identifier: Apache-2.0
/** Exports flexpool's figures by OpenTelemetry. */
module io.flexpool.metrics.opentelemetry {
    requires transitive io.flexpool.core;
    requires transitive io.opentelemetry.api;
    requires static io.opentelemetry.sdk.common;
    requires static io.opentelemetry.sdk.metrics;
    requires org.slf4j;
    requires static org.jspecify;

    exports io.flexpool.metrics.opentelemetry;

    provides io.flexpool.monitoring.MetricsProvider with
            io.flexpool.metrics.opentelemetry.OpenTelemetryProvider;
}
