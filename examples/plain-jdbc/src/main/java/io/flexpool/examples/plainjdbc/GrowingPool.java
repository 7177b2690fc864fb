// SPDX-License-Identifier: Apache-2.0
package io.flexpool.examples.plainjdbc;

import com.zaxxer.hikari.HikariDataSource;
import io.flexpool.FlexPool;
import io.flexpool.FlexPoolDataSource;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;

/** The example of docs/how-to/grow.md: six customers share two connections, and the pool grows for them. */
public final class GrowingPool {
    private GrowingPool() {}

    /**
     * Runs the example, in about ten seconds.
     *
     * @param args ignored
     * @throws SQLException if H2 gives no connection
     * @throws InterruptedException if interrupted
     */
    public static void main(String[] args) throws SQLException, InterruptedException {
        HikariDataSource hikari = new HikariDataSource();
        hikari.setJdbcUrl("jdbc:h2:mem:grow");
        hikari.setMaximumPoolSize(2);
        try (FlexPoolDataSource orders = FlexPool.wrap(hikari)
                .name("orders")
                .set("ceiling", 8)
                .set("grow-on-wait.enabled", true)
                .build()) {
            orders.getConnection().close(); // starts the pool
            List<Thread> customers = new ArrayList<>();
            for (int each = 1; each <= 6; each++) {
                customers.add(new Thread(() -> order(orders), "customer-" + each));
            }
            customers.forEach(Thread::start);
            for (Thread customer : customers) {
                customer.join();
            }
            System.out.println("limit after the burst: " + orders.state().limit());
            while (orders.state().limit() > 2) {
                Thread.sleep(100);
            }
            System.out.println("limit after a quiet time: " + orders.state().limit());
        }
    }

    private static void order(FlexPoolDataSource orders) {
        try (Connection connection = orders.getConnection()) {
            connection.createStatement().execute("select 1");
            Thread.sleep(1_000); // stands for a slow statement
        } catch (SQLException | InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }
}
