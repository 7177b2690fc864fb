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
 * The backend {@code flexpool.metrics = micrometer}, with the application's registry if it has one. It is the default
 * of each pool, unless the key names other backends.
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
