// SPDX-License-Identifier: Apache-2.0
package io.flexpool.metrics.dropwizard;

import com.codahale.metrics.MetricRegistry;
import io.flexpool.monitoring.ConfigKey;
import io.flexpool.monitoring.ConfigKey.Kind;
import io.flexpool.monitoring.MetricsBinder;
import io.flexpool.monitoring.MetricsProvider;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** {@code flexpool.metrics = dropwizard}: a registry per pool, logged or shown in JMX. */
public final class DropwizardProvider implements MetricsProvider {
    private static final ConfigKey LOG_EVERY = new ConfigKey(
            "log-every", Kind.DURATION, "no log", "from PT0.1S to PT24H", "Logs the figures periodically.");
    private static final ConfigKey JMX = new ConfigKey(
            "jmx", Kind.FLAG, "false", "true or false", "Shows the figures as MBeans; needs metrics-jmx.");

    /** Null for a registry per pool. A supplier, so that the class can be read without the library. */
    private final @Nullable Supplier<? extends MetricRegistry> registry;

    /** Called by the service loader. */
    public DropwizardProvider() {
        this(null);
    }

    private DropwizardProvider(@Nullable Supplier<? extends MetricRegistry> registry) {
        this.registry = registry;
    }

    /**
     * A provider for a registry of the application, for frameworks.
     *
     * @param registry requested when a pool is built
     * @return a provider with the same keys
     */
    public static MetricsProvider into(Supplier<? extends MetricRegistry> registry) {
        Objects.requireNonNull(registry, "registry is null");
        return new DropwizardProvider(registry);
    }

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
        DropwizardMetrics made = registry == null ? DropwizardMetrics.create() : DropwizardMetrics.into(registry.get());
        Optional<Duration> logEvery = values.duration(LOG_EVERY.name());
        if (logEvery.isPresent()) {
            made = made.logEvery(logEvery.get());
        }
        return values.flag(JMX.name()).orElse(false) ? made.jmx() : made;
    }
}
