// SPDX-License-Identifier: Apache-2.0
package io.flexpool.benchmarks.decorations;

import com.vladmihalcea.flexypool.FlexyPoolDataSource;
import com.vladmihalcea.flexypool.adaptor.HikariCPPoolAdapter;
import com.vladmihalcea.flexypool.config.FlexyPoolConfiguration;
import com.vladmihalcea.flexypool.metric.MetricsFactory;
import com.vladmihalcea.flexypool.metric.dropwizard.DropwizardMetrics;
import com.vladmihalcea.flexypool.metric.micrometer.MicrometerMetrics;
import com.vladmihalcea.flexypool.strategy.IncrementPoolOnTimeoutConnectionAcquisitionStrategy;
import com.vladmihalcea.flexypool.strategy.RetryConnectionAcquisitionStrategy;
import com.zaxxer.hikari.HikariDataSource;
import io.flexpool.benchmarks.kit.NoMetrics;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;

/** FlexyPool with the two strategies of its documentation, which flexpool's bound form has too. */
public final class FlexyPools {
    private static final int ROOM = 4;
    private static final int RETRIES = 3;

    private FlexyPools() {}

    /**
     * With its Dropwizard metrics, in their default reservoirs.
     *
     * @return FlexyPool
     */
    public static Decorator dropwizard() {
        return pool -> wrap(pool, DropwizardMetrics.FACTORY);
    }

    /**
     * With its Micrometer metrics.
     *
     * @return FlexyPool
     */
    public static Decorator micrometer() {
        // Its default is the global registry, which does nothing until a registry is added to it.
        return pool -> wrap(pool, properties -> new MicrometerMetrics(properties, new SimpleMeterRegistry()));
    }

    /**
     * With metrics that do nothing.
     *
     * @return FlexyPool
     */
    public static Decorator withoutMetrics() {
        return pool -> wrap(pool, properties -> new NoMetrics());
    }

    @SuppressWarnings("unchecked") // FlexyPool takes an array of a generic type, and does not say that it is safe
    private static Decorated wrap(HikariDataSource pool, MetricsFactory metrics) {
        FlexyPoolConfiguration<HikariDataSource> configuration = new FlexyPoolConfiguration.Builder<>(
                        pool.getPoolName(), pool, HikariCPPoolAdapter.FACTORY)
                .setMetricsFactory(metrics)
                .setJmxEnabled(false)
                .build();
        FlexyPoolDataSource<HikariDataSource> wrapped = new FlexyPoolDataSource<>(
                configuration,
                new IncrementPoolOnTimeoutConnectionAcquisitionStrategy.Factory<HikariDataSource>(ROOM),
                new RetryConnectionAcquisitionStrategy.Factory<HikariDataSource>(RETRIES));
        wrapped.start();
        return new Decorated(wrapped, () -> 0, () -> {
            wrapped.stop();
            pool.close();
        });
    }
}
