// SPDX-License-Identifier: Apache-2.0
package io.flexpool.metrics.micrometer;

import io.flexpool.monitoring.LeaseObserver;
import io.flexpool.monitoring.MetricsBinder;
import io.flexpool.monitoring.PoolReadings;
import io.flexpool.monitoring.PoolView;
import io.flexpool.pool.Ticker;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.ReentrantLock;

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
 * <p>All meters read flexpool's own figures and cost nothing per connection: gauges, function counters, function timers
 * with count and sum since the pool was wrapped, and gauges {@code <name>.recent} with the tag {@code quantile}
 * (0.5, 0.95, 0.99, and 1, which is the maximum) of the last minute. All figures read within 100 ms of one another come
 * from one reading of the pool. A gauge whose figure the pool does not tell, and a recent figure of a minute in which
 * nothing happened, is NaN.
 *
 * <p>Micrometer gives a function timer no percentiles, buckets or SLOs, whatever a
 * {@link io.micrometer.core.instrument.config.MeterFilter} asks for; that a filter asks is said once in the log. With
 * {@link #histogram()} acquisition and lease times are real timers, which hear every call.
 *
 * <p>A second pool of one name in one registry, or a pool under whose name somebody else has registered such a meter, is
 * shown as {@code <name>#2} (and so on), which the log says once. When the pool is closed, exactly what was registered
 * for it is removed. A filter that takes the tag {@code pool} away leaves one pool to see, which the log says too.
 *
 * <p>Immutable and thread-safe; one instance may serve many pools.
 */
public final class MicrometerMetrics implements MetricsBinder {
    /** Two pools that are bound at once could both find a name free. */
    private static final ReentrantLock ONE_AT_A_TIME = new ReentrantLock();

    private final MeterRegistry registry;
    private final boolean histogram;

    private MicrometerMetrics(MeterRegistry registry, boolean histogram) {
        this.registry = registry;
        this.histogram = histogram;
    }

    /**
     * Shows pools in the application's registry.
     *
     * @param registry where to register, a composite too; nothing else in it is touched
     * @return a binder for any number of pools
     */
    public static MicrometerMetrics into(MeterRegistry registry) {
        return new MicrometerMetrics(Objects.requireNonNull(registry, "registry"), false);
    }

    /**
     * Makes acquisition and lease times real timers, so that percentile histograms, percentiles and SLOs that the
     * application's filters ask for work. Names, tags, count and sum are the same as without. Costs two recordings of a
     * Micrometer timer for each connection handed out.
     *
     * <p>Timers and function timers of one name do not go together in a registry: Prometheus' would fail to be scraped.
     * So the first pool in a registry decides for all in it; another that wants it otherwise follows, and the log says
     * so.
     *
     * @return the same binder with real timers
     */
    public MicrometerMetrics histogram() {
        return new MicrometerMetrics(registry, true);
    }

    /**
     * Where the meters are registered.
     *
     * @return the registry given
     */
    public MeterRegistry registry() {
        return registry;
    }

    /**
     * Registers a pool's figures. Thread-safe.
     *
     * @param pool what to read
     * @return removes just that; may be called again without effect
     */
    @Override
    public Binding bind(PoolView pool) {
        PoolReadings readings = new PoolReadings(pool, Ticker.SYSTEM);
        ONE_AT_A_TIME.lock();
        try {
            return new Bound(PoolMeters.register(registry, histogram, pool, readings));
        } finally {
            ONE_AT_A_TIME.unlock();
        }
    }

    /** Micrometer holds weakly what its meters read; the meters here hold it. */
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
