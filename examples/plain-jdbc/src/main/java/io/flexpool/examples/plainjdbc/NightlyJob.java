// SPDX-License-Identifier: Apache-2.0
package io.flexpool.examples.plainjdbc;

import com.zaxxer.hikari.HikariDataSource;
import io.flexpool.FlexPool;
import io.flexpool.FlexPoolDataSource;
import io.flexpool.PoolScope;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;

/** Batch work and interactive requests share a pool: the example of docs/how-to/batch-beside-interactive.md. */
@SuppressWarnings("try") // a scope is open and is not referred to
public final class NightlyJob {
    private NightlyJob() {}

    /**
     * Runs the example.
     *
     * @param args none
     * @throws Exception if the database fails, or this thread is interrupted
     */
    public static void main(String[] args) throws Exception {
        HikariDataSource hikari = new HikariDataSource();
        hikari.setJdbcUrl("jdbc:h2:mem:nightly");
        hikari.setMaximumPoolSize(4);
        FlexPoolDataSource orders = FlexPool.wrap(hikari)
                .name("orders")
                .set("base", 4)
                .set("classes", "interactive, batch")
                .set("classes.interactive.guarantee", 0.5)
                .set("classes.batch.max", 2)
                .set("classes.batch.timeout", Duration.ofMillis(500))
                .build();

        CountDownLatch leased = new CountDownLatch(2);
        CountDownLatch end = new CountDownLatch(1);
        Runnable job = () -> {
            try (PoolScope.Opened scope = PoolScope.of("batch").open();
                    Connection connection = orders.getConnection()) {
                leased.countDown();
                end.await();
            } catch (SQLException | InterruptedException e) {
                throw new IllegalStateException(e);
            }
        };
        Thread first = new Thread(job);
        Thread second = new Thread(job);
        first.start();
        second.start();
        leased.await();

        try (PoolScope.Opened scope = PoolScope.of("batch").open();
                Connection third = orders.getConnection()) {
            System.out.println("third batch job: answered");
        } catch (SQLException full) {
            System.out.println("third batch job: timed out");
        }
        try (Connection page = orders.getConnection()) {
            System.out.println("interactive request: answered");
        }
        orders.classes().forEach(one -> System.out.println(one.name() + ": leased " + one.leased()));

        end.countDown();
        first.join();
        second.join();
        orders.close();
    }
}
