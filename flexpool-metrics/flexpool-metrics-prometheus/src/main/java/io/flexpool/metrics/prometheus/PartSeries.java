// SPDX-License-Identifier: Apache-2.0
package io.flexpool.metrics.prometheus;

import io.flexpool.metrics.prometheus.Snapshots.Family;
import io.prometheus.metrics.model.registry.MetricType;
import io.prometheus.metrics.model.registry.MultiCollector;
import io.prometheus.metrics.model.snapshots.MetricSnapshots;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * One metric of a part, for all pools with this part. Not collected with the metrics of core, because a registry takes
 * the names of a collector once, and a later pool may have a part that no pool had before.
 */
final class PartSeries implements MultiCollector {
    private final String name;
    private final Family family;
    private final List<ShownPool> pools;

    PartSeries(String name, Family family, List<ShownPool> pools) {
        this.name = name;
        this.family = family;
        this.pools = pools;
    }

    String name() {
        return name;
    }

    Family family() {
        return family;
    }

    @Override
    public MetricSnapshots collect() {
        return Snapshots.ofPart(name, pools);
    }

    @Override
    @SuppressWarnings("deprecation") // Its replacement came with 1.8 and calls this unless overridden.
    public List<String> getPrometheusNames() {
        return List.of(name);
    }

    @Override
    @SuppressWarnings("deprecation") // As above.
    public @Nullable MetricType getMetricType(String asked) {
        return asked.equals(name) ? ShownPools.type(family) : null;
    }

    @Override
    @SuppressWarnings("deprecation") // As above.
    public @Nullable Set<String> getLabelNames(String asked) {
        return asked.equals(name) ? family.labels() : null;
    }
}
