// SPDX-License-Identifier: Apache-2.0
package io.flexpool.metrics.dropwizard;

import com.codahale.metrics.Metric;
import com.codahale.metrics.MetricFilter;
import com.codahale.metrics.MetricRegistry;
import io.flexpool.spi.UniqueNames;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Predicate;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One pool's metrics in a registry, all under one unique prefix. As a filter it matches exactly these metrics: a prefix
 * would also match the pool {@code orders.eu} for {@code orders}.
 */
final class RegisteredMetrics implements MetricFilter {
    private static final Logger LOG = LoggerFactory.getLogger(DropwizardMetrics.class);

    private final MetricRegistry registry;
    private final Map<String, Metric> byName;

    private RegisteredMetrics(MetricRegistry registry, Map<String, Metric> byName) {
        this.registry = registry;
        this.byName = byName;
    }

    /**
     * Registers under {@code flexpool.<pool>}, or the first of {@code flexpool.<pool>#2}, {@code #3}… that is free.
     *
     * @param free whether a prefix is free outside the registry
     */
    static RegisteredMetrics register(
            MetricRegistry registry, String pool, Map<String, Metric> byShortName, Predicate<String> free) {
        return UniqueNames.first(pool, shown -> {
            String prefix = MetricRegistry.name("flexpool", shown);
            if (!free.test(prefix)) {
                return null;
            }
            Map<String, Metric> byName = new LinkedHashMap<>();
            byShortName.forEach((name, metric) -> byName.put(MetricRegistry.name(prefix, name), metric));
            RegisteredMetrics metrics = new RegisteredMetrics(registry, byName);
            if (!metrics.registerAll()) {
                return null;
            }
            if (!shown.equals(pool)) {
                LOG.warn(
                        "{}: another pool has this name; the metrics of this pool have the prefix {}. Give each pool its own name.",
                        pool,
                        prefix);
            }
            return metrics;
        });
    }

    /** All or nothing. */
    private boolean registerAll() {
        for (Map.Entry<String, Metric> entry : byName.entrySet()) {
            try {
                registry.register(entry.getKey(), entry.getValue());
            } catch (IllegalArgumentException taken) {
                remove();
                return false;
            }
        }
        return true;
    }

    /** Removes these metrics, except one that the application has replaced under the same name. */
    void remove() {
        Map<String, Metric> present = registry.getMetrics();
        byName.forEach((name, metric) -> {
            if (present.get(name) == metric) {
                registry.remove(name);
            }
        });
    }

    /** The metrics by their whole name; unmodifiable. */
    Map<String, Metric> byName() {
        return Collections.unmodifiableMap(byName);
    }

    @Override
    public boolean matches(String name, Metric metric) {
        return byName.get(name) == metric;
    }
}
