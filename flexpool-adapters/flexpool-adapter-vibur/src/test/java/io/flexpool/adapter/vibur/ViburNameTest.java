// SPDX-License-Identifier: Apache-2.0
package io.flexpool.adapter.vibur;

import static org.assertj.core.api.Assertions.assertThat;

import io.flexpool.FlexPool;
import io.flexpool.FlexPoolDataSource;
import org.h2.jdbcx.JdbcDataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.vibur.dbcp.ViburDBCPDataSource;

/** The name that the application gave the pool was ignored: keys of this name had no effect. */
class ViburNameTest {
    private final ViburDBCPDataSource source = new ViburDBCPDataSource();

    ViburNameTest() {
        JdbcDataSource h2 = new JdbcDataSource();
        h2.setURL("jdbc:h2:mem:vibur-name");
        source.setExternalDataSource(h2);
        source.start();
    }

    @AfterEach
    void close() {
        source.close();
    }

    @Test
    void thePoolsNameIsFlexpools() {
        source.setName("reporting");
        try (FlexPoolDataSource pool = FlexPool.wrap(source).build()) {
            assertThat(pool.name()).isEqualTo("reporting");
        }
    }

    @Test
    void aGeneratedNameIsNone() throws Exception {
        source.getConnection().close();
        assertThat(source.getName()).matches("p\\d+");
        try (FlexPoolDataSource pool = FlexPool.wrap(source).build()) {
            assertThat(pool.name()).startsWith("Vibur-");
            assertThat(pool.otherNames()).isEmpty();
        }
    }
}
