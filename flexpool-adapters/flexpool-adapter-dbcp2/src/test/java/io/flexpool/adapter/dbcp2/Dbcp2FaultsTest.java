// SPDX-License-Identifier: Apache-2.0
package io.flexpool.adapter.dbcp2;

import io.flexpool.adapter.tck.contract.PoolFaultContract;
import java.sql.SQLException;
import java.time.Duration;
import javax.sql.DataSource;
import org.apache.commons.dbcp2.BasicDataSource;
import org.apache.commons.dbcp2.ConnectionFactory;
import org.apache.commons.dbcp2.DataSourceConnectionFactory;

/** DBCP connects in the thread that asks, and throws what the driver threw. */
class Dbcp2FaultsTest extends PoolFaultContract {
    @Override
    protected DataSource pool(DataSource database, int max, Duration timeout) {
        BasicDataSource pool = new BasicDataSource() {
            @Override
            protected ConnectionFactory createConnectionFactory() {
                return new DataSourceConnectionFactory(database);
            }
        };
        pool.setMaxTotal(max);
        pool.setMaxIdle(max);
        pool.setMaxWait(timeout);
        pool.setTestOnBorrow(true);
        return pool;
    }

    @Override
    protected Class<? extends SQLException> timeoutClass() {
        return SQLException.class;
    }

    @Override
    protected boolean passesOnWhatTheDriverThrows() {
        return true;
    }
}
