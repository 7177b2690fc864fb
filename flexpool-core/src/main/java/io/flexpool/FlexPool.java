// SPDX-License-Identifier: Apache-2.0
package io.flexpool;

import java.util.Objects;
import javax.sql.DataSource;

/**
 * Where it begins: wraps the pool that an application has.
 *
 * <pre>{@code
 * FlexPoolDataSource dataSource = FlexPool.wrap(hikariDataSource)
 *         .name("orders")
 *         .base(10)
 *         .strategy(GrowOnWait.upTo(25))
 *         .build();
 * }</pre>
 */
public final class FlexPool {
    private FlexPool() {}

    /**
     * Begins to wrap a pool. Nothing happens to it before {@link FlexPoolBuilder#build()}.
     *
     * @param pool any data source, as a rule a connection pool; not null
     * @return a builder
     * @throws NullPointerException if the pool is null
     */
    public static FlexPoolBuilder wrap(DataSource pool) {
        return new FlexPoolBuilder(Objects.requireNonNull(pool, "the data source to wrap is null"));
    }
}
