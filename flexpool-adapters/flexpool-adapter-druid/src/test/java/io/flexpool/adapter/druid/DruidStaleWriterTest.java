// SPDX-License-Identifier: Apache-2.0
package io.flexpool.adapter.druid;

import com.alibaba.druid.pool.DruidDataSource;
import io.flexpool.adapter.tck.contract.StaleWriterContract;
import io.flexpool.adapter.tck.database.DataSourceDriver;
import java.time.Duration;
import javax.sql.DataSource;
import org.junit.jupiter.api.Tag;

@Tag("scenario")
class DruidStaleWriterTest extends StaleWriterContract {
    @Override
    protected DataSource pool(DataSource database, int max, Duration timeout) {
        DruidDataSource pool = new DruidDataSource();
        pool.setDriver(new DataSourceDriver(database));
        pool.setUrl(DataSourceDriver.URL);
        pool.setMaxActive(max);
        pool.setMaxWait(timeout.toMillis());
        pool.setValidConnectionChecker(new AliveChecker());
        return pool;
    }
}
