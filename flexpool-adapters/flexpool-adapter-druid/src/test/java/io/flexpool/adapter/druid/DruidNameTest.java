// SPDX-License-Identifier: Apache-2.0
package io.flexpool.adapter.druid;

import static org.assertj.core.api.Assertions.assertThat;

import com.alibaba.druid.pool.DruidDataSource;
import io.flexpool.FlexPool;
import io.flexpool.FlexPoolDataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The name that the application gave the pool was ignored: keys of this name had no effect. */
class DruidNameTest {
    private final DruidDataSource source = new DruidDataSource();

    DruidNameTest() {
        source.setUrl("jdbc:h2:mem:druid-name");
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
        assertThat(source.getName()).startsWith("DataSource-");
        try (FlexPoolDataSource pool = FlexPool.wrap(source).build()) {
            assertThat(pool.name()).startsWith("Druid-");
            assertThat(pool.otherNames()).isEmpty();
        }
    }
}
