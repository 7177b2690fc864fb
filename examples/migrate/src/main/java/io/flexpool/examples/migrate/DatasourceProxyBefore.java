// SPDX-License-Identifier: Apache-2.0
package io.flexpool.examples.migrate;

import java.util.concurrent.atomic.LongAdder;
import javax.sql.DataSource;
import net.ttddyy.dsproxy.listener.MethodExecutionContext;
import net.ttddyy.dsproxy.listener.lifecycle.JdbcLifecycleEventListenerAdapter;
import net.ttddyy.dsproxy.support.ProxyDataSource;
import net.ttddyy.dsproxy.support.ProxyDataSourceBuilder;

/** A pool behind datasource-proxy: the first program of docs/how-to/migrate-datasource-proxy.md. */
final class DatasourceProxyBefore {
    private DatasourceProxyBefore() {}

    static ProxyDataSource watched(DataSource pool, Leases leases) {
        return ProxyDataSourceBuilder.create(pool)
                .name("orders")
                .listener(leases)
                .countQuery()
                .build();
    }

    /** Counts connections that were acquired, and those that were closed. */
    static final class Leases extends JdbcLifecycleEventListenerAdapter {
        final LongAdder acquired = new LongAdder();
        final LongAdder closed = new LongAdder();

        @Override
        public void afterGetConnection(MethodExecutionContext context) {
            if (context.getThrown() == null) {
                acquired.increment();
            }
        }

        @Override
        public void afterClose(MethodExecutionContext context) {
            if (context.getTarget() instanceof java.sql.Connection) {
                closed.increment();
            }
        }
    }
}
