// SPDX-License-Identifier: Apache-2.0
package io.flexpool.junit5;

import io.flexpool.FlexPool;
import io.flexpool.FlexPoolDataSource;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import javax.sql.DataSource;
import org.h2.jdbcx.JdbcConnectionPool;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The examples of docs/how-to/find-leaks-in-tests.md; run by {@link DocumentationTest}. */
final class Examples {
    private static final FlexPoolDataSource ORDERS = FlexPool.wrap(
                    JdbcConnectionPool.create("jdbc:h2:mem:shop", "", ""))
            .name("orders")
            .build();

    private Examples() {}

    /** The class under test. */
    static final class OrderService {
        void place() throws SQLException {
            try (Connection connection = ORDERS.getConnection()) {
                connection.createStatement().execute("select 1");
            }
        }

        void report() throws SQLException {
            // Never closed.
            ORDERS.getConnection().createStatement().execute("select 1");
        }
    }

    private static final OrderService SERVICE = new OrderService();

    @ExtendWith(LeakCheck.class)
    static class OrderTest {
        @Test
        void writesTheReport() throws SQLException {
            SERVICE.report();
        }

        @Test
        void placesAnOrder() throws SQLException {
            SERVICE.place();
        }

        @Test
        @LeakAllowed("the connection lives as long as the listener, which stays")
        void listens() throws SQLException {
            ORDERS.getConnection();
        }

        @Test
        @NestingAllowed("reads from one while it writes to the other")
        void copies() throws SQLException {
            try (Connection from = ORDERS.getConnection();
                    Connection to = ORDERS.getConnection()) {
                to.setReadOnly(from.isReadOnly());
            }
        }
    }

    /** Another one, which does other work while it holds a connection. */
    static final class Checkout {
        void pay() throws SQLException, InterruptedException {
            try (Connection connection = ORDERS.getConnection()) {
                Thread.sleep(20);
                connection.createStatement().execute("select 1");
            }
        }
    }

    private static final Checkout CHECKOUT = new Checkout();

    static class CheckoutTest {
        @Test
        @MaxLeases(1)
        void reads() throws SQLException {
            SERVICE.place();
            SERVICE.place();
        }

        @Test
        @NoIoWhileHeld
        void pays() throws Exception {
            CHECKOUT.pay();
        }
    }

    static class OneOfSeveralPoolsTest {
        @RegisterExtension
        static final LeakCheck LEAKS = LeakCheck.of(ORDERS).grace(Duration.ofSeconds(2));

        @Test
        void placesAnOrder() throws SQLException {
            SERVICE.place();
        }
    }

    static FlexPoolDataSource strict(DataSource pool) {
        return FlexPool.wrap(pool).name("orders").set("nested", "strict").build();
    }
}
