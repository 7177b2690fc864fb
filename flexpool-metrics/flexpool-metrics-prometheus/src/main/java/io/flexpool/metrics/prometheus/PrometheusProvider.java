// SPDX-License-Identifier: Apache-2.0
package io.flexpool.metrics.prometheus;

import io.flexpool.monitoring.ConfigKey;
import io.flexpool.monitoring.MetricsBinder;
import io.flexpool.monitoring.MetricsProvider;
import io.flexpool.monitoring.MetricsProvider.MetricLevel;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.util.List;

/** Shows pools in {@link PrometheusRegistry#defaultRegistry}, for {@code flexpool.metrics = prometheus}. */
public final class PrometheusProvider implements MetricsProvider {
    /** Called by the service loader. */
    public PrometheusProvider() {}

    @Override
    public String name() {
        return "prometheus";
    }

    @Override
    public List<ConfigKey> keys() {
        return List.of(MetricLevel.KEY);
    }

    @Override
    public MetricsBinder create(ConfigKey.Values values) {
        return PrometheusMetrics.into(PrometheusRegistry.defaultRegistry).level(MetricLevel.of(values));
    }
}
