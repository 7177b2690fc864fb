// SPDX-License-Identifier: Apache-2.0
package io.flexpool.benchmarks.burst;

import com.vladmihalcea.flexypool.adaptor.TomcatCPPoolAdapter;
import java.time.Duration;
import javax.sql.DataSource;
import org.apache.tomcat.jdbc.pool.PoolProperties;

/** Tomcat JDBC. */
final class TomcatSubject implements Subject {
    @Override
    public OpenPool open(DataSource database, int max, int idle, Duration timeout) {
        PoolProperties properties = new PoolProperties();
        properties.setDataSource(database);
        properties.setMaxActive(max);
        properties.setMaxIdle(max);
        properties.setMinIdle(idle);
        properties.setInitialSize(idle);
        properties.setMaxWait((int) timeout.toMillis());
        org.apache.tomcat.jdbc.pool.DataSource pool = new org.apache.tomcat.jdbc.pool.DataSource(properties);
        return new OpenPool(pool, pool::close);
    }

    @Override
    public ConnectLaw connectLaw() {
        return ConnectLaw.IN_THE_CALLER;
    }

    @Override
    public OpenPool inFlexyPool(OpenPool pool, int more, int retries) {
        return FlexyPools.wrap(
                pool, org.apache.tomcat.jdbc.pool.DataSource.class, TomcatCPPoolAdapter.FACTORY, more, retries);
    }
}
