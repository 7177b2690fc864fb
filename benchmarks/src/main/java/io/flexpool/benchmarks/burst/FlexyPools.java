// SPDX-License-Identifier: Apache-2.0
package io.flexpool.benchmarks.burst;

import com.vladmihalcea.flexypool.FlexyPoolDataSource;
import com.vladmihalcea.flexypool.adaptor.PoolAdapterFactory;
import com.vladmihalcea.flexypool.config.FlexyPoolConfiguration;
import com.vladmihalcea.flexypool.strategy.ConnectionAcquisitionStrategyFactory;
import com.vladmihalcea.flexypool.strategy.IncrementPoolOnTimeoutConnectionAcquisitionStrategy;
import com.vladmihalcea.flexypool.strategy.RetryConnectionAcquisitionStrategy;
import io.flexpool.benchmarks.kit.NoMetrics;
import io.flexpool.benchmarks.kit.OpenPool;
import java.util.concurrent.atomic.AtomicInteger;
import javax.sql.DataSource;

/** FlexyPool as its documentation shows it: it adds connections one by one after timeouts, then tries again. */
final class FlexyPools {
    private static final AtomicInteger NUMBER = new AtomicInteger();

    private FlexyPools() {}

    static <T extends DataSource> OpenPool wrap(
            OpenPool pool, Class<T> type, PoolAdapterFactory<T> adapter, int more, int retries) {
        FlexyPoolConfiguration.Builder<T> configuration = new FlexyPoolConfiguration.Builder<>(
                "burst-" + NUMBER.incrementAndGet(), type.cast(pool.source()), adapter);
        configuration.setMetricsFactory(unused -> new NoMetrics()).setJmxEnabled(false);
        FlexyPoolDataSource<T> wrapped = new FlexyPoolDataSource<>(configuration.build(), strategies(more, retries));
        wrapped.start();
        return new OpenPool(wrapped, () -> {
            wrapped.stop();
            // Its own close() leaves some pools open.
            pool.close();
        });
    }

    /** FlexyPool refuses an increment of nothing, which a ceiling at the base would be. */
    @SuppressWarnings({"unchecked", "rawtypes"}) // FlexyPool takes an array of a generic type
    private static <T extends DataSource> ConnectionAcquisitionStrategyFactory<?, T>[] strategies(
            int more, int retries) {
        RetryConnectionAcquisitionStrategy.Factory<T> retry = new RetryConnectionAcquisitionStrategy.Factory<>(retries);
        return more == 0
                ? new ConnectionAcquisitionStrategyFactory[] {retry}
                : new ConnectionAcquisitionStrategyFactory[] {
                    new IncrementPoolOnTimeoutConnectionAcquisitionStrategy.Factory<T>(more), retry
                };
    }
}
