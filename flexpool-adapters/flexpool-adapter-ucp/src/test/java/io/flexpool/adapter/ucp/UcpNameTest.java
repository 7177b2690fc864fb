// SPDX-License-Identifier: Apache-2.0
package io.flexpool.adapter.ucp;

import static org.assertj.core.api.Assertions.assertThat;

import io.flexpool.FlexPool;
import io.flexpool.FlexPoolDataSource;
import oracle.ucp.jdbc.PoolDataSource;
import oracle.ucp.jdbc.PoolDataSourceFactory;
import org.junit.jupiter.api.Test;

/** Each pool is closed with its wrapper. The name that the application gave the pool was ignored: keys of this name had no effect. */
class UcpNameTest {
    private final PoolDataSource source = PoolDataSourceFactory.getPoolDataSource();

    UcpNameTest() throws Exception {
        source.setConnectionFactoryClassName("org.h2.jdbcx.JdbcDataSource");
        source.setURL("jdbc:h2:mem:ucp-name");
    }

    @Test
    void thePoolsNameIsFlexpools() throws Exception {
        source.setConnectionPoolName("reporting");
        source.getConnection().close();
        try (FlexPoolDataSource pool = FlexPool.wrap(source).build()) {
            assertThat(pool.name()).isEqualTo("reporting");
        }
    }

    @Test
    void aGeneratedNameIsNone() throws Exception {
        source.getConnection().close();
        assertThat(source.getConnectionPoolName()).startsWith("UniversalConnectionPool(");
        try (FlexPoolDataSource pool = FlexPool.wrap(source).build()) {
            assertThat(pool.name()).startsWith("Oracle UCP-");
            assertThat(pool.otherNames()).isEmpty();
        }
    }
}
