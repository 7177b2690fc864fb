// SPDX-License-Identifier: Apache-2.0
package io.flexpool.adapter.legacy;

import io.flexpool.adapter.PoolAdapter.Capability;
import io.flexpool.adapter.tck.contract.PoolAdapterContract;
import io.flexpool.adapter.tck.contract.PoolQuirk;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import javax.sql.DataSource;
import org.apache.commons.dbcp.BasicDataSource;

@SuppressWarnings("deprecation") // the exception that 1.4 throws
class DbcpAdapterTest extends PoolAdapterContract {
    @Override
    protected DataSource pool(DataSource source, int max, Duration timeout) {
        BasicDataSource pool = new BasicDataSource();
        pool.setDriverClassName("io.flexpool.adapter.tck.database.StubDriver");
        pool.setUrl(database.url());
        pool.setMaxActive(max);
        pool.setMaxIdle(max);
        pool.setMaxWait(timeout.isZero() ? -1 : timeout.toMillis());
        pool.setDefaultAutoCommit(true);
        return pool;
    }

    @Override
    protected List<DataSource> takingBack(DataSource from, int max, Duration timeout) {
        BasicDataSource pool = (BasicDataSource) pool(from, max, timeout);
        pool.setRemoveAbandoned(true);
        pool.setRemoveAbandonedTimeout(1);
        return List.of(pool);
    }

    @Override
    protected List<DataSource> restoring(DataSource from, Duration timeout) {
        BasicDataSource committed = (BasicDataSource) pool(from, 1, timeout);
        committed.setDefaultTransactionIsolation(Connection.TRANSACTION_READ_COMMITTED);
        return List.of(pool(from, 1, timeout), committed);
    }

    @Override
    protected Class<? extends SQLException> timeoutClass() {
        return org.apache.commons.dbcp.SQLNestedException.class;
    }

    @Override
    protected Set<Capability> capabilities() {
        return Set.of();
    }

    @Override
    protected String maxSizeKey() {
        return "maxActive";
    }

    @Override
    protected boolean canWaitForEver() {
        return true;
    }

    @Override
    protected Set<PoolQuirk> quirks() {
        return Set.of(
                PoolQuirk.KEEPS_ABORTED_CONNECTIONS,
                PoolQuirk.LEAVES_REQUESTS_WAITING,
                PoolQuirk.LENDS_DEAD_CONNECTIONS,
                PoolQuirk.ITS_CLASSES_STAY,
                PoolQuirk.LOSES_A_CONNECTION_TO_AN_INTERRUPT);
    }

    @Override
    protected Duration housekeeping() {
        return Duration.ofSeconds(2);
    }
}
