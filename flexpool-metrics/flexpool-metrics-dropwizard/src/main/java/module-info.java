// SPDX-License-Identifier: Apache-2.0
/** Exports flexpool's figures by Dropwizard Metrics. */
module io.flexpool.metrics.dropwizard {
    requires transitive io.flexpool.core;
    requires static java.management;
    requires transitive com.codahale.metrics;
    requires static com.codahale.metrics.jmx;
    requires org.slf4j;
    requires static org.jspecify;

    exports io.flexpool.metrics.dropwizard;

    provides io.flexpool.monitoring.MetricsProvider with
            io.flexpool.metrics.dropwizard.DropwizardProvider;
}
