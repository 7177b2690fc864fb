// SPDX-License-Identifier: Apache-2.0
package io.flexpool.adapter.hikaricp;

import com.zaxxer.hikari.HikariDataSource;
import io.flexpool.adapter.tck.contract.PoolSoakContract;
import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;
import java.time.Duration;
import javax.sql.DataSource;

class HikariSoakTest extends PoolSoakContract {
    @Override
    protected DataSource pool(DataSource database, int max, Duration timeout) {
        HikariDataSource pool = new HikariDataSource();
        pool.setDataSource(database);
        pool.setMaximumPoolSize(max);
        pool.setConnectionTimeout(timeout.toMillis());
        // A long soak is not to see connections that retire.
        pool.setMaxLifetime(0);
        return pool;
    }

    @Override
    protected Class<? extends SQLException> timeoutClass() {
        return SQLTransientConnectionException.class;
    }
}
