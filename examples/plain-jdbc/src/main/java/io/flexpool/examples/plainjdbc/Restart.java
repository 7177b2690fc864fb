// SPDX-License-Identifier: Apache-2.0
package io.flexpool.examples.plainjdbc;

import com.zaxxer.hikari.HikariDataSource;
import io.flexpool.FlexPool;
import io.flexpool.FlexPoolDataSource;
import io.flexpool.pool.PoolPhase;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;

/** A pool from its warm-up to its drain: the example of docs/how-to/warm-up-and-drain.md. */
public final class Restart {
    private Restart() {}

    /**
     * Runs the example.
     *
     * @param args none
     * @throws Exception if the database fails, or this thread is interrupted
     */
    public static void main(String[] args) throws Exception {
        HikariDataSource hikari = new HikariDataSource();
        hikari.setJdbcUrl("jdbc:h2:mem:restart");
        hikari.setMaximumPoolSize(4);
        FlexPoolDataSource orders = FlexPool.wrap(hikari).name("orders").build();

        int open = orders.warmUp(4, Duration.ofSeconds(20));
        System.out.println("open before the first request: " + open);

        Connection leased = orders.getConnection();
        Thread shutdown = new Thread(() -> {
            int left = orders.drain(Duration.ofSeconds(30));
            System.out.println("drained, leases left: " + left);
        });
        shutdown.start();
        while (orders.phase() != PoolPhase.DRAINING) {
            Thread.onSpinWait();
        }
        leased.createStatement().execute("select 1");
        System.out.println("the open lease continues");
        leased.close();
        shutdown.join();
        try {
            orders.getConnection();
        } catch (SQLException refused) {
            System.out.println("a new request: SQLState " + refused.getSQLState());
        }
        orders.close();
    }
}
