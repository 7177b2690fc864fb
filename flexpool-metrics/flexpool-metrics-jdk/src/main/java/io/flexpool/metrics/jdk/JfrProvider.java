// SPDX-License-Identifier: Apache-2.0
package io.flexpool.metrics.jdk;

import io.flexpool.monitoring.ConfigKey;
import io.flexpool.monitoring.MetricsBinder;
import io.flexpool.monitoring.MetricsProvider;
import java.util.List;

/** {@code flexpool.metrics = jfr}: Flight Recorder events; each recording's settings select what is recorded. */
public final class JfrProvider implements MetricsProvider {
    /** Called by the service loader. */
    public JfrProvider() {}

    @Override
    public String name() {
        return "jfr";
    }

    @Override
    public List<ConfigKey> keys() {
        return List.of();
    }

    @Override
    public MetricsBinder create(ConfigKey.Values values) {
        return JfrEvents.create();
    }
}
