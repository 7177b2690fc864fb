// SPDX-License-Identifier: Apache-2.0
package io.flexpool.spring.it.page;

import com.zaxxer.hikari.HikariDataSource;
import com.zaxxer.hikari.HikariPoolMXBean;
import io.flexpool.spring.it.endpoint.RunningPools;
import java.net.URI;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Map;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import javax.sql.DataSource;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.jdbc.datasource.AbstractDataSource;

/** A shop with three pools, its customers, and a database that can become slow or unreachable. */
final class Shop implements AutoCloseable {
    private static final String DATABASE = "jdbc:h2:mem:shop;DB_CLOSE_DELAY=-1";

    private static final AtomicBoolean DOWN = new AtomicBoolean();

    private final ConfigurableApplicationContext context;
    private final DataSource orders;
    private final DataSource inventory;
    private final DataSource reports;
    private final AtomicBoolean closed = new AtomicBoolean();
    private final AtomicInteger customers = new AtomicInteger();
    private volatile int mailMillis = 45;

    /** Its three pools. */
    @EnableAutoConfiguration
    static class Pools {
        @Bean
        HikariDataSource orders() {
            return pool(10);
        }

        @Bean
        HikariDataSource inventory() {
            return pool(20);
        }

        @Bean
        HikariDataSource reports() {
            return pool(8);
        }

        private static HikariDataSource pool(int max) {
            HikariDataSource pool = new HikariDataSource();
            pool.setDataSource(new AbstractDataSource() {
                @Override
                public Connection getConnection() throws SQLException {
                    return connect();
                }

                @Override
                public Connection getConnection(String username, String password) throws SQLException {
                    return connect();
                }
            });
            pool.setMaximumPoolSize(max);
            pool.setConnectionTimeout(1_000);
            return pool;
        }

        private static Connection connect() throws SQLException {
            pause(5);
            if (DOWN.get()) {
                throw new SQLException(
                        "Connection to db:5432 refused. Check that the hostname and port are correct.", "08001");
            }
            return DriverManager.getConnection(DATABASE);
        }
    }

    Shop() throws SQLException {
        try (Connection connection = DriverManager.getConnection(DATABASE);
                Statement statement = connection.createStatement()) {
            statement.execute("create alias if not exists sleep for 'java.lang.Thread.sleep(long)'");
        }
        context = new SpringApplicationBuilder(Pools.class)
                .properties(Map.of(
                        "server.port", "0",
                        "server.address", "127.0.0.1",
                        "spring.jmx.enabled", "false",
                        "spring.data.jpa.repositories.enabled", "false",
                        "spring.flyway.enabled", "false",
                        "spring.liquibase.enabled", "false"))
                .properties(Map.of(
                        "spring.autoconfigure.exclude", String.join(",", RunningPools.NOT_NEEDED),
                        "management.endpoints.web.exposure.include", "flexpool",
                        "flexpool.call-sites.sample-every", "1",
                        "flexpool.statement-text", "true",
                        "flexpool.time-in-database", "true",
                        "flexpool.pools.orders.mode", "adapt",
                        "flexpool.pools.orders.base", "10",
                        "flexpool.pools.orders.ceiling", "25"))
                .run();
        orders = context.getBean("orders", DataSource.class);
        inventory = context.getBean("inventory", DataSource.class);
        reports = context.getBean("reports", DataSource.class);
    }

    URI page() {
        return URI.create("http://127.0.0.1:" + context.getEnvironment().getProperty("local.server.port")
                + "/actuator/flexpool/ui");
    }

    /** Adds customers, each a thread that visits the shop repeatedly. */
    void opensFor(int more) {
        for (int at = 0; at < more; at++) {
            int number = customers.incrementAndGet();
            Thread thread = new Thread(() -> visit(new SplittableRandom(number)), "http-nio-8080-exec-" + number);
            thread.setDaemon(true);
            thread.start();
        }
    }

    /** How long sending an invoice holds a connection. */
    void mailTakes(int millis) {
        mailMillis = millis;
    }

    /** Switches the database off and closes its connections, or switches it on again. */
    void databaseDown(boolean down) throws SQLException {
        DOWN.set(down);
        if (down) {
            for (DataSource pool : new DataSource[] {orders, inventory, reports}) {
                HikariPoolMXBean started = pool.unwrap(HikariDataSource.class).getHikariPoolMXBean();
                Objects.requireNonNull(started).softEvictConnections();
            }
        }
    }

    private void visit(SplittableRandom random) {
        while (!closed.get()) {
            pause(random.nextInt(40, 120));
            int which = random.nextInt(100);
            try {
                if (which < 50) {
                    placeOrder(random.nextInt(8, 30));
                } else if (which < 65) {
                    listOrders(random.nextInt(5, 25));
                } else if (which < 80) {
                    sendInvoice();
                } else {
                    use(which < 97 ? inventory : reports, random.nextInt(10, 40));
                }
            } catch (SQLException failed) {
                // A customer comes again.
                pause(20);
            }
        }
    }

    private void placeOrder(int millis) throws SQLException {
        try (Connection connection = orders.getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute("call sleep(" + millis + ") /* insert into orders */");
            pause(millis);
        }
    }

    private void listOrders(int millis) throws SQLException {
        try (Connection connection = orders.getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute("call sleep(" + millis + ") /* select from orders */");
        }
    }

    private void sendInvoice() throws SQLException {
        try (Connection connection = orders.getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute("call sleep(2) /* select from invoices */");
            pause(mailMillis);
        }
    }

    private static void use(DataSource pool, int millis) throws SQLException {
        try (Connection connection = pool.getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute("call sleep(" + millis + ")");
        }
    }

    private static void pause(int millis) {
        try {
            TimeUnit.MILLISECONDS.sleep(millis);
        } catch (InterruptedException ended) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public void close() {
        DOWN.set(false);
        closed.set(true);
        context.close();
    }
}
