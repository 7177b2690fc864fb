// SPDX-License-Identifier: Apache-2.0
package io.flexpool.metrics.jdk;

import io.flexpool.pool.ConfigKey;
import io.flexpool.pool.ConfigValues;
import io.flexpool.pool.MetricsBinder;
import io.flexpool.pool.MetricsProvider;
import java.util.List;

/** {@code flexpool.metrics = jfr}: Flight Recorder events; what is recorded is said where a recording is started. */
public final class JfrProvider implements MetricsProvider {
    /** Made by the service loader. */
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
    public MetricsBinder create(ConfigValues values) {
        return JfrEvents.create();
    }
}
