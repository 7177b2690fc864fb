// SPDX-License-Identifier: Apache-2.0
package io.flexpool.examples.migrate;

import com.codahale.metrics.MetricRegistry;
import com.codahale.metrics.UniformReservoir;
import com.vladmihalcea.flexypool.FlexyPoolDataSource;
import com.vladmihalcea.flexypool.adaptor.HikariCPPoolAdapter;
import com.vladmihalcea.flexypool.config.FlexyPoolConfiguration;
import com.vladmihalcea.flexypool.event.ConnectionLeaseTimeThresholdExceededEvent;
import com.vladmihalcea.flexypool.event.EventListener;
import com.vladmihalcea.flexypool.metric.dropwizard.DropwizardMetrics;
import com.vladmihalcea.flexypool.strategy.IncrementPoolOnTimeoutConnectionAcquisitionStrategy;
import com.vladmihalcea.flexypool.strategy.RetryConnectionAcquisitionStrategy;
import com.zaxxer.hikari.HikariDataSource;
import java.util.List;
import java.util.concurrent.atomic.LongAdder;

/** HikariCP with FlexyPool: the first program of docs/how-to/migrate-flexypool.md. */
final class FlexyPoolBefore {
    private FlexyPoolBefore() {}

    @SuppressWarnings("unchecked") // FlexyPool takes an array of a generic type, and does not say that it is safe
    static FlexyPoolDataSource<HikariDataSource> wrapped(
            HikariDataSource pool, MetricRegistry registry, LongLeases longLeases) {
        FlexyPoolConfiguration<HikariDataSource> configuration = new FlexyPoolConfiguration.Builder<>(
                        "orders", pool, HikariCPPoolAdapter.FACTORY)
                .setMetricsFactory(properties ->
                        new DropwizardMetrics(properties, registry, (type, name) -> new UniformReservoir()))
                .setConnectionLeaseTimeThresholdMillis(100L)
                .setEventListenerResolver(() -> List.of(longLeases))
                .build();
        FlexyPoolDataSource<HikariDataSource> orders = new FlexyPoolDataSource<>(
                configuration,
                new IncrementPoolOnTimeoutConnectionAcquisitionStrategy.Factory<HikariDataSource>(8),
                new RetryConnectionAcquisitionStrategy.Factory<HikariDataSource>(2));
        orders.start();
        return orders;
    }

    /** Counts leases of more than 100 ms. */
    static final class LongLeases extends EventListener<ConnectionLeaseTimeThresholdExceededEvent> {
        final LongAdder count = new LongAdder();

        LongLeases() {
            super(ConnectionLeaseTimeThresholdExceededEvent.class);
        }

        @Override
        public void on(ConnectionLeaseTimeThresholdExceededEvent event) {
            count.increment();
        }
    }
}
