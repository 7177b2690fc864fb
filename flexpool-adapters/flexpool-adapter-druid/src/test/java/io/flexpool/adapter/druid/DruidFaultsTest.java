// SPDX-License-Identifier: Apache-2.0
package io.flexpool.adapter.druid;

import com.alibaba.druid.pool.DruidDataSource;
import com.alibaba.druid.pool.GetConnectionTimeoutException;
import io.flexpool.adapter.tck.contract.PoolFaultContract;
import io.flexpool.adapter.tck.database.DataSourceDriver;
import java.sql.SQLException;
import java.time.Duration;
import javax.sql.DataSource;

/** Druid connects in a thread of its own; what the driver threw is the cause of what Druid throws. */
class DruidFaultsTest extends PoolFaultContract {
    @Override
    protected DataSource pool(DataSource database, int max, Duration timeout) {
        DruidDataSource pool = new DruidDataSource();
        pool.setDriver(new DataSourceDriver(database));
        pool.setUrl(DataSourceDriver.URL);
        pool.setMaxActive(max);
        pool.setMaxWait(timeout.toMillis());
        pool.setTestOnBorrow(true);
        pool.setValidConnectionChecker(new AliveChecker());
        return pool;
    }

    @Override
    protected Class<? extends SQLException> timeoutClass() {
        return GetConnectionTimeoutException.class;
    }
}
