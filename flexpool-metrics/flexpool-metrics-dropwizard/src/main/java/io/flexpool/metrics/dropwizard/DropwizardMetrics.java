// SPDX-License-Identifier: Apache-2.0
package io.flexpool.metrics.dropwizard;

import com.codahale.metrics.MetricRegistry;
import io.flexpool.monitoring.MetricsBinder;
import io.flexpool.monitoring.PoolView;
import io.flexpool.pool.RefusedValueException;
import io.flexpool.pool.Ticker;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Shows pools in a Dropwizard {@link MetricRegistry}, under {@code flexpool.<pool>.<figure>} with the figures and names
 * of {@link io.flexpool.monitoring.PoolMetric}; acquisitions are one timer per outcome, for example {@code
 * flexpool.orders.acquisition.ok}.
 *
 * <pre>{@code
 * FlexPool.wrap(hikari).name("orders").metrics(DropwizardMetrics.into(registry)).build();
 * FlexPool.wrap(hikari).name("orders").metrics(DropwizardMetrics.create().logEvery(Duration.ofMinutes(1)).jmx()).build();
 * }</pre>
 *
 * <p>The timers and histograms are views: their count is the count since the pool was wrapped, their snapshot covers
 * the last minute, and {@code update} and {@code time} throw {@link UnsupportedOperationException}. Durations are
 * nanoseconds, which Dropwizard's reporters convert; the gauge {@code oldest.wait} stays in nanoseconds. A gauge that
 * the pool does not report is null. The rates of outcomes other than {@code ok}, and of connects, begin with the
 * binding and are updated when the metrics are read. All figures read within 100 ms come from one reading of the pool.
 *
 * <p>A pool whose name is in use, in the registry or in JMX, is shown as {@code <name>#2} (and so on), which is logged
 * once. When the pool is closed, the reporters stop without a last report, and exactly the pool's metrics are removed.
 *
 * <p>Immutable and thread-safe; one instance may serve many pools.
 */
public final class DropwizardMetrics implements MetricsBinder {
    private static final Duration SHORTEST_PERIOD = Duration.ofMillis(100);
    private static final Duration LONGEST_PERIOD = Duration.ofDays(1);

    /** Two pools of one name bound at once, in different registries, could both find it free in JMX. */
    private static final ReentrantLock ONE_AT_A_TIME = new ReentrantLock();

    private final MetricRegistry registry;
    private final @Nullable Duration logPeriod;
    private final boolean jmx;

    private DropwizardMetrics(MetricRegistry registry, @Nullable Duration logPeriod, boolean jmx) {
        this.registry = registry;
        this.logPeriod = logPeriod;
        this.jmx = jmx;
    }

    /**
     * Shows pools in the application's registry. Only registers metrics: the application's reporters report them.
     *
     * @param registry where to register; nothing else in it is touched
     * @return a binder for any number of pools
     */
    public static DropwizardMetrics into(MetricRegistry registry) {
        return new DropwizardMetrics(Objects.requireNonNull(registry, "registry"), null, false);
    }

    /**
     * Shows pools in a registry of its own; add {@link #logEvery} or {@link #jmx} to publish them.
     *
     * @return a binder for any number of pools
     */
    public static DropwizardMetrics create() {
        return into(new MetricRegistry());
    }

    /**
     * Also logs each pool's figures periodically, at INFO to the logger {@code io.flexpool.metrics}, on a daemon thread
     * per pool. Other metrics in the registry are not logged.
     *
     * @param period the time between two reports, 100 milliseconds to one day
     * @return the same binder with logging
     * @throws IllegalArgumentException if the period is out of range
     */
    public DropwizardMetrics logEvery(Duration period) {
        if (period.compareTo(SHORTEST_PERIOD) < 0 || period.compareTo(LONGEST_PERIOD) > 0) {
            throw new RefusedValueException(
                    "log-every", period, "must be from " + SHORTEST_PERIOD + " to " + LONGEST_PERIOD);
        }
        return new DropwizardMetrics(registry, period, jmx);
    }

    /**
     * Also shows each pool's figures as MBeans of the domain {@code flexpool} in the platform's MBean server. Other
     * metrics in the registry are not shown. Needs {@code io.dropwizard.metrics:metrics-jmx}.
     *
     * @return the same binder with MBeans
     * @throws IllegalStateException if metrics-jmx is not on the class path
     */
    public DropwizardMetrics jmx() {
        try {
            Class.forName("com.codahale.metrics.jmx.JmxReporter", false, DropwizardMetrics.class.getClassLoader());
        } catch (ClassNotFoundException e) {
            throw new IllegalStateException(
                    "jmx() needs the artifact io.dropwizard.metrics:metrics-jmx, in the version of metrics-core", e);
        }
        return new DropwizardMetrics(registry, logPeriod, true);
    }

    /**
     * The registry that the metrics are registered in.
     *
     * @return the given registry, or the binder's own
     */
    public MetricRegistry registry() {
        return registry;
    }

    /**
     * Registers a pool's figures and starts the configured reporters. Thread-safe.
     *
     * @param pool the pool to read
     * @return removes and stops exactly these; further calls have no effect
     */
    @Override
    public Binding bind(PoolView pool) {
        RatedReadings readings = new RatedReadings(pool, Ticker.SYSTEM);
        List<Binding> bound = new ArrayList<>();
        ONE_AT_A_TIME.lock();
        try {
            RegisteredMetrics metrics =
                    RegisteredMetrics.register(registry, pool.name(), PoolMetrics.of(pool, readings), this::freeInJmx);
            bound.add(metrics::remove);
            if (jmx) {
                bound.add(JmxReporting.start(registry, metrics));
            }
            if (logPeriod != null) {
                bound.add(LogReporting.start(metrics, pool.name(), logPeriod));
            }
        } catch (RuntimeException | Error e) {
            unbind(bound);
            throw e;
        } finally {
            ONE_AT_A_TIME.unlock();
        }
        AtomicBoolean unbound = new AtomicBoolean();
        return () -> {
            if (unbound.compareAndSet(false, true)) {
                unbind(bound);
            }
        };
    }

    private boolean freeInJmx(String prefix) {
        return !jmx || JmxReporting.isFree(prefix);
    }

    /** Unbinds in reverse order: a reporter must not see its metrics vanish. */
    private static void unbind(List<Binding> bound) {
        for (int at = bound.size() - 1; at >= 0; at--) {
            bound.get(at).unbind();
        }
    }
}
