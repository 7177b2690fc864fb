// SPDX-License-Identifier: Apache-2.0
package io.flexpool.benchmarks.burst;

import com.alibaba.druid.pool.DruidDataSource;
import io.flexpool.benchmarks.kit.DataSourceDriver;
import java.time.Duration;
import javax.sql.DataSource;

/** Druid. */
final class DruidSubject implements Subject {
    @Override
    public OpenPool open(DataSource database, int max, int idle, Duration timeout) {
        DruidDataSource pool = new DruidDataSource();
        pool.setDriver(new DataSourceDriver(database));
        pool.setUrl(DataSourceDriver.URL);
        pool.setMaxActive(max);
        pool.setMinIdle(idle);
        pool.setInitialSize(idle);
        pool.setMaxWait(timeout.toMillis());
        // Else it complains that it has no validation query.
        pool.setTestWhileIdle(false);
        return new OpenPool(pool, pool::close);
    }

    @Override
    public ConnectLaw connectLaw() {
        return ConnectLaw.ONE_CREATOR;
    }

    @Override
    public String flexyPoolMissing() {
        return "FlexyPool's adapter does not link with this Druid";
    }

    @Override
    public OpenPool inFlexyPool(OpenPool pool, int more, int retries) {
        throw new UnsupportedOperationException(flexyPoolMissing());
    }
}
