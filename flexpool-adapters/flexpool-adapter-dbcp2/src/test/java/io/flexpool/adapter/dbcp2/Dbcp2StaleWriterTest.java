// SPDX-License-Identifier: Apache-2.0
package io.flexpool.adapter.dbcp2;

import io.flexpool.adapter.tck.contract.StaleWriterContract;
import java.time.Duration;
import javax.sql.DataSource;
import org.apache.commons.dbcp2.BasicDataSource;
import org.apache.commons.dbcp2.ConnectionFactory;
import org.apache.commons.dbcp2.DataSourceConnectionFactory;
import org.junit.jupiter.api.Tag;

@Tag("scenario")
class Dbcp2StaleWriterTest extends StaleWriterContract {
    @Override
    protected DataSource pool(DataSource database, int max, Duration timeout) {
        BasicDataSource pool = new BasicDataSource() {
            @Override
            protected ConnectionFactory createConnectionFactory() {
                return new DataSourceConnectionFactory(database);
            }
        };
        pool.setMaxTotal(max);
        pool.setMaxWait(timeout);
        return pool;
    }
}
