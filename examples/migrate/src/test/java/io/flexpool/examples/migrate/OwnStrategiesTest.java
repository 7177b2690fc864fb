// SPDX-License-Identifier: Apache-2.0
package io.flexpool.examples.migrate;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import io.flexpool.FlexPoolDataSource;
import io.flexpool.strategy.AcquisitionStrategy;
import java.sql.Connection;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Strategies of one's own grow a real pool, by as many connections as requests wait. */
@Timeout(300)
class OwnStrategiesTest {
    @Test
    void theOwnStrategyGrowsThePool() throws Exception {
        HikariDataSource pool = RealDatabase.hikariPool();
        int size = pool.getMaximumPoolSize();
        List<Connection> held = new ArrayList<>();
        try (FlexPoolDataSource orders = OwnStrategies.wrapped(pool)) {
            assertThat(orders.strategies())
                    .extracting(AcquisitionStrategy::toString)
                    .containsExactly("grows by one, to 8", "tries 2 times");
            for (int at = 0; at <= size; at++) {
                held.add(orders.getConnection());
            }
            assertThat(held.get(size).isValid(5)).isTrue();
            assertThat(orders.state().limit()).isEqualTo(size + 1);
            assertThat(orders.state().ceiling()).isEqualTo(8);
            for (Connection one : held) {
                one.close();
            }
        }
    }
}
