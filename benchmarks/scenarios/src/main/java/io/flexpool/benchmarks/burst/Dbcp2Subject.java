// SPDX-License-Identifier: Apache-2.0
package io.flexpool.benchmarks.burst;

import com.vladmihalcea.flexypool.adaptor.DBCP2PoolAdapter;
import io.flexpool.benchmarks.kit.DataSourceDriver;
import java.time.Duration;
import javax.sql.DataSource;
import org.apache.commons.dbcp2.BasicDataSource;

/** Commons DBCP2. */
final class Dbcp2Subject implements Subject {
    @Override
    public OpenPool open(DataSource database, int max, int idle, Duration timeout) {
        BasicDataSource pool = new BasicDataSource();
        pool.setDriver(new DataSourceDriver(database));
        pool.setUrl(DataSourceDriver.URL);
        pool.setMaxTotal(max);
        pool.setMaxIdle(max);
        pool.setMinIdle(idle);
        pool.setInitialSize(idle);
        pool.setMaxWait(timeout);
        return new OpenPool(pool, pool::close);
    }

    @Override
    public ConnectLaw connectLaw() {
        return ConnectLaw.IN_THE_CALLER;
    }

    @Override
    public OpenPool inFlexyPool(OpenPool pool, int more, int retries) {
        return FlexyPools.wrap(pool, BasicDataSource.class, DBCP2PoolAdapter.FACTORY, more, retries);
    }
}
