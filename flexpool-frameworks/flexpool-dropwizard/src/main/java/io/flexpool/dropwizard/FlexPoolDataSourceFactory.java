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
 * Makes Dropwizard's pool with Dropwizard's settings, and wraps it. In the configuration, with {@link FlexPoolBundle}:
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
 * <p>Below {@code flexpool} stand flexpool's keys without their {@code flexpool.}, in nested sections or with dots. Those that
 * are wrong are refused when the configuration is read, or, where only the pool can say it, when the data source is built. Is a
 * {@link DataSourceFactory}, so every bundle and factory of Dropwizard's takes it. Its figures are in the registry that it is
 * built with. For one thread, as Dropwizard's own.
 */
public final class FlexPoolDataSourceFactory extends DataSourceFactory {
    private static final String NAME = "flexpool.name";
    private static final String ORIGIN = "section flexpool of the data source";

    private Map<String, String> keys = Map.of();
    private boolean single;

    /** Called by Dropwizard when it reads the configuration, and by code. */
    public FlexPoolDataSourceFactory() {}

    /**
     * Takes flexpool's keys.
     *
     * @param flexpool without {@code flexpool.} before them, nested or with dots; values as text, numbers, switches or lists;
     *     null for none
     * @throws IllegalArgumentException naming all that are unknown, given twice or of the wrong kind, each with its value and
     *     what is allowed or the nearest key
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
     * For tools that use one connection, such as migrations: flexpool does not wrap what is built then, for its keys are meant
     * for the application's pool.
     */
    @Override
    public void asSingleConnectionPool() {
        super.asSingleConnectionPool();
        single = true;
    }

    /**
     * Makes the pool and wraps it. If either fails nothing stays open.
     *
     * @param metricRegistry where Dropwizard's figures and flexpool's are registered
     * @param name the name of the pool, unless the key {@code name} is given; of several with one name the second is {@code
     *     name#2}
     * @return the wrapped pool, whose {@code unwrap(FlexPoolDataSource.class)} is flexpool's; stopping it ends flexpool and then
     *     closes the pool
     * @throws IllegalArgumentException naming all keys that this pool cannot meet
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
