// SPDX-License-Identifier: Apache-2.0
package io.flexpool.micronaut;

import io.flexpool.metrics.micrometer.MicrometerMetrics;
import io.flexpool.metrics.micrometer.MicrometerProvider;
import io.flexpool.monitoring.ConfigKey;
import io.flexpool.monitoring.MetricsBinder;
import io.flexpool.monitoring.MetricsProvider;
import io.flexpool.monitoring.MetricsProvider.MetricLevel;
import io.micrometer.core.instrument.MeterRegistry;
import io.micronaut.context.BeanProvider;
import io.micronaut.context.annotation.Requires;
import jakarta.inject.Singleton;
import java.util.List;

/**
 * {@code flexpool.metrics = micrometer}, into the application's own registry: what holds where the application has one, unless that
 * key says otherwise.
 */
@Singleton
@Requires(classes = {MicrometerMetrics.class, MeterRegistry.class})
@Requires(beans = MeterRegistry.class)
final class MicrometerBackend implements MetricsProvider {
    private final MetricsProvider global = new MicrometerProvider();
    private final BeanProvider<MeterRegistry> registry;

    MicrometerBackend(BeanProvider<MeterRegistry> registry) {
        this.registry = registry;
    }

    @Override
    public String name() {
        return global.name();
    }

    @Override
    public List<ConfigKey> keys() {
        return global.keys();
    }

    @Override
    public MetricsBinder create(ConfigKey.Values values) {
        MicrometerMetrics metrics = MicrometerMetrics.into(registry.get()).level(MetricLevel.of(values));
        return values.flag("histogram").orElse(false) ? metrics.histogram() : metrics;
    }
}
