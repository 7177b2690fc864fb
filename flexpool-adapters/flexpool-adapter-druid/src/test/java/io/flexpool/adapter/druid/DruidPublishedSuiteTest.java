// SPDX-License-Identifier: Apache-2.0
package io.flexpool.adapter.druid;

import com.alibaba.druid.pool.DruidDataSource;
import io.flexpool.FlexPool;
import io.flexpool.FlexPoolDataSource;
import java.sql.Connection;
import java.time.Duration;
import org.apache.commons.dbcp2.TestConnectionPool;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;

/** The suite that DBCP publishes for pools of connections, over the wrapped pool. */
@Tag("scenario")
class DruidPublishedSuiteTest extends TestConnectionPool {
    private FlexPoolDataSource pool;

    @BeforeEach
    void wrap() {
        DruidDataSource raw = new DruidDataSource();
        raw.setDriverClassName("org.apache.commons.dbcp2.TesterDriver");
        raw.setUrl("jdbc:apache:commons:testdriver");
        raw.setUsername("userName");
        raw.setPassword("password");
        raw.setMaxActive(getMaxTotal());
        raw.setMaxWait(getMaxWaitDuration().toMillis());
        raw.setDefaultAutoCommit(true);
        pool = FlexPool.wrap(raw)
                .name("published suite")
                .set("base", getMaxTotal())
                .build();
    }

    /** By default a tenth of a second, which is little on a machine that is busy. */
    @Override
    protected Duration getMaxWaitDuration() {
        return Duration.ofSeconds(2);
    }

    @Override
    protected Connection getConnection() throws Exception {
        return pool.getConnection();
    }

    @Override
    @AfterEach
    public void tearDown() throws Exception {
        super.tearDown();
        pool.close();
    }
}
