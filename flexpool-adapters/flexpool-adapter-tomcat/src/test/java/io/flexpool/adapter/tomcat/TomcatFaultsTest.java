// SPDX-License-Identifier: Apache-2.0
package io.flexpool.adapter.tomcat;

import io.flexpool.adapter.tck.contract.PoolFaultContract;
import java.sql.SQLException;
import java.time.Duration;
import org.apache.tomcat.jdbc.pool.DataSource;
import org.apache.tomcat.jdbc.pool.PoolExhaustedException;

/** Tomcat JDBC connects in the thread that asks, and throws what the driver threw. */
class TomcatFaultsTest extends PoolFaultContract {
    @Override
    protected javax.sql.DataSource pool(javax.sql.DataSource database, int max, Duration timeout) {
        DataSource pool = new DataSource();
        pool.setDataSource(database);
        pool.setMaxActive(max);
        pool.setMaxIdle(max);
        pool.setInitialSize(0);
        pool.setMinIdle(0);
        pool.setMaxWait((int) timeout.toMillis());
        pool.setTestOnBorrow(true);
        pool.setValidationInterval(0);
        return pool;
    }

    @Override
    protected Class<? extends SQLException> timeoutClass() {
        return PoolExhaustedException.class;
    }

    @Override
    protected boolean passesOnWhatTheDriverThrows() {
        return true;
    }
}
