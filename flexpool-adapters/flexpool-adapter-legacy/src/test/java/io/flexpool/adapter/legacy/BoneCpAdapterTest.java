// SPDX-License-Identifier: Apache-2.0
package io.flexpool.adapter.legacy;

import com.jolbox.bonecp.BoneCPDataSource;
import io.flexpool.adapter.Capability;
import io.flexpool.adapter.tck.PoolAdapterContract;
import io.flexpool.adapter.tck.PoolQuirk;
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
        // Else it forgets some of those who ask at once; see the adapter.
        pool.setAcquireIncrement(max);
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
    protected Set<PoolQuirk> quirks() {
        return Set.of(
                PoolQuirk.LEAVES_OPEN_WHAT_IS_OUT,
                PoolQuirk.HIDES_WHY_A_CONNECT_FAILED,
                PoolQuirk.KEEPS_ABORTED_CONNECTIONS);
    }

    @Override
    protected Duration housekeeping() {
        return Duration.ofSeconds(2);
    }
}
