// SPDX-License-Identifier: Apache-2.0
package io.flexpool.adapter.tomcat;

import io.flexpool.adapter.tck.contract.StaleWriterContract;
import java.time.Duration;
import org.apache.tomcat.jdbc.pool.DataSource;
import org.junit.jupiter.api.Tag;

@Tag("scenario")
class TomcatStaleWriterTest extends StaleWriterContract {
    @Override
    protected javax.sql.DataSource pool(javax.sql.DataSource database, int max, Duration timeout) {
        DataSource pool = new DataSource();
        pool.setDataSource(database);
        pool.setMaxActive(max);
        pool.setMaxWait((int) timeout.toMillis());
        pool.setInitialSize(0);
        pool.setMinIdle(0);
        return pool;
    }

    @Override
    protected void close(javax.sql.DataSource pool) {
        ((DataSource) pool).close();
    }
}
