// SPDX-License-Identifier: Apache-2.0
package io.flexpool.benchmarks.decorations;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import io.flexpool.benchmarks.overhead.isolated.Variant;
import io.flexpool.benchmarks.paired.isolated.StubConnection;
import io.flexpool.benchmarks.paired.isolated.StubDataSource;
import java.sql.Connection;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class DecorationsTest {
    @ParameterizedTest
    @EnumSource(Variant.class)
    void aVariantHandsOutThePoolsConnectionsAndEndsWithThePool(Variant variant) throws Exception {
        HikariDataSource pool = StubDataSource.pool("test-" + variant, StubConnection::new, 2);

        Decorated decorated = variant.decorator().around(pool);
        try (Connection connection = decorated.dataSource().getConnection()) {
            assertThat(connection).isNotNull();
            assertThat(pool.getHikariPoolMXBean().getActiveConnections()).isEqualTo(1);
        }
        assertThat(pool.getHikariPoolMXBean().getActiveConnections()).isZero();
        if (variant.toString().startsWith("flexpool-")) {
            assertThat(decorated.scrape().getAsInt()).as("figures read").isGreaterThan(3);
        }
        decorated.end().close();

        assertThat(pool.isClosed()).isTrue();
    }
}
