// SPDX-License-Identifier: Apache-2.0
package io.flexpool.adapter.hikaricp;

import com.zaxxer.hikari.HikariDataSource;
import io.flexpool.adapter.tck.contract.ExplanationContract;
import java.time.Duration;
import javax.sql.DataSource;

class HikariExplanationTest extends ExplanationContract {
    @Override
    protected DataSource pool(DataSource driver, int max, Duration timeout) {
        HikariDataSource pool = new HikariDataSource();
        pool.setDataSource(driver);
        pool.setMaximumPoolSize(max);
        pool.setMinimumIdle(0);
        pool.setConnectionTimeout(timeout.toMillis());
        pool.setValidationTimeout(timeout.toMillis());
        return pool;
    }
}
