// SPDX-License-Identifier: Apache-2.0
package io.flexpool.micronaut;

import io.flexpool.metrics.micrometer.MicrometerMetrics;
import io.flexpool.metrics.micrometer.MicrometerProvider;
import io.flexpool.monitoring.MetricsProvider;
import io.micrometer.core.instrument.MeterRegistry;
import io.micronaut.context.BeanProvider;
import io.micronaut.context.annotation.Factory;
import io.micronaut.context.annotation.Requires;
import jakarta.inject.Singleton;

/**
 * {@code flexpool.metrics = micrometer}, into the application's own registry if it has one: the backend of each pool, unless that key
 * names others.
 */
@Factory
@Requires(classes = {MicrometerMetrics.class, MeterRegistry.class})
@Requires(beans = MeterRegistry.class)
final class MicrometerBackend {
    @Singleton
    MetricsProvider flexPoolMicrometer(BeanProvider<MeterRegistry> registry) {
        return MicrometerProvider.into(registry::get);
    }
}
