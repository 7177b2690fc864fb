// SPDX-License-Identifier: Apache-2.0
package io.flexpool.examples.plainjdbc;

import com.zaxxer.hikari.HikariDataSource;
import io.flexpool.FlexPool;
import io.flexpool.FlexPoolDataSource;
import java.sql.SQLException;

/** The example of docs/how-to/stop-a-retry-storm.md: the database is down, and requests are rejected at once. */
public final class RetryStorm {
    private RetryStorm() {}

    /**
     * Runs the example, in about three seconds.
     *
     * @param args ignored
     */
    public static void main(String[] args) {
        HikariDataSource hikari = new HikariDataSource();
        hikari.setJdbcUrl("jdbc:h2:tcp://127.0.0.1:1/orders"); // no database listens there
        hikari.setInitializationFailTimeout(-1);
        hikari.setConnectionTimeout(1_000);
        try (FlexPoolDataSource orders = FlexPool.wrap(hikari)
                .name("orders")
                .set("circuit-breaker.failures", 3)
                .set("fail-fast.max-pending", 50)
                .build()) {
            for (int each = 1; each <= 5; each++) {
                long begin = System.nanoTime();
                try {
                    orders.getConnection().close();
                } catch (SQLException e) {
                    System.out.println(
                            "request " + each + " failed after " + (System.nanoTime() - begin) / 1_000_000 + " ms");
                }
            }
        }
    }
}
