// SPDX-License-Identifier: Apache-2.0
package io.flexpool.adapter.legacy;

import io.flexpool.adapter.PoolAdapter.Capability;
import io.flexpool.adapter.tck.contract.PoolAdapterContract;
import io.flexpool.adapter.tck.contract.PoolQuirk;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Set;
import javax.sql.DataSource;
import org.h2.jdbcx.JdbcConnectionPool;

class H2AdapterTest extends PoolAdapterContract {
    @Override
    protected DataSource pool(DataSource source, int max, Duration timeout) {
        JdbcConnectionPool pool = JdbcConnectionPool.create(new PooledStubSource(source));
        pool.setMaxConnections(max);
        // Whole seconds; 0 would be its default of 30.
        pool.setLoginTimeout((int) Math.max(1, timeout.toSeconds()));
        return pool;
    }

    @Override
    protected Class<? extends SQLException> timeoutClass() {
        return SQLException.class;
    }

    @Override
    protected Set<Capability> capabilities() {
        return Set.of(Capability.LIVE_RESIZE);
    }

    @Override
    protected String maxSizeKey() {
        return "setMaxConnections";
    }

    @Override
    protected boolean canWaitForEver() {
        return false;
    }

    @Override
    protected Set<PoolQuirk> quirks() {
        return Set.of(
                PoolQuirk.REPORTS_MAX_AND_ACTIVE_ONLY,
                PoolQuirk.LEAVES_REQUESTS_WAITING,
                PoolQuirk.IGNORES_INTERRUPTS,
                PoolQuirk.KEEPS_ABORTED_CONNECTIONS,
                PoolQuirk.TAKES_NOTHING_BACK,
                PoolQuirk.OPENS_NOTHING_PAST_ITSELF);
    }

    @Override
    protected Duration housekeeping() {
        return Duration.ofSeconds(2);
    }
}
