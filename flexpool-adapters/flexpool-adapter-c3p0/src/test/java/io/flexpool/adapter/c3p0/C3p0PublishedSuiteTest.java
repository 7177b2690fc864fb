// SPDX-License-Identifier: Apache-2.0
package io.flexpool.adapter.c3p0;

import com.mchange.v2.c3p0.ComboPooledDataSource;
import io.flexpool.FlexPool;
import io.flexpool.FlexPoolDataSource;
import java.sql.Connection;
import org.apache.commons.dbcp2.TestConnectionPool;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;

/** What Commons DBCP expects of a pool, of c3p0 behind flexpool. */
@Tag("scenario")
class C3p0PublishedSuiteTest extends TestConnectionPool {
    private final ComboPooledDataSource c3p0 = new ComboPooledDataSource();
    private FlexPoolDataSource pool = FlexPool.wrap(c3p0).set("enabled", false).build();

    @BeforeEach
    void wrap() throws Exception {
        c3p0.setDriverClass("org.apache.commons.dbcp2.TesterDriver");
        c3p0.setJdbcUrl("jdbc:apache:commons:testdriver");
        c3p0.setUser("userName");
        c3p0.setPassword("password");
        c3p0.setMaxPoolSize(getMaxTotal());
        c3p0.setAcquireIncrement(getMaxTotal());
        c3p0.setCheckoutTimeout(2_000);
        pool = FlexPool.wrap(c3p0).name("published").set("base", getMaxTotal()).build();
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
