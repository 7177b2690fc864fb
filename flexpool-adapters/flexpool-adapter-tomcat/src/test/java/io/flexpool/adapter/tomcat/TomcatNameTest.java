// SPDX-License-Identifier: Apache-2.0
package io.flexpool.adapter.tomcat;

import static org.assertj.core.api.Assertions.assertThat;

import io.flexpool.FlexPool;
import io.flexpool.FlexPoolDataSource;
import org.apache.tomcat.jdbc.pool.DataSource;
import org.h2.jdbcx.JdbcDataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The name that the application gave the pool was ignored: its keys had no effect in Spring. */
class TomcatNameTest {
    private final DataSource tomcat = new DataSource();

    TomcatNameTest() {
        JdbcDataSource h2 = new JdbcDataSource();
        h2.setURL("jdbc:h2:mem:tomcat-name");
        tomcat.setDataSource(h2);
    }

    @AfterEach
    void close() {
        tomcat.close();
    }

    @Test
    void thePoolsNameIsFlexpools() {
        tomcat.setName("reporting");
        try (FlexPoolDataSource pool = FlexPool.wrap(tomcat).build()) {
            assertThat(pool.name()).isEqualTo("reporting");
        }
    }

    @Test
    void aGeneratedNameIsNone() {
        assertThat(tomcat.getName()).startsWith("Tomcat Connection Pool[");
        try (FlexPoolDataSource pool = FlexPool.wrap(tomcat).build()) {
            assertThat(pool.name()).startsWith("Tomcat JDBC-");
            assertThat(pool.otherNames()).isEmpty();
        }
    }
}
