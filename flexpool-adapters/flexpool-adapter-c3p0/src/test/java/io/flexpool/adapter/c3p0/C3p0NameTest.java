// SPDX-License-Identifier: Apache-2.0
package io.flexpool.adapter.c3p0;

import static org.assertj.core.api.Assertions.assertThat;

import com.mchange.v2.c3p0.ComboPooledDataSource;
import io.flexpool.FlexPool;
import io.flexpool.FlexPoolDataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The name that the application gave the pool was ignored: keys of this name had no effect. */
class C3p0NameTest {
    private final ComboPooledDataSource source = new ComboPooledDataSource();

    C3p0NameTest() {
        source.setJdbcUrl("jdbc:h2:mem:c3p0-name");
    }

    @AfterEach
    void close() {
        source.close();
    }

    @Test
    void thePoolsNameIsFlexpools() {
        source.setDataSourceName("reporting");
        try (FlexPoolDataSource pool = FlexPool.wrap(source).build()) {
            assertThat(pool.name()).isEqualTo("reporting");
        }
    }

    @Test
    void aGeneratedNameIsNone() throws Exception {
        source.getConnection().close();
        assertThat(source.getDataSourceName()).isEqualTo(source.getIdentityToken());
        try (FlexPoolDataSource pool = FlexPool.wrap(source).build()) {
            assertThat(pool.name()).startsWith("c3p0-");
            assertThat(pool.otherNames()).isEmpty();
        }
    }
}
