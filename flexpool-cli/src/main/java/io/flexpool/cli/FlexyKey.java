// SPDX-License-Identifier: Apache-2.0
package io.flexpool.cli;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The keys of {@code flexy-pool.properties} in FlexyPool 3.1.1, in the order of the report. The constants have the
 * names of its {@code PropertyLoader.PropertyKey}; a test compares both lists.
 */
enum FlexyKey {
    DATA_SOURCE_UNIQUE_NAME("data.source.unique.name"),
    DATA_SOURCE_JNDI_NAME("data.source.jndi.name"),
    DATA_SOURCE_JNDI_LAZY_LOOKUP("data.source.jndi.lazy.lookup"),
    DATA_SOURCE_CLASS_NAME("data.source.class.name"),
    /** A prefix of the data source's properties, which include its password. */
    DATA_SOURCE_PROPERTY("data.source.property."),
    POOL_ADAPTER_FACTORY("adapter.factory"),
    POOL_METRICS_FACTORY("metrics.factory"),
    POOL_CONNECTION_PROXY_FACTORY("connection.proxy.factory"),
    POOL_METRICS_REPORTER_LOG_MILLIS("metrics.reporter.log.millis"),
    POOL_METRICS_REPORTER_JMX_ENABLE("metrics.reporter.jmx.enable"),
    POOL_METRICS_REPORTER_JMX_AUTO_START("metrics.reporter.jmx.auto.start"),
    POOL_METRICS_NAMING_STRATEGY("metrics.naming.strategy"),
    POOL_STRATEGIES_FACTORY_RESOLVER("strategies.factory.resolver"),
    POOL_EVENT_LISTENER_RESOLVER("event.listener.resolver"),
    POOL_TIME_THRESHOLD_CONNECTION_ACQUISITION("time.threshold.connection.acquisition"),
    POOL_TIME_THRESHOLD_CONNECTION_LEASE("time.threshold.connection.lease"),
    POOL_MAINTAIN_FIXED_SIZE_POOL("maintain.fixed.size.pool");

    private final String key;

    FlexyKey(String rest) {
        this.key = "flexy.pool." + rest;
    }

    /** {@return the key, or a prefix that ends with a full stop} */
    String key() {
        return key;
    }

    boolean isPrefix() {
        return key.endsWith(".");
    }

    /** The key of a property; null if FlexyPool does not have it. */
    static @Nullable FlexyKey of(String written) {
        return Arrays.stream(values())
                .filter(one -> one.isPrefix() ? written.startsWith(one.key) : written.equals(one.key))
                .findFirst()
                .orElse(null);
    }
}
