// SPDX-License-Identifier: Apache-2.0
package io.flexpool.adapter.hikaricp;

import com.zaxxer.hikari.HikariDataSource;
import io.flexpool.FlexPool;
import io.flexpool.FlexPoolDataSource;
import java.sql.Connection;
import org.apache.commons.dbcp2.TestConnectionPool;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/** What Commons DBCP expects of a pool, of HikariCP behind flexpool. */
class HikariPublishedSuiteTest extends TestConnectionPool {
    private final HikariDataSource hikari = new HikariDataSource();
    private FlexPoolDataSource pool =
            FlexPool.wrap(hikari).set("enabled", false).build();

    @BeforeEach
    void wrap() {
        hikari.setDriverClassName("org.apache.commons.dbcp2.TesterDriver");
        hikari.setJdbcUrl("jdbc:apache:commons:testdriver");
        hikari.setUsername("userName");
        hikari.setPassword("password");
        hikari.setMaximumPoolSize(getMaxTotal());
        hikari.setConnectionTimeout(2_000);
        pool = FlexPool.wrap(hikari)
                .name("published")
                .set("base", getMaxTotal())
                .build();
    }

    @AfterEach
    @Override
    public void tearDown() throws Exception {
        super.tearDown();
        pool.close();
    }

    @Override
    protected Connection getConnection() throws Exception {
        return pool.getConnection();
    }
}
