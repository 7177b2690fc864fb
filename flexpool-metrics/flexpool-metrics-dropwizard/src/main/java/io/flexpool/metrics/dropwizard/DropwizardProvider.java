// SPDX-License-Identifier: Apache-2.0
package io.flexpool.metrics.dropwizard;

import io.flexpool.monitoring.ConfigKey;
import io.flexpool.monitoring.ConfigKey.Kind;
import io.flexpool.monitoring.MetricsBinder;
import io.flexpool.monitoring.MetricsProvider;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** {@code flexpool.metrics = dropwizard}: a registry per pool, logged or shown in JMX. */
public final class DropwizardProvider implements MetricsProvider {
    private static final ConfigKey LOG_EVERY = new ConfigKey(
            "log-every", Kind.DURATION, "no log", "from PT0.1S to PT24H", "Logs the figures periodically.");
    private static final ConfigKey JMX = new ConfigKey(
            "jmx", Kind.FLAG, "false", "true or false", "Shows the figures as MBeans; needs metrics-jmx.");

    /** Called by the service loader. */
    public DropwizardProvider() {}

    @Override
    public String name() {
        return "dropwizard";
    }

    @Override
    public List<ConfigKey> keys() {
        return List.of(LOG_EVERY, JMX);
    }

    @Override
    public MetricsBinder create(ConfigKey.Values values) {
        DropwizardMetrics metrics = DropwizardMetrics.create();
        Optional<Duration> logEvery = values.duration(LOG_EVERY.name());
        if (logEvery.isPresent()) {
            metrics = metrics.logEvery(logEvery.get());
        }
        return values.flag(JMX.name()).orElse(false) ? metrics.jmx() : metrics;
    }
}
