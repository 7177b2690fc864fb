// SPDX-License-Identifier: Apache-2.0
package io.flexpool.metrics.prometheus;

import io.flexpool.monitoring.MetricsBinder;
import io.flexpool.monitoring.MetricsProvider.MetricLevel;
import io.flexpool.monitoring.PoolView;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Shows pools to the Prometheus Java client 1.x, under the names of
 * {@link io.flexpool.monitoring.PoolMetric#conventionName()} with Prometheus' suffixes and the label {@code pool};
 * acquisitions also have the label {@code outcome}. Names and labels are the same as flexpool's in Micrometer's
 * Prometheus registry.
 *
 * <pre>{@code
 * FlexPool.wrap(hikari).name("orders").metrics(PrometheusMetrics.into(PrometheusRegistry.defaultRegistry)).build();
 * }</pre>
 *
 * <p>Everything is read when Prometheus scrapes and costs nothing per connection. Durations are native and classic
 * histograms at once: the native buckets (schema 3) are flexpool's buckets, count by count; each classic bound is a
 * bound of flexpool's, so the classic counts are exact too. Each duration has gauges {@code …_recent} with the label
 * {@code quantile} (0.95, and 1, which is the maximum; 0.5 and 0.99 too at {@link MetricLevel#ALL}) of the last minute.
 * Omits figures that a pool does not report, recent figures of a minute without events, and outcomes that have not
 * happened. By default the essential figures are shown, see {@link #level}.
 *
 * <p>A second pool with the same name in a registry is shown as {@code <name>#2} (and so on), which is logged once.
 * When the last pool is closed, nothing of flexpool remains in the registry.
 *
 * <p>Immutable and thread-safe; one instance may serve many pools.
 */
public final class PrometheusMetrics implements MetricsBinder {
    private final PrometheusRegistry registry;
    /** Null for the bounds of the level. */
    private final @Nullable ClassicBounds bounds;

    private final MetricLevel level;

    private PrometheusMetrics(PrometheusRegistry registry, @Nullable ClassicBounds bounds, MetricLevel level) {
        this.registry = registry;
        this.bounds = bounds;
        this.level = level;
    }

    /**
     * Shows pools in a registry of the application.
     *
     * @param registry the registry; only flexpool's metrics are touched
     * @return a binder for any number of pools
     */
    public static PrometheusMetrics into(PrometheusRegistry registry) {
        return new PrometheusMetrics(Objects.requireNonNull(registry, "registry"), null, MetricLevel.ESSENTIAL);
    }

    /**
     * Gives the bounds of classic histograms. By default there are none: text formats then have only count and sum.
     * {@link MetricLevel#ALL} uses the powers of two from 1/4096 s to 32 s.
     *
     * @param classicBounds 1 to 50 durations from 1 µs to 24 hours; each is raised to flexpool's next bound, 2^(n/8) s,
     *     by less than 9.1 %. Equal bounds are merged
     * @return the same binder with these bounds
     * @throws IllegalArgumentException if there are no bounds, too many, or a bound is out of range
     */
    public PrometheusMetrics classicBounds(Duration... classicBounds) {
        return new PrometheusMetrics(registry, ClassicBounds.of(List.of(classicBounds)), level);
    }

    /**
     * Shows more figures, or fewer.
     *
     * @param shown by default {@link MetricLevel#ESSENTIAL}: at most 44 lines of a pool
     * @return the same binder with this level
     */
    public PrometheusMetrics level(MetricLevel shown) {
        return new PrometheusMetrics(registry, bounds, Objects.requireNonNull(shown, "level"));
    }

    /**
     * The registry that the pools are shown in.
     *
     * @return the given registry
     */
    public PrometheusRegistry registry() {
        return registry;
    }

    /**
     * Starts to show a pool. Thread-safe.
     *
     * @param pool the pool to read
     * @return a binding that ends it; further calls have no effect
     * @throws IllegalStateException if the registry already has metrics of the same names: of flexpool through
     *     Micrometer, or of a flexpool in another class loader
     */
    @Override
    public Binding bind(PoolView pool) {
        ShownPool shown = ShownPools.add(registry, pool, level, bounds != null ? bounds : ClassicBounds.of(level));
        return () -> ShownPools.remove(registry, shown);
    }
}
