// SPDX-License-Identifier: Apache-2.0
package io.flexpool.quarkus;

import io.agroal.api.AgroalDataSource;
import io.flexpool.FlexPool;
import io.flexpool.FlexPoolBuilder;
import io.flexpool.FlexPoolDataSource;
import io.flexpool.framework.NamedPool;
import io.flexpool.monitoring.MetricsBinder;
import io.flexpool.monitoring.MetricsProvider;
import io.quarkus.datasource.common.runtime.DataSourceUtil;
import io.quarkus.runtime.configuration.ConfigurationException;
import jakarta.enterprise.inject.Any;
import jakarta.enterprise.inject.Instance;
import jakarta.inject.Inject;
import jakarta.inject.Singleton;
import java.util.Collection;
import java.util.List;
import org.eclipse.microprofile.config.ConfigProvider;

/** Wraps the application's datasources, each with its keys and the application's backends. Thread-safe. */
@Singleton
public class PoolWrapping {
    private static final String DEFAULT = "default";

    private final FlexPools pools;
    private final FlexPoolKeys keys;
    private final Instance<MetricsProvider> providers;
    private final Instance<MetricsBinder> binders;

    @Inject
    PoolWrapping(FlexPools pools, @Any Instance<MetricsProvider> providers, @Any Instance<MetricsBinder> binders) {
        this.pools = pools;
        this.providers = providers;
        this.binders = binders;
        this.keys = new FlexPoolKeys(ConfigProvider.getConfig());
    }

    /** The name of a pool, equal to the datasource's name in Quarkus' own metrics. */
    static String poolName(String dataSource) {
        return DataSourceUtil.isDefault(dataSource) ? DEFAULT : dataSource;
    }

    /**
     * Checks everything that can be checked before a datasource is created.
     *
     * @param dataSources the names of all datasources of the application
     * @throws ConfigurationException if keys are wrong; the message names all of them
     */
    void check(Collection<String> dataSources) {
        List<String> wrong =
                keys.problems(dataSources.stream().map(PoolWrapping::poolName).toList());
        if (!wrong.isEmpty()) {
            throw refused(String.join(System.lineSeparator(), wrong));
        }
    }

    /**
     * Wraps a datasource. If flexpool refuses, closes the pool, because Quarkus never gets it.
     *
     * @param dataSource Quarkus' name of the datasource
     * @param agroal the pool
     * @return the wrapped pool, whose close also closes the pool
     * @throws ConfigurationException if keys are wrong; the message names all of them
     */
    AgroalDataSource wrap(String dataSource, AgroalDataSource agroal) {
        try {
            FlexPoolDataSource pool = build(poolName(dataSource), agroal);
            return new WrappedDataSource(agroal, pool, () -> pools.wrapped().remove(pool));
        } catch (RuntimeException | Error failed) {
            agroal.close();
            throw failed;
        }
    }

    private FlexPoolDataSource build(String name, AgroalDataSource agroal) {
        FlexPoolBuilder builder = FlexPool.wrap(agroal);
        try {
            return pools.wrapped().build(builder, name, unique -> {
                binders.forEach(builder::metrics);
                builder.framework(with -> providers.forEach(with::metrics));
                keys.keys().addTo(builder, NamedPool.of(name), unique);
            });
        } catch (IllegalArgumentException refused) {
            throw refused(keys.keys().asWritten(String.valueOf(refused.getMessage())));
        }
    }

    /** An exception without a cause, because Quarkus prints only the message of the innermost exception. */
    private static ConfigurationException refused(String message) {
        return new ConfigurationException(message);
    }
}
