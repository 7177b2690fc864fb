// SPDX-License-Identifier: Apache-2.0
package io.flexpool.examples.plainjdbc;

import com.zaxxer.hikari.HikariDataSource;
import io.flexpool.FlexPool;
import io.flexpool.FlexPoolDataSource;
import io.flexpool.fleet.FleetStatus;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;

/** Two pools share the connections of one database: the example of docs/how-to/several-instances.md. */
@SuppressWarnings("try") // a connection is held and not used
public final class SharedDatabase {
    private static final int REQUESTS = 3;

    private SharedDatabase() {}

    /**
     * Runs the example.
     *
     * @param args none
     * @throws Exception if the database fails, or this thread is interrupted
     */
    public static void main(String[] args) throws Exception {
        FlexPoolDataSource orders = pool("orders");
        FlexPoolDataSource reports = pool("reports");

        CountDownLatch leased = new CountDownLatch(2 * REQUESTS);
        CountDownLatch end = new CountDownLatch(1);
        List<Thread> requests = new ArrayList<>();
        for (FlexPoolDataSource pool : List.of(orders, reports)) {
            for (int each = 0; each < REQUESTS; each++) {
                requests.add(new Thread(() -> {
                    try (Connection connection = pool.getConnection()) {
                        leased.countDown();
                        end.await();
                    } catch (SQLException | InterruptedException e) {
                        throw new IllegalStateException(e);
                    }
                }));
            }
        }
        requests.forEach(Thread::start);
        leased.await();

        FleetStatus shop = orders.view(FleetStatus.class).orElseThrow();
        System.out.println("fleet: " + shop.members() + " members, " + shop.cap() + " connections");
        System.out.println("orders: leased " + orders.openLeases().size());
        System.out.println("reports: leased " + reports.openLeases().size());

        end.countDown();
        for (Thread request : requests) {
            request.join();
        }
        orders.close();
        reports.close();
    }

    private static FlexPoolDataSource pool(String name) {
        HikariDataSource hikari = new HikariDataSource();
        hikari.setJdbcUrl("jdbc:h2:mem:shared");
        hikari.setMaximumPoolSize(5);
        return FlexPool.wrap(hikari)
                .name(name)
                .set("fleet", "local")
                .set("fleet.name", "shop")
                .set("fleet.max", 7)
                .set("fleet.instances-max", 2)
                .build();
    }
}
