// SPDX-License-Identifier: Apache-2.0
package io.flexpool.metrics.prometheus;

import io.flexpool.metrics.prometheus.Snapshots.Family;
import io.flexpool.monitoring.MetricsProvider.MetricLevel;
import io.flexpool.monitoring.PartView;
import io.flexpool.monitoring.PartView.PartMetric;
import io.flexpool.monitoring.PoolView;
import io.flexpool.spi.UniqueNames;
import io.prometheus.metrics.model.registry.MetricType;
import io.prometheus.metrics.model.registry.MultiCollector;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import io.prometheus.metrics.model.snapshots.MetricSnapshots;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.WeakHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * All pools in one registry. A registry accepts one collector per metric, which collects all pools; so they share one,
 * registered with the first pool and removed with the last.
 */
final class ShownPools implements MultiCollector {
    private static final Logger LOG = LoggerFactory.getLogger(PrometheusMetrics.class);
    private static final ReentrantLock LOCK = new ReentrantLock();
    private static final Map<PrometheusRegistry, ShownPools> BY_REGISTRY = new WeakHashMap<>();

    private final List<ShownPool> pools = new CopyOnWriteArrayList<>();
    /** The metrics of parts by name; guarded by the lock. */
    private final Map<String, PartSeries> ofParts = new HashMap<>();

    private ShownPools() {}

    /** Shows a pool under its name, or the first free one of {@code name#2}, {@code #3}…. */
    static ShownPool add(PrometheusRegistry registry, PoolView pool, MetricLevel level, ClassicBounds bounds) {
        LOCK.lock();
        try {
            ShownPools shown = BY_REGISTRY.get(registry);
            String name = shown == null ? pool.name() : shown.freeName(pool.name());
            ShownPool added = new ShownPool(name, pool, level, bounds);
            if (shown == null) {
                shown = registered(registry);
            }
            shown.addParts(registry, pool, added);
            shown.pools.add(added);
            if (!name.equals(pool.name())) {
                LOG.warn(
                        "{}: another pool has this name; the metrics of this pool have pool=\"{}\". Give each pool its own name.",
                        pool.name(),
                        name);
            }
            return added;
        } finally {
            LOCK.unlock();
        }
    }

    /**
     * Checks first: Micrometer's collectors do not declare their names when they register, and two metrics of one name
     * make every scrape fail; and a registry that refuses keeps the names registered before the conflicting one.
     */
    private static ShownPools registered(PrometheusRegistry registry) {
        Set<String> names = Snapshots.FAMILIES.keySet();
        MetricSnapshots there = registry.scrape(names::contains);
        if (there.size() > 0) {
            throw taken(there.get(0).getMetadata().getPrometheusName(), null);
        }
        ShownPools shown = new ShownPools();
        try {
            registry.register(shown);
        } catch (IllegalArgumentException | IllegalStateException refused) {
            // The names of newer and of older registries: of a metric without values yet.
            throw taken(String.valueOf(refused.getMessage()), refused);
        }
        BY_REGISTRY.put(registry, shown);
        return shown;
    }

    /**
     * Adds the metrics of parts. Omits a metric that conflicts with another, because it would make every scrape fail.
     */
    private void addParts(PrometheusRegistry registry, PoolView pool, ShownPool added) {
        for (PartView part : pool.parts()) {
            for (PartMetric metric : part.metrics()) {
                String name = Snapshots.name(metric);
                if (!added.shows(name) && hasPlace(registry, name, metric)) {
                    added.show(metric);
                } else {
                    LOG.warn(
                            "{}: the metric {} of the part {} is not shown, because the Prometheus registry"
                                    + " has another metric of this name or refuses it",
                            pool.name(),
                            name,
                            part.name());
                }
            }
        }
    }

    private boolean hasPlace(PrometheusRegistry registry, String name, PartMetric metric) {
        Family family = Snapshots.family(metric);
        Family ofCore = Snapshots.FAMILIES.get(name);
        if (ofCore != null) {
            return ofCore.equals(family);
        }
        PartSeries there = ofParts.get(name);
        if (there != null) {
            return there.family().equals(family);
        }
        if (!Snapshots.accepted(metric) || registry.scrape(name::equals).size() > 0) {
            return false;
        }
        PartSeries series = new PartSeries(name, family, pools);
        try {
            registry.register(series);
        } catch (IllegalArgumentException | IllegalStateException refused) {
            return false;
        }
        ofParts.put(name, series);
        return true;
    }

    private void removeParts(PrometheusRegistry registry) {
        ofParts.values().removeIf(series -> {
            boolean unused = pools.stream().noneMatch(pool -> pool.shows(series.name()));
            if (unused) {
                registry.unregister(series);
            }
            return unused;
        });
    }

    private static IllegalStateException taken(String what, @Nullable RuntimeException cause) {
        return new IllegalStateException(
                "the Prometheus registry already has " + what
                        + "; it belongs to flexpool's Micrometer binder, to flexpool in another class loader, or to"
                        + " the application. Use a separate registry for this pool.",
                cause);
    }

    /** A pool no longer shown is never read again. Removing twice has no effect. */
    static void remove(PrometheusRegistry registry, ShownPool pool) {
        LOCK.lock();
        try {
            ShownPools shown = BY_REGISTRY.get(registry);
            if (shown != null && shown.pools.remove(pool)) {
                shown.removeParts(registry);
                if (shown.pools.isEmpty()) {
                    registry.unregister(shown);
                    BY_REGISTRY.remove(registry);
                }
            }
        } finally {
            LOCK.unlock();
        }
    }

    private String freeName(String wanted) {
        List<String> taken = pools.stream().map(ShownPool::name).toList();
        return UniqueNames.first(wanted, name -> taken.contains(name) ? null : name);
    }

    @Override
    public MetricSnapshots collect() {
        return Snapshots.of(pools);
    }

    /** Declared up front, so that the registry refuses at once what would make every scrape fail. */
    @Override
    @SuppressWarnings("deprecation") // Its replacement came with 1.8 and calls this unless overridden.
    public List<String> getPrometheusNames() {
        return List.copyOf(Snapshots.FAMILIES.keySet());
    }

    /**
     * Newer registries (seen: 1.8.0, not 1.4.1) accept several metrics of one name if they declare one type and
     * different labels; collectors that declare nothing are always accepted.
     */
    @Override
    @SuppressWarnings("deprecation") // As above.
    public @Nullable MetricType getMetricType(String name) {
        Family family = Snapshots.FAMILIES.get(name);
        return family == null ? null : type(family);
    }

    static MetricType type(Family family) {
        return switch (family.type()) {
            case HISTOGRAM -> MetricType.HISTOGRAM;
            case GAUGE -> MetricType.GAUGE;
            case COUNTER -> MetricType.COUNTER;
        };
    }

    @Override
    @SuppressWarnings("deprecation") // As above.
    public @Nullable Set<String> getLabelNames(String name) {
        Family family = Snapshots.FAMILIES.get(name);
        return family == null ? null : family.labels();
    }
}
