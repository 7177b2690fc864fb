// SPDX-License-Identifier: Apache-2.0
package io.flexpool.dropwizard;

import io.dropwizard.core.ConfiguredBundle;
import io.dropwizard.core.setup.Bootstrap;
import io.dropwizard.core.setup.Environment;

/**
 * Adds flexpool to a Dropwizard application:
 *
 * <pre>{@code
 * bootstrap.addBundle(new FlexPoolBundle());
 * }</pre>
 *
 * <p>A configured data source, declared as {@link io.dropwizard.db.DataSourceFactory}, may then have
 * {@code type: flexpool}, and flexpool's keys below {@code flexpool}: see {@link FlexPoolDataSourceFactory}. Also adds
 * the health check {@code flexpool}, which borrows no connection, and the admin task {@code flexpool}, which shows the
 * pools and changes their mode and limits. Both cover all pools that the application builds with its
 * {@code environment.metrics()}.
 *
 * <p>Add it in {@code initialize}, once. For one application and one thread.
 */
public final class FlexPoolBundle implements ConfiguredBundle<Object> {
    static final String NAME = "flexpool";

    /** A bundle without settings: the configuration of each data source has them. */
    public FlexPoolBundle() {}

    /**
     * Adds {@code type} to the configuration of data sources.
     *
     * @param bootstrap the application's bootstrap, whose object mapper reads the configuration
     */
    @Override
    public void initialize(Bootstrap<?> bootstrap) {
        bootstrap.getObjectMapper().registerModule(new DataSourceTypes());
    }

    /**
     * Adds the health check and the task.
     *
     * @param configuration ignored
     * @param environment the application's environment
     */
    @Override
    public void run(Object configuration, Environment environment) {
        ApplicationPools pools = ApplicationPools.of(environment.metrics());
        environment.healthChecks().register(NAME, new PoolHealthCheck(pools));
        environment.admin().addTask(new PoolTask(pools));
    }
}
