// SPDX-License-Identifier: Apache-2.0
package io.flexpool.dropwizard;

import com.codahale.metrics.MetricRegistry;
import com.fasterxml.jackson.annotation.JsonProperty;
import io.dropwizard.db.DataSourceFactory;
import io.dropwizard.db.ManagedDataSource;
import io.flexpool.FlexPool;
import io.flexpool.FlexPoolBuilder;
import io.flexpool.FlexPoolDataSource;
import io.flexpool.framework.NestedKeys;
import io.flexpool.metrics.dropwizard.DropwizardProvider;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Creates Dropwizard's pool with Dropwizard's settings, and wraps it. In the configuration, with
 * {@link FlexPoolBundle}:
 *
 * <pre>{@code
 * database:
 *   type: flexpool
 *   driverClass: org.postgresql.Driver
 *   url: jdbc:postgresql://localhost/orders
 *   maxSize: 5
 *   flexpool:
 *     ceiling: 25
 *     grow-on-wait:
 *       enabled: true
 * }</pre>
 *
 * <p>The section {@code flexpool} has flexpool's keys without the prefix {@code flexpool.}, nested or with dots. Wrong
 * keys are refused when the configuration is read, or, if the check needs the pool, when the data source is built. As a
 * {@link DataSourceFactory} it works with every bundle and factory of Dropwizard. The registry given to {@code build}
 * gets its figures. For one thread, like Dropwizard's own.
 */
public final class FlexPoolDataSourceFactory extends DataSourceFactory {
    private static final String NAME = "flexpool.name";
    private static final String ORIGIN = "section flexpool of the data source";

    private Map<String, String> keys = Map.of();
    private boolean single;

    /** Called by Dropwizard when it reads the configuration, and by applications. */
    public FlexPoolDataSourceFactory() {}

    /**
     * Sets flexpool's keys.
     *
     * @param flexpool the keys without {@code flexpool.}, nested or with dots; values are texts, numbers, booleans or
     *     lists; null for none
     * @throws IllegalArgumentException if keys are unknown, given twice or of the wrong type; the message names each
     *     with its value and the allowed values or the nearest key
     */
    @JsonProperty(value = "flexpool", access = JsonProperty.Access.WRITE_ONLY)
    public void setFlexpool(@Nullable Map<String, ?> flexpool) {
        Map<String, String> given = flexpool == null ? Map.of() : NestedKeys.of(flexpool);
        FlexPool.lookUp().framework(its -> {
            its.properties(given, ORIGIN);
            its.checkProperties();
        });
        keys = given;
    }

    /**
     * For tools that use one connection, for example migrations. flexpool does not wrap this pool, because its keys are
     * for the application's pool.
     */
    @Override
    public void asSingleConnectionPool() {
        super.asSingleConnectionPool();
        single = true;
    }

    /**
     * Creates the pool and wraps it. If either fails, nothing stays open.
     *
     * @param metricRegistry the registry for Dropwizard's and flexpool's figures
     * @param name the name of the pool, unless the key {@code name} is given; a second pool of this name is
     *     {@code name#2}
     * @return the wrapped pool, whose {@code unwrap(FlexPoolDataSource.class)} returns flexpool's; stopping it ends
     *     flexpool, then closes the pool
     * @throws IllegalArgumentException if this pool does not support a key; the message names all such keys
     */
    @Override
    public ManagedDataSource build(MetricRegistry metricRegistry, String name) {
        ManagedDataSource pool = super.build(metricRegistry, name);
        if (single) {
            return pool;
        }
        try {
            ApplicationPools pools = ApplicationPools.of(metricRegistry);
            FlexPoolDataSource wrapped = wrap(pool, metricRegistry, name, pools);
            return new FlexPoolManagedDataSource(
                    pool, wrapped, () -> pools.wrapped().remove(wrapped));
        } catch (RuntimeException | Error failed) {
            stop(pool, failed);
            throw failed;
        }
    }

    private FlexPoolDataSource wrap(
            ManagedDataSource pool, MetricRegistry registry, String name, ApplicationPools pools) {
        Map<String, String> others = new LinkedHashMap<>(keys);
        String named = others.remove(NAME);
        FlexPoolBuilder builder = FlexPool.wrap(pool).metrics(pools.health());
        return pools.wrapped()
                .build(
                        builder,
                        named == null ? name : named,
                        unique -> builder.framework(its -> {
                            its.metrics(DropwizardProvider.into(() -> registry));
                            its.properties(others, ORIGIN);
                        }));
    }

    private static void stop(ManagedDataSource pool, Throwable failed) {
        try {
            pool.stop();
        } catch (Exception alsoFailed) {
            failed.addSuppressed(alsoFailed);
        }
    }
}
