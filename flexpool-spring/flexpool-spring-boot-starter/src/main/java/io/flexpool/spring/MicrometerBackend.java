// SPDX-License-Identifier: Apache-2.0
package io.flexpool.spring;

import io.flexpool.metrics.micrometer.MicrometerProvider;
import io.flexpool.monitoring.ConfigKey;
import io.flexpool.monitoring.MetricsBinder;
import io.flexpool.monitoring.MetricsProvider;
import io.flexpool.monitoring.MetricsProvider.MetricLevel;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.List;
import org.springframework.beans.factory.ObjectProvider;

/** {@code flexpool.metrics = micrometer}, into the application's own registry. */
final class MicrometerBackend implements MetricsProvider {
    static final String NAME = "micrometer";

    private final MetricsProvider global = new MicrometerProvider();
    private final OnlyBean<MeterRegistry> registry;
    private final AfterStart start;

    MicrometerBackend(ObjectProvider<MeterRegistry> registry, AfterStart start) {
        this.registry = new OnlyBean<>(registry, MeterRegistry.class, start);
        this.start = start;
    }

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public List<ConfigKey> keys() {
        return global.keys();
    }

    @Override
    public MetricsBinder create(ConfigKey.Values values) {
        // Read now, so that a wrong value is refused at once.
        MetricLevel.of(values);
        return new LateBackend(
                start,
                () -> registry.get()
                        .map(into -> MicrometerProvider.into(() -> into).create(values)),
                values.flag("histogram").orElse(false));
    }
}
