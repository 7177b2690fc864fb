// SPDX-License-Identifier: Apache-2.0
package io.flexpool.examples.migrate;

import io.flexpool.FlexPool;
import io.flexpool.FlexPoolDataSource;
import io.flexpool.monitoring.LeaseObserver;
import io.flexpool.pool.AcquisitionOutcome;
import java.util.concurrent.atomic.LongAdder;
import javax.sql.DataSource;
import net.ttddyy.dsproxy.support.ProxyDataSource;
import net.ttddyy.dsproxy.support.ProxyDataSourceBuilder;

/** The same with flexpool: the second program of docs/how-to/migrate-datasource-proxy.md. */
final class DatasourceProxyAfter {
    private DatasourceProxyAfter() {}

    static FlexPoolDataSource watched(DataSource pool, Leases leases) {
        return FlexPool.wrap(pool).name("orders").observer(leases).build();
    }

    /** datasource-proxy in front, for queries. */
    static ProxyDataSource withQueries(FlexPoolDataSource orders) {
        return ProxyDataSourceBuilder.create(orders).name("orders").countQuery().build();
    }

    /** Counts connections that were acquired, and those that were closed. */
    static final class Leases implements LeaseObserver {
        final LongAdder acquired = new LongAdder();
        final LongAdder closed = new LongAdder();

        @Override
        public void acquired(long requestedNanos, long endedNanos, AcquisitionOutcome outcome) {
            if (outcome == AcquisitionOutcome.OK) {
                acquired.increment();
            }
        }

        @Override
        public void released(long acquiredNanos, long releasedNanos) {
            closed.increment();
        }
    }
}
