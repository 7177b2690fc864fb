// SPDX-License-Identifier: Apache-2.0
package io.flexpool.adapter.legacy;

import io.flexpool.adapter.Capability;
import io.flexpool.adapter.tck.PoolAdapterContract;
import io.flexpool.adapter.tck.PoolQuirk;
import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;
import java.time.Duration;
import java.util.Set;
import javax.sql.DataSource;

class PgPoolingAdapterTest extends PoolAdapterContract {
    @Override
    protected DataSource pool(DataSource source, int max, Duration timeout) {
        StubPgPool pool = new StubPgPool(source);
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
                PoolQuirk.LENDS_DEAD_CONNECTIONS,
                PoolQuirk.KEEPS_ABORTED_CONNECTIONS);
    }

    @Override
    protected Duration housekeeping() {
        return Duration.ofSeconds(2);
    }
}
