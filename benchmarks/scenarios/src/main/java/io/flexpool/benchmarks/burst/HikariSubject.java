// SPDX-License-Identifier: Apache-2.0
package io.flexpool.benchmarks.burst;

import com.vladmihalcea.flexypool.adaptor.HikariCPPoolAdapter;
import com.zaxxer.hikari.HikariDataSource;
import java.time.Duration;
import javax.sql.DataSource;

/** HikariCP; it starts at its first request. */
final class HikariSubject implements Subject {
    @Override
    public OpenPool open(DataSource database, int max, int idle, Duration timeout) {
        HikariDataSource pool = new HikariDataSource();
        pool.setDataSource(database);
        pool.setMaximumPoolSize(max);
        pool.setMinimumIdle(idle);
        pool.setConnectionTimeout(timeout.toMillis());
        return new OpenPool(pool, pool::close);
    }

    @Override
    public ConnectLaw connectLaw() {
        return ConnectLaw.ONE_ADDER_WITH_PAUSE;
    }

    @Override
    public OpenPool inFlexyPool(OpenPool pool, int more, int retries) {
        return FlexyPools.wrap(pool, HikariDataSource.class, HikariCPPoolAdapter.FACTORY, more, retries);
    }
}
