// SPDX-License-Identifier: Apache-2.0
package io.flexpool.dropwizard;

import com.codahale.metrics.MetricRegistry;
import io.flexpool.metrics.dropwizard.DropwizardMetrics;
import io.flexpool.metrics.dropwizard.DropwizardProvider;
import io.flexpool.monitoring.ConfigKey;
import io.flexpool.monitoring.MetricsBinder;
import io.flexpool.monitoring.MetricsProvider;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** {@code flexpool.metrics = dropwizard}, into the application's own registry: what holds unless that key says otherwise. */
final class RegistryBackend implements MetricsProvider {
    private final MetricsProvider ownRegistry = new DropwizardProvider();
    private final MetricRegistry registry;

    RegistryBackend(MetricRegistry registry) {
        this.registry = registry;
    }

    @Override
    public String name() {
        return ownRegistry.name();
    }

    @Override
    public List<ConfigKey> keys() {
        return ownRegistry.keys();
    }

    @Override
    public MetricsBinder create(ConfigKey.Values values) {
        DropwizardMetrics metrics = DropwizardMetrics.into(registry);
        Optional<Duration> logEvery = values.duration("log-every");
        if (logEvery.isPresent()) {
            metrics = metrics.logEvery(logEvery.get());
        }
        return values.flag("jmx").orElse(false) ? metrics.jmx() : metrics;
    }
}
