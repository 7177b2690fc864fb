// SPDX-License-Identifier: Apache-2.0
package io.flexpool.metrics.micrometer;

import io.flexpool.monitoring.MetricsProvider.MetricLevel;
import io.flexpool.monitoring.PoolMetric;
import io.flexpool.monitoring.PoolMetric.Kind;
import io.flexpool.pool.AcquisitionOutcome;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.Timer;
import io.micrometer.core.instrument.composite.CompositeMeterRegistry;
import io.micrometer.core.instrument.distribution.HistogramSnapshot;
import java.util.Collections;
import java.util.Set;
import java.util.TreeSet;
import java.util.WeakHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Detects whether a registry's filters request percentiles, buckets or SLOs of a function timer, which has none. A
 * registry does not expose its filters, but a real timer shows their effect: one is registered under the same id,
 * inspected and removed, before any other meter of flexpool. Each registry is probed once, with its first pool, because
 * a real timer must never coexist with a function timer of the same name.
 *
 * <p>Not thread-safe: called with the lock of {@link MicrometerMetrics} held.
 */
final class FilterProbe {
    private static final Logger LOG = LoggerFactory.getLogger(MicrometerMetrics.class);
    private static final Set<MeterRegistry> ASKED = Collections.newSetFromMap(new WeakHashMap<>());

    private FilterProbe() {}

    /** Logs a warning if a filter requests them. */
    static void warnOfUnsupported(MeterRegistry registry, boolean perCall, MetricLevel level) {
        if (!ASKED.add(registry)) {
            return;
        }
        Set<String> inVain = new TreeSet<>();
        for (PoolMetric metric : PoolMetric.values()) {
            // Class metrics are covered by those of the pool.
            boolean asks = metric.kind() == Kind.TIMER && level.shows(metric) && !metric.perClass();
            boolean recorded = perCall && CallTimers.records(metric);
            if (asks && !recorded && asked(registry, metric)) {
                inVain.add(metric.conventionName());
            }
        }
        if (!inVain.isEmpty()) {
            LOG.warn(
                    "A MeterFilter configures percentiles, a histogram or SLOs for {}. These meters are read-only and cannot"
                            + " have them. {} The percentiles of the last minute are in the gauges <name>.recent.",
                    inVain,
                    perCall
                            ? "Only acquisition and lease times can be real timers."
                            : "For acquisition and lease times, set flexpool.metrics.micrometer.histogram = true.");
        }
    }

    private static boolean asked(MeterRegistry registry, PoolMetric metric) {
        Tags tags = Tags.of(RegisteredMeters.POOL, "probe");
        if (metric == PoolMetric.ACQUISITION) {
            tags = tags.and("outcome", AcquisitionOutcome.OK.label());
        }
        if (!registry.find(metric.conventionName()).meters().isEmpty()) {
            return false;
        }
        Set<Meter> theirs = RegisteredMeters.present(registry);
        Timer probe;
        try {
            probe = Timer.builder(metric.conventionName()).tags(tags).register(registry);
        } catch (IllegalArgumentException notHere) {
            return false;
        }
        if (theirs.contains(probe)) {
            return false;
        }
        try {
            return distributes(registry, probe.getId().getName());
        } finally {
            registry.remove(probe);
        }
    }

    private static boolean distributes(MeterRegistry registry, String name) {
        if (registry instanceof CompositeMeterRegistry composite) {
            return composite.getRegistries().stream().anyMatch(part -> distributes(part, name));
        }
        for (Timer timer : registry.find(name).timers()) {
            HistogramSnapshot shown = timer.takeSnapshot();
            if (shown.percentileValues().length > 0 || shown.histogramCounts().length > 0) {
                return true;
            }
        }
        return false;
    }
}
