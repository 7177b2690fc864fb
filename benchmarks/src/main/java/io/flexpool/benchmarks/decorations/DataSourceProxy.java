// SPDX-License-Identifier: Apache-2.0
package io.flexpool.benchmarks.decorations;

import net.ttddyy.dsproxy.support.ProxyDataSourceBuilder;

/** datasource-proxy, which an application uses to observe queries. */
public final class DataSourceProxy {
    private DataSourceProxy() {}

    /**
     * Without listeners.
     *
     * @return datasource-proxy
     */
    public static Decorator silent() {
        return pool -> Decorated.of(
                ProxyDataSourceBuilder.create(pool.getPoolName(), pool).build(), pool);
    }
}
