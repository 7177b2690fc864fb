// SPDX-License-Identifier: Apache-2.0
package io.flexpool;

import io.flexpool.internal.config.AdapterFinder;
import io.flexpool.internal.config.ConfigTable;
import io.flexpool.internal.config.PartTable;
import io.flexpool.monitoring.ConfigKey;
import java.util.List;
import java.util.Objects;
import javax.sql.DataSource;

/**
 * The entry point: wraps an application's pool.
 *
 * <pre>{@code
 * FlexPoolDataSource dataSource = FlexPool.wrap(hikariDataSource)
 *         .name("orders")
 *         .set("base", 10)
 *         .set("ceiling", 25)
 *         .set("grow-on-wait.enabled", true)
 *         .build();
 * }</pre>
 */
public final class FlexPool {
    private FlexPool() {}

    /**
     * Begins to wrap a pool. The pool is unchanged before {@link FlexPoolBuilder#build()}.
     *
     * @param pool any data source, as a rule a connection pool; not null
     * @return a builder
     * @throws NullPointerException if the pool is null
     */
    public static FlexPoolBuilder wrap(DataSource pool) {
        return new FlexPoolBuilder(Objects.requireNonNull(pool, "the data source to wrap is null"));
    }

    /**
     * Begins to wrap a pool that properties name: {@code flexpool.data-source.jndi-name}. Give the properties to the
     * builder; the data source is looked up in {@link FlexPoolBuilder#build()}.
     *
     * @return a builder
     */
    public static FlexPoolBuilder lookUp() {
        return new FlexPoolBuilder(null);
    }

    /**
     * Whether flexpool has a module for a data source, on the class path or missing. Changes nothing, and starts no
     * pool.
     *
     * @param dataSource any data source
     * @return false for delegating data sources, for data sources without a pool, and for unknown pools; {@link #wrap}
     *     accepts these too
     * @throws IllegalArgumentException if two modules match, naming both
     */
    public static boolean knows(DataSource dataSource) {
        Objects.requireNonNull(dataSource, "dataSource is null");
        return AdapterFinder.knows(dataSource);
    }

    /**
     * All keys of properties: core's keys, and the keys of the metrics backends on the class path. In properties each
     * key has the prefix {@code flexpool.}.
     *
     * @return the keys in the order of the documentation
     */
    public static List<ConfigKey> configurationKeys() {
        return List.copyOf(new ConfigTable(PartTable.onClassPath(), List.of()).keys());
    }
}
