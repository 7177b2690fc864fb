// SPDX-License-Identifier: Apache-2.0
package io.flexpool.adapter.dbcp2;

import io.flexpool.FlexPool;
import io.flexpool.FlexPoolDataSource;
import java.sql.Connection;
import java.time.Duration;
import org.apache.commons.dbcp2.BasicDataSource;
import org.apache.commons.dbcp2.TestConnectionPool;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/** The suite that DBCP publishes for pools of connections, over the wrapped pool. */
class Dbcp2PublishedSuiteTest extends TestConnectionPool {
    private FlexPoolDataSource pool;

    @BeforeEach
    void wrap() {
        BasicDataSource raw = new BasicDataSource();
        raw.setDriverClassName("org.apache.commons.dbcp2.TesterDriver");
        raw.setUrl("jdbc:apache:commons:testdriver");
        raw.setUsername("userName");
        raw.setPassword("password");
        raw.setMaxTotal(getMaxTotal());
        raw.setMaxWait(getMaxWaitDuration());
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
