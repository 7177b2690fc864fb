// SPDX-License-Identifier: Apache-2.0
/** Shows flexpool's figures by JMX and as events of JDK Flight Recorder. */
module io.flexpool.metrics.jdk {
    requires transitive io.flexpool.core;
    requires static java.management;
    requires static jdk.jfr;
    requires org.slf4j;
    requires static org.jspecify;

    exports io.flexpool.metrics.jdk;

    provides io.flexpool.monitoring.MetricsProvider with
            io.flexpool.metrics.jdk.JmxProvider,
            io.flexpool.metrics.jdk.JfrProvider;
}
