// SPDX-License-Identifier: Apache-2.0
package io.flexpool.adapter.legacy;

import io.flexpool.adapter.PoolAdapter.Capability;
import io.flexpool.adapter.tck.contract.PoolAdapterContract;
import io.flexpool.adapter.tck.contract.PoolQuirk;
import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import javax.sql.DataSource;

class PgPoolingAdapterTest extends PoolAdapterContract {
    private final AtomicInteger pools = new AtomicInteger();

    @Override
    protected DataSource pool(DataSource source, int max, Duration timeout) {
        StubPgPool pool = new StubPgPool(source);
        pool.setDataSourceName("contract-" + System.identityHashCode(database) + "-" + pools.incrementAndGet());
        pool.setMaxConnections(max);
        pool.setInitialConnections(0);
        return pool;
    }

    @Override
    protected Class<? extends SQLException> timeoutClass() {
        return SQLTransientConnectionException.class;
    }

    @Override
    protected Set<Capability> capabilities() {
        return Set.of();
    }

    @Override
    protected String maxSizeKey() {
        return "maxConnections";
    }

    @Override
    protected boolean canWaitForEver() {
        return true;
    }

    @Override
    protected Set<PoolQuirk> quirks() {
        return Set.of(
                PoolQuirk.WAITS_AT_THE_GATE_ONLY,
                PoolQuirk.REPORTS_MAX_ONLY,
                PoolQuirk.LENDS_DEAD_CONNECTIONS,
                PoolQuirk.KEEPS_ABORTED_CONNECTIONS,
                // The driver is loaded with it, which makes itself known to DriverManager.
                PoolQuirk.ITS_CLASSES_STAY,
                PoolQuirk.LEAVES_OPEN_WHAT_FAILED,
                PoolQuirk.TAKES_NOTHING_BACK,
                PoolQuirk.OPENS_NOTHING_PAST_ITSELF);
    }

    @Override
    protected Duration housekeeping() {
        return Duration.ofSeconds(2);
    }
}
