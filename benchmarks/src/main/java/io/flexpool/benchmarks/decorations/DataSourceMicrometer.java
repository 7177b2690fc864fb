// SPDX-License-Identifier: Apache-2.0
package io.flexpool.benchmarks.decorations;

import com.zaxxer.hikari.HikariDataSource;
import io.micrometer.core.instrument.observation.DefaultMeterObservationHandler;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.micrometer.observation.ObservationRegistry;
import net.ttddyy.dsproxy.support.ProxyDataSourceBuilder;
import net.ttddyy.observation.tracing.DataSourceObservationListener;

/** datasource-micrometer: observations of connections, queries and result sets, made into Micrometer's meters. */
public final class DataSourceMicrometer {
    private DataSourceMicrometer() {}

    /**
     * With meters and no tracing.
     *
     * @return datasource-micrometer
     */
    public static Decorator metered() {
        return DataSourceMicrometer::observed;
    }

    private static Decorated observed(HikariDataSource pool) {
        ObservationRegistry registry = ObservationRegistry.create();
        registry.observationConfig().observationHandler(new DefaultMeterObservationHandler(new SimpleMeterRegistry()));
        DataSourceObservationListener listener = new DataSourceObservationListener(registry);
        return Decorated.of(
                ProxyDataSourceBuilder.create(pool.getPoolName(), pool)
                        .listener(listener)
                        .methodListener(listener)
                        .proxyResultSet()
                        .build(),
                pool);
    }
}
