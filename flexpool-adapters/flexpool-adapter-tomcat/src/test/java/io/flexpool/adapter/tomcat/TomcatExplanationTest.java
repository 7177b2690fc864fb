// SPDX-License-Identifier: Apache-2.0
package io.flexpool.adapter.tomcat;

import io.flexpool.adapter.tck.contract.ExplanationContract;
import java.time.Duration;
import org.apache.tomcat.jdbc.pool.DataSource;

class TomcatExplanationTest extends ExplanationContract {
    @Override
    protected javax.sql.DataSource pool(javax.sql.DataSource driver, int max, Duration timeout) {
        DataSource pool = new DataSource();
        pool.setDataSource(driver);
        pool.setMaxActive(max);
        pool.setMaxIdle(max);
        pool.setInitialSize(0);
        pool.setMinIdle(0);
        pool.setMaxWait((int) timeout.toMillis());
        pool.setTestOnBorrow(true);
        pool.setValidationInterval(0);
        return pool;
    }
}
