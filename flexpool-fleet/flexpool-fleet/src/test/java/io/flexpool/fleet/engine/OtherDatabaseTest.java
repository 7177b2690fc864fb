// SPDX-License-Identifier: Apache-2.0
package io.flexpool.fleet.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.flexpool.Eventually;
import io.flexpool.FlexPool;
import io.flexpool.FlexPoolDataSource;
import io.flexpool.fleet.FleetStatus;
import java.util.Map;
import org.h2.jdbcx.JdbcConnectionPool;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A fleet whose store is another database than the pool's. */
class OtherDatabaseTest {
    /** The report was "the store cannot be reached (JdbcSQLSyntaxErrorException)", and the pool stayed at 2. */
    @ParameterizedTest
    @ValueSource(strings = {"postgresql", "mysql"})
    void theDatabaseIsNamed(String store) {
        JdbcConnectionPool h2 = JdbcConnectionPool.create("jdbc:h2:mem:fleet", "sa", "");
        try (FlexPoolDataSource pool = FlexPool.wrap(h2)
                .name("orders")
                .properties(Map.of(
                        "flexpool.base", "4",
                        "flexpool.acquisition-timeout", "1s",
                        "flexpool.fleet", store,
                        "flexpool.fleet.create-tables", "true",
                        "flexpool.fleet.max", "10",
                        "flexpool.fleet.instances-max", "2"))
                .build()) {
            Eventually.eventually(() -> trouble(pool) != null);
            assertThat(trouble(pool)).isEqualTo("the pool's database is H2, so flexpool.fleet must not be " + store);
        }
    }

    private static @Nullable String trouble(FlexPoolDataSource pool) {
        return pool.view(FleetStatus.class).orElseThrow().trouble();
    }
}
