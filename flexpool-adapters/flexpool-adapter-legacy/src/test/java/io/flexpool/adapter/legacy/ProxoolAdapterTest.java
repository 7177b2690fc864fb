// SPDX-License-Identifier: Apache-2.0
package io.flexpool.adapter.legacy;

import io.flexpool.adapter.Capability;
import io.flexpool.adapter.tck.PoolAdapterContract;
import io.flexpool.adapter.tck.PoolQuirk;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import javax.sql.DataSource;
import org.logicalcobwebs.proxool.ProxoolDataSource;

class ProxoolAdapterTest extends PoolAdapterContract {
    private final AtomicInteger pools = new AtomicInteger();

    @Override
    protected DataSource pool(DataSource source, int max, Duration timeout) {
        ProxoolDataSource pool = new ProxoolDataSource();
        pool.setAlias("contract-" + System.identityHashCode(database) + "-" + pools.incrementAndGet());
        pool.setDriver("io.flexpool.adapter.tck.StubDriver");
        pool.setDriverUrl(database.url());
        pool.setUser("app");
        pool.setPassword("secret");
        pool.setMaximumConnectionCount(max);
        pool.setMinimumConnectionCount(0);
        pool.setPrototypeCount(0);
        pool.setSimultaneousBuildThrottle(100);
        pool.setTestBeforeUse(true);
        pool.setHouseKeepingTestSql("select 1");
        return pool;
    }

    @Override
    protected Class<? extends SQLException> timeoutClass() {
        return SQLException.class;
    }

    @Override
    protected Set<Capability> capabilities() {
        return Set.of();
    }

    @Override
    protected String maxSizeKey() {
        return "maximumConnectionCount";
    }

    @Override
    protected boolean canWaitForEver() {
        return false;
    }

    /** The next request makes the pool anew. */
    @Override
    protected boolean staysClosed() {
        return false;
    }

    @Override
    protected Set<PoolQuirk> quirks() {
        return Set.of(PoolQuirk.WAITS_AT_THE_GATE_ONLY, PoolQuirk.ITS_THREADS_STAY);
    }

    @Override
    protected Duration housekeeping() {
        return Duration.ofSeconds(2);
    }
}
