// SPDX-License-Identifier: Apache-2.0
package io.flexpool.adapter.legacy;

import com.jolbox.bonecp.BoneCPDataSource;
import io.flexpool.adapter.Capability;
import io.flexpool.adapter.tck.PoolAdapterContract;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Set;
import javax.sql.DataSource;

class BoneCpAdapterTest extends PoolAdapterContract {
    @Override
    protected DataSource pool(DataSource source, int max, Duration timeout) {
        BoneCPDataSource pool = new BoneCPDataSource();
        pool.setDatasourceBean(source);
        pool.setPartitionCount(1);
        pool.setMaxConnectionsPerPartition(max);
        pool.setMinConnectionsPerPartition(0);
        pool.setAcquireIncrement(1);
        pool.setAcquireRetryAttempts(0);
        pool.setAcquireRetryDelayInMs(100);
        pool.setConnectionTimeoutInMs(timeout.toMillis());
        pool.setResetConnectionOnClose(true);
        pool.setDisableJMX(true);
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
        return "maxConnectionsPerPartition";
    }

    @Override
    protected boolean canWaitForEver() {
        return true;
    }

    @Override
    protected Duration housekeeping() {
        return Duration.ofSeconds(2);
    }
}
