// SPDX-License-Identifier: Apache-2.0
package io.flexpool.examples.migrate;

import com.vladmihalcea.flexypool.adaptor.HikariCPPoolAdapter;
import com.vladmihalcea.flexypool.adaptor.PoolAdapter;
import com.vladmihalcea.flexypool.adaptor.PoolAdapterFactory;
import com.vladmihalcea.flexypool.common.ConfigurationProperties;
import com.vladmihalcea.flexypool.metric.Metrics;
import com.zaxxer.hikari.HikariDataSource;

/** The class that flexy-pool.properties must name, for FlexyPool's own factory is a constant and no class. */
public final class HikariAdapterFactory implements PoolAdapterFactory<HikariDataSource> {
    /** For FlexyPool, which makes it by its name. */
    public HikariAdapterFactory() {}

    @Override
    public PoolAdapter<HikariDataSource> newInstance(
            ConfigurationProperties<HikariDataSource, Metrics, PoolAdapter<HikariDataSource>> properties) {
        return HikariCPPoolAdapter.FACTORY.newInstance(properties);
    }
}
