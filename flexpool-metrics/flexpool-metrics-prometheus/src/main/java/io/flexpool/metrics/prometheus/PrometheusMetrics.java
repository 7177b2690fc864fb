// SPDX-License-Identifier: Apache-2.0
package io.flexpool.metrics.prometheus;

import io.flexpool.monitoring.MetricsBinder;
import io.flexpool.monitoring.PoolView;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.time.Duration;
import java.util.List;
import java.util.Objects;

/**
 * Shows pools to the Prometheus Java client 1.x, under the names of
 * {@link io.flexpool.monitoring.PoolMetric#conventionName()} with Prometheus' suffixes and the label {@code pool};
 * acquisitions also have the label {@code outcome}. They are the names and labels that flexpool has in Micrometer's
 * Prometheus registry.
 *
 * <pre>{@code
 * FlexPool.wrap(hikari).name("orders").metrics(PrometheusMetrics.into(PrometheusRegistry.defaultRegistry)).build();
 * }</pre>
 *
 * <p>Everything is read when Prometheus scrapes and costs nothing per connection. Durations are histograms, native and
 * classic at once: the native buckets (schema 3) are flexpool's own, count by count; each classic bound is a bound of
 * flexpool's, so that the classic counts are exact too. Beside each stand gauges {@code …_recent} with the label
 * {@code quantile} (0.5, 0.95, 0.99, and 1, which is the maximum) of the last minute. What a pool does not tell, and a
 * recent figure of a minute in which nothing happened, is left out.
 *
 * <p>A second pool of one name in one registry is shown as {@code <name>#2} (and so on), which the log says once. When
 * the last pool is closed, nothing of flexpool is left in the registry.
 *
 * <p>Immutable and thread-safe; one instance may serve many pools.
 */
public final class PrometheusMetrics implements MetricsBinder {
    private final PrometheusRegistry registry;
    private final ClassicBounds bounds;

    private PrometheusMetrics(PrometheusRegistry registry, ClassicBounds bounds) {
        this.registry = registry;
        this.bounds = bounds;
    }

    /**
     * Shows pools in a registry of the application's.
     *
     * @param registry where to register; nothing else in it is touched
     * @return a binder for any number of pools
     */
    public static PrometheusMetrics into(PrometheusRegistry registry) {
        return new PrometheusMetrics(Objects.requireNonNull(registry, "registry"), ClassicBounds.DEFAULT);
    }

    /**
     * Gives the classic histograms other bounds than the powers of two from 1/4096 s to 32 s.
     *
     * @param classicBounds 1 to 50 durations from 1 µs to 24 hours; each is moved up to the next of flexpool's own
     *     bounds, 2^(n/8) s, by less than 9.1 %. What is the same then is one
     * @return the same binder with these bounds
     * @throws IllegalArgumentException if there are none, too many, or one is out of range
     */
    public PrometheusMetrics classicBounds(Duration... classicBounds) {
        return new PrometheusMetrics(registry, ClassicBounds.of(List.of(classicBounds)));
    }

    /**
     * Where pools are shown.
     *
     * @return the registry given
     */
    public PrometheusRegistry registry() {
        return registry;
    }

    /**
     * Begins to show a pool. Thread-safe.
     *
     * @param pool what to read
     * @return ends it; may be called again without effect
     * @throws IllegalStateException if somebody else shows metrics of the same names in this registry: flexpool through
     *     Micrometer, or a flexpool of another class loader
     */
    @Override
    public Binding bind(PoolView pool) {
        ShownPool shown = ShownPools.add(registry, pool, bounds);
        return () -> ShownPools.remove(registry, shown);
    }
}
