// SPDX-License-Identifier: Apache-2.0
package io.flexpool.adapter.hikaricp;

import com.zaxxer.hikari.HikariDataSource;
import io.flexpool.adapter.tck.contract.StaleWriterContract;
import java.time.Duration;
import javax.sql.DataSource;

class HikariStaleWriterTest extends StaleWriterContract {
    @Override
    protected DataSource pool(DataSource database, int max, Duration timeout) {
        HikariDataSource pool = new HikariDataSource();
        pool.setDataSource(database);
        pool.setMaximumPoolSize(max);
        pool.setConnectionTimeout(timeout.toMillis());
        return pool;
    }
}
