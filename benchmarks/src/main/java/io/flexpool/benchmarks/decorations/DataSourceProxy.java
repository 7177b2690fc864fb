// SPDX-License-Identifier: Apache-2.0
package io.flexpool.benchmarks.decorations;

import net.ttddyy.dsproxy.support.ProxyDataSourceBuilder;

/** datasource-proxy, which an application uses to hear of queries. */
public final class DataSourceProxy {
    private DataSourceProxy() {}

    /**
     * With nobody who listens.
     *
     * @return datasource-proxy
     */
    public static Decorator silent() {
        return pool -> Decorated.of(
                ProxyDataSourceBuilder.create(pool.getPoolName(), pool).build(), pool);
    }
}
