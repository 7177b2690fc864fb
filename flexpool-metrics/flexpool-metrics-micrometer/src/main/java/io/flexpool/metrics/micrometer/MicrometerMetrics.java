// SPDX-License-Identifier: Apache-2.0
package io.flexpool.metrics.micrometer;

import io.flexpool.event.PoolListener;
import io.flexpool.monitoring.LeaseObserver;
import io.flexpool.monitoring.MetricsBinder;
import io.flexpool.monitoring.MetricsProvider.MetricLevel;
import io.flexpool.monitoring.PoolView;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Metrics;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Shows pools in a Micrometer {@link MeterRegistry}, under the names of
 * {@link io.flexpool.monitoring.PoolMetric#conventionName()} with the tag {@code pool}; acquisitions also have the tag
 * {@code outcome}. Durations are seconds.
 *
 * <pre>{@code
 * FlexPool.wrap(hikari).name("orders").metrics(MicrometerMetrics.into(registry)).build();
 * FlexPool.wrap(hikari).name("orders").metrics(MicrometerMetrics.into(registry).histogram()).build();
 * }</pre>
 *
 * <p>By default the essential figures are shown, see {@link #level}. A figure that a pool cannot have is never shown.
 * An outcome of acquisitions other than {@code ok} is shown after the first acquisition with this outcome; {@code
 * interrupted} and {@code error} after the next reading.
 *
 * <p>All meters read flexpool's own figures and cost nothing per connection: gauges, function counters, and function
 * timers with count and sum since the pool was wrapped. The gauges {@code <name>.recent} show the last minute. Their
 * tag {@code quantile} is 0.95 or 1, the maximum; at {@link MetricLevel#ALL} also 0.5 or 0.99. All figures read
 * within 100 ms come from one reading of the pool. A gauge that the pool does not report, and a recent figure of a minute
 * without events, is NaN.
 *
 * <p>Micrometer provides no percentiles, buckets or SLOs for a function timer, even if a {@link
 * io.micrometer.core.instrument.config.MeterFilter} requests them; such a filter is logged once. With {@link
 * #histogram()} acquisition and lease times are real timers, which record every call.
 *
 * <p>A second pool of one name in one registry is shown as {@code <name>#2} (and so on), which is logged once. The same
 * holds for a pool if other meters with flexpool's names already have its name as the tag. When the pool is closed,
 * exactly its meters are removed. If a filter removes the tag {@code pool}, only one pool is visible, which is logged
 * too.
 *
 * <p>Immutable and thread-safe; one instance may serve many pools.
 */
public final class MicrometerMetrics implements MetricsBinder {
    /** Two pools bound at once could both find a name free. */
    private static final ReentrantLock ONE_AT_A_TIME = new ReentrantLock();

    private final MeterRegistry registry;
    private final boolean histogram;
    private final MetricLevel level;

    private MicrometerMetrics(MeterRegistry registry, boolean histogram, MetricLevel level) {
        this.registry = registry;
        this.histogram = histogram;
        this.level = level;
    }

    /**
     * Shows pools in the application's registry.
     *
     * @param registry the registry, also a composite; only flexpool's meters are touched
     * @return a binder for any number of pools
     */
    public static MicrometerMetrics into(MeterRegistry registry) {
        return new MicrometerMetrics(Objects.requireNonNull(registry, "registry"), false, MetricLevel.ESSENTIAL);
    }

    /** A method here, because the provider's class must be loadable without Micrometer's classes. */
    static MicrometerMetrics global() {
        return into(Metrics.globalRegistry);
    }

    /**
     * Makes acquisition and lease times real timers, so that percentile histograms, percentiles and SLOs requested by
     * the application's filters work. Names, tags, count and sum are the same as without. Costs two recordings of a
     * Micrometer timer per lease.
     *
     * <p>A registry must not mix timers and function timers of one name: a scrape of Prometheus would fail. So the
     * first pool in a registry decides for all others in it; a pool configured otherwise follows, which is logged.
     *
     * @return the same binder with real timers
     */
    public MicrometerMetrics histogram() {
        return new MicrometerMetrics(registry, true, level);
    }

    /**
     * Shows more figures, or fewer.
     *
     * @param shown by default {@link MetricLevel#ESSENTIAL}: at most 44 series of a pool
     * @return the same binder with this level
     */
    public MicrometerMetrics level(MetricLevel shown) {
        return new MicrometerMetrics(registry, histogram, Objects.requireNonNull(shown, "level"));
    }

    /**
     * The registry that the meters are registered in.
     *
     * @return the given registry
     */
    public MeterRegistry registry() {
        return registry;
    }

    /**
     * Registers a pool's figures. Thread-safe.
     *
     * @param pool the pool to read
     * @return the binding; its {@code unbind} removes exactly these meters, and a second call has no effect
     */
    @Override
    public Binding bind(PoolView pool) {
        ONE_AT_A_TIME.lock();
        try {
            return new Bound(PoolMeters.register(registry, histogram, level, pool));
        } finally {
            ONE_AT_A_TIME.unlock();
        }
    }

    /** Micrometer references the objects behind its meters weakly; this reference keeps them. */
    private static final class Bound implements Binding {
        private final AtomicBoolean unbound = new AtomicBoolean();
        private final PoolMeters meters;

        Bound(PoolMeters meters) {
            this.meters = meters;
        }

        @Override
        public LeaseObserver observer() {
            return meters.observer();
        }

        @Override
        public @Nullable PoolListener listener() {
            return meters.listener();
        }

        @Override
        public void unbind() {
            if (unbound.compareAndSet(false, true)) {
                ONE_AT_A_TIME.lock();
                try {
                    meters.remove();
                } finally {
                    ONE_AT_A_TIME.unlock();
                }
            }
        }
    }
}
