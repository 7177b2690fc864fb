// SPDX-License-Identifier: Apache-2.0
package io.flexpool.metrics.jdk;

import io.flexpool.monitoring.ConfigKey;
import io.flexpool.monitoring.MetricsBinder;
import io.flexpool.monitoring.MetricsProvider;
import java.util.List;

/** {@code flexpool.metrics = jmx}: one MBean per pool in the platform's MBean server. */
public final class JmxProvider implements MetricsProvider {
    /** Called by the service loader. */
    public JmxProvider() {}

    @Override
    public String name() {
        return "jmx";
    }

    @Override
    public List<ConfigKey> keys() {
        return List.of();
    }

    @Override
    public MetricsBinder create(ConfigKey.Values values) {
        return JmxMetrics.create();
    }
}
