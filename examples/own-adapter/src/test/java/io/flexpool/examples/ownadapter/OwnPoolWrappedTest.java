// SPDX-License-Identifier: Apache-2.0
package io.flexpool.examples.ownadapter;

import static org.assertj.core.api.Assertions.assertThat;

import io.flexpool.FlexPool;
import io.flexpool.FlexPoolDataSource;
import java.sql.Connection;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.h2.jdbcx.JdbcDataSource;
import org.junit.jupiter.api.Test;

/** The pool, wrapped as any other, on a real database. */
class OwnPoolWrappedTest {
    @Test
    void theOwnPoolGrowsAsAnyOther() throws Exception {
        JdbcDataSource database = new JdbcDataSource();
        database.setURL("jdbc:h2:mem:own");

        OwnPool own = new OwnPool(database, 2, Duration.ofSeconds(5));
        FlexPoolDataSource orders = FlexPool.wrap(own)
                .name("orders")
                .set("base", 2)
                .set("ceiling", 4)
                .set("grow-on-wait.enabled", true)
                .build();
        try (orders) {
            assertThat(orders.type()).isEqualTo("OwnPool");
            List<Connection> held = new ArrayList<>();
            for (int at = 0; at < 4; at++) {
                held.add(orders.getConnection());
            }
            assertThat(orders.state().limit()).isEqualTo(4);
            assertThat(own.figures().max()).isEqualTo(4);
            for (Connection connection : held) {
                connection.close();
            }
        }
        assertThat(own.isClosed()).isTrue();
    }
}
